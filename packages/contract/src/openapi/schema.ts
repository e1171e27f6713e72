import * as z from 'zod';
import { bareSchema, descriptionOf, type FieldDescription, formsOf } from '../field.ts';
import { exampleOf } from '../sample.ts';
import { namedChoices, nul } from '../scalars.ts';
import { bodyExamples } from './examples.ts';

export type JsonSchema = Record<string, unknown>;

type Direction = 'input' | 'output';

/** Turns contract schemas into JSON Schema, collecting the named ones as components. */
export class SchemaWriter {
  readonly components: Record<string, JsonSchema> = {};

  /**
   * A schema as it stands in the document: a reference when it is named, else inline.
   * `input` is what a client sends, `output` what it receives.
   */
  write(schema: z.core.$ZodType, io: Direction): JsonSchema {
    const { bare, nullable } = bareSchema(schema);
    const name = descriptionOf(schema)?.id;
    if (name && bare instanceof z.ZodObject) return this.#component(name, schema, bare, { io, nullable });
    if (name && bare instanceof z.ZodEnum) {
      const reference = this.#choices(name, bare);
      // Its title and examples are the component's own; what the field has more stands beside the reference.
      const { title: _, ...own } = describeIn({}, descriptionOf(schema), io);
      return { ...(nullable ? orNull(reference) : reference), ...own };
    }
    const written = this.#inline(bare, io);
    return describeIn(nullable ? orNull(written) : written, descriptionOf(schema), io);
  }

  #component(
    name: string,
    schema: z.core.$ZodType,
    bare: z.ZodObject,
    { io, nullable }: { io: Direction; nullable: boolean },
  ): JsonSchema {
    if (!(name in this.components)) {
      this.components[name] = {};
      const description = descriptionOf(schema);
      const examples = io === 'input' ? bodyExamples(bare) : [exampleOf(bare)];
      this.components[name] = named(name, {
        ...describeIn(this.#shape(name, bare, description, io), description, io),
        examples,
      });
    }
    const reference = referenceTo(name);
    return nullable ? orNull(reference) : reference;
  }

  /** An object; where one of several fields must be given, one object for each of them. */
  #shape(
    name: string,
    bare: z.ZodObject,
    description: FieldDescription | undefined,
    io: Direction,
  ): JsonSchema {
    const { fields = [], alone = false } = description?.oneOf ?? {};
    if (fields.length === 0 || io === 'output') return this.#object(bare, io);
    const { properties, required = [], ...rest } = this.#object(bare, io);
    const anyOf = fields.map((given) => {
      const variant = `${name}By${capitals(given)}`;
      const others = alone ? fields.filter((each) => each !== given) : [];
      const schema = bare.shape[given];
      if (!schema) throw new Error(`${name} has no field ${given}`);
      const about = describeIn(this.#inline(bareSchema(schema).bare, io), descriptionOf(schema), io);
      this.components[variant] = named(variant, {
        ...rest,
        properties: {
          ...Object(properties),
          [given]: filled(about),
          ...Object.fromEntries(others.map((each) => [each, absent])),
        },
        required: [...(Array.isArray(required) ? required : []), given],
        'x-sk-title': description?.label.sk,
      });
      return referenceTo(variant);
    });
    return { anyOf };
  }

  #choices(name: string, bare: z.ZodEnum): JsonSchema {
    const schema = namedChoices[name] ?? bare;
    this.components[name] ??= named(
      name,
      describeIn(plainSchema(bare, 'output'), descriptionOf(schema), 'output'),
    );
    return referenceTo(name);
  }

  #inline(bare: z.core.$ZodType, io: Direction): JsonSchema {
    if (bare instanceof z.ZodObject) return this.#object(bare, io);
    if (bare instanceof z.ZodArray) {
      const plain = plainSchema(z.array(z.unknown()), io);
      const { minItems, maxItems } = z.toJSONSchema(bare, { io, unrepresentable: 'any' });
      return {
        ...plain,
        ...(minItems === undefined ? {} : { minItems }),
        ...(maxItems === undefined ? {} : { maxItems }),
        items: this.write(bare.element, io),
      };
    }
    const forms = bare instanceof z.ZodUnion ? bare.options : formsOf(bare);
    if (forms) return this.#anyOf(forms, io);
    if (bare instanceof z.ZodRecord && descriptionOf(bare.valueType)) {
      return { type: 'object', additionalProperties: this.write(bare.valueType, io) };
    }
    return plainSchema(bare, io);
  }

  #anyOf(forms: readonly z.core.$ZodType[], io: Direction): JsonSchema {
    const [only, ...others] = forms.map((each) => this.write(each, io));
    return only && others.length === 0 ? only : { anyOf: [only, ...others] };
  }

  #object(bare: z.ZodObject, io: Direction): JsonSchema {
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
}

