import * as z from 'zod';
import { bareSchema, descriptionOf } from '../field.ts';
import { exampleOf } from '../sample.ts';

export type JsonSchema = Record<string, unknown>;

/** Turns contract schemas into JSON Schema, collecting the named ones as components. */
export class SchemaWriter {
  readonly components: Record<string, JsonSchema> = {};

  /**
   * A schema as it stands in the document: a reference when it is named, else inline.
   * `input` is what a client sends, `output` what it receives.
   */
  write(schema: z.core.$ZodType, io: 'input' | 'output'): JsonSchema {
    const { bare, nullable } = bareSchema(schema);
    const name = descriptionOf(schema)?.id;
    if (name && bare instanceof z.ZodObject) {
      if (!(name in this.components)) {
        this.components[name] = {};
        this.components[name] = {
          ...this.#describe(schema, this.#object(bare, io)),
          examples: [exampleOf(bare)],
        };
      }
      const reference = { $ref: `#/components/schemas/${name}` };
      return nullable ? { oneOf: [reference, { type: 'null' }] } : reference;
    }
    const written = this.#inline(bare, io);
    return this.#describe(schema, nullable ? orNull(written) : written);
  }

  #inline(bare: z.core.$ZodType, io: 'input' | 'output'): JsonSchema {
    if (bare instanceof z.ZodObject) return this.#object(bare, io);
    if (bare instanceof z.ZodArray) {
      const plain = plainSchema(bare, io);
      return { ...plain, items: this.write(bare.element, io) };
    }
    return plainSchema(bare, io);
  }

  #object(bare: z.ZodObject, io: 'input' | 'output'): JsonSchema {
    const entries = Object.entries(bare.shape);
    const required = entries.filter(([, field]) => !bareSchema(field).optional).map(([key]) => key);
    return {
      type: 'object',
      properties: Object.fromEntries(entries.map(([key, field]) => [key, this.write(field, io)])),
      ...(required.length > 0 ? { required } : {}),
      // Clients ignore unknown fields of answers; unknown fields of requests are refused.
      ...(io === 'input' ? { additionalProperties: false } : {}),
    };
  }

  #describe(schema: z.core.$ZodType, written: JsonSchema): JsonSchema {
    const description = descriptionOf(schema);
    if (!description) return written;
    const { label, help, example, format, minLength, maxLength, reference } = description;
    return {
      title: label.en,
      ...(help ? { description: help.en } : {}),
      ...written,
      ...(format !== undefined ? { format } : {}),
      ...(minLength !== undefined ? { minLength } : {}),
      ...(maxLength !== undefined ? { maxLength } : {}),
      ...(description.default !== undefined ? { default: description.default } : {}),
      ...(example !== undefined ? { examples: [example] } : {}),
      'x-sk-title': label.sk,
      ...(help ? { 'x-sk-description': help.sk } : {}),
      ...(reference ? { 'x-reference': reference } : {}),
    };
  }
}

/** What zod itself writes for a scalar, an enumeration or a dictionary. A format says more than its pattern. */
function plainSchema(bare: z.core.$ZodType, io: 'input' | 'output'): JsonSchema {
  const { $schema: _, pattern, ...written } = z.toJSONSchema(bare, { io, unrepresentable: 'throw' });
  return pattern !== undefined && written.format === undefined ? { ...written, pattern } : written;
}

function orNull(written: JsonSchema): JsonSchema {
  const { type, enum: values } = written;
  if (typeof type !== 'string') return { anyOf: [written, { type: 'null' }] };
  return {
    ...written,
    type: [type, 'null'],
    ...(Array.isArray(values) ? { enum: [...values, null] } : {}),
  };
}