const referenceTo = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });

/** Generators name types by the title, so a component's is its own name: labels repeat. */
const named = (name: string, written: JsonSchema): JsonSchema => ({ ...written, title: name });

const capitals = (field: string): string =>
  field.replaceAll(/(?:^|_)(.)/g, (_, letter: string) => letter.toUpperCase());

/** A field that must not be given. */
const absent: JsonSchema = { type: 'null', title: 'Not given', 'x-sk-title': 'Neuvádza sa' };

/** A field that says which record is meant says something. */
const filled = (written: JsonSchema): JsonSchema => {
  if (written['type'] === 'string' && written['minLength'] === undefined) return { ...written, minLength: 1 };
  if (written['type'] === 'array' && written['minItems'] === undefined) return { ...written, minItems: 1 };
  return written;
};

/** What the contract says of a schema, laid over what the schema says itself. */
function describeIn(
  written: JsonSchema,
  description: FieldDescription | undefined,
  io: Direction,
): JsonSchema {
  if (!description) return written;
  const { label, help, example, format, minLength, maxLength, maxEntries, reference } = description;
  const described = {
    title: label.en,
    ...(help ? { description: help.en } : {}),
    ...written,
    ...(format !== undefined ? { format } : {}),
    ...(minLength !== undefined ? { minLength } : {}),
    ...(maxLength !== undefined ? { maxLength } : {}),
    ...(maxEntries !== undefined ? { maxProperties: maxEntries } : {}),
    ...(description.default !== undefined ? { default: description.default } : {}),
    ...(example !== undefined ? { examples: [example] } : {}),
    'x-sk-title': label.sk,
    ...(help ? { 'x-sk-description': help.sk } : {}),
    ...(reference ? { 'x-reference': reference } : {}),
  };
  return io === 'input' ? withTextPattern(described) : described;
}

const withoutNul = `^[^${nul}]*$`;
const filledWithoutNul = `^[^${nul}]*[^\\s${nul}][^${nul}]*$`;

/** Texts hold no NUL, and such as must not be empty more than white space. */
function withTextPattern(written: JsonSchema): JsonSchema {
  const { type, format, pattern, enum: values, minLength } = written;
  const types: unknown[] = Array.isArray(type) ? type : [type];
  const ruled = format !== undefined || pattern !== undefined || values !== undefined;
  if (!types.includes('string') || ruled) return written;
  return { ...written, pattern: minLength === undefined ? withoutNul : filledWithoutNul };
}

/** What zod itself writes for a scalar, an enumeration or a dictionary. A format says more than its pattern. */
function plainSchema(bare: z.core.$ZodType, io: Direction): JsonSchema {
  const { $schema: _, pattern, ...written } = z.toJSONSchema(bare, { io, unrepresentable: 'throw' });
  return pattern !== undefined && written.format === undefined ? { ...written, pattern } : written;
}

function orNull(written: JsonSchema): JsonSchema {
  const { type, enum: values } = written;
  if (written['$ref'] !== undefined) return { oneOf: [written, { type: 'null' }] };
  if (typeof type !== 'string') return { anyOf: [written, { type: 'null' }] };
  return {
    ...written,
    type: [type, 'null'],
    ...(Array.isArray(values) ? { enum: [...values, null] } : {}),
  };
}
