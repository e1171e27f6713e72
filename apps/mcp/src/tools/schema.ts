import { type FieldFacts, fieldsOf } from '@dealkeep/contract';
import type * as z from 'zod';

/** As plain JSON, which the protocol's own types want. */
export type JsonSchema = { [keyword: string]: Json };

type Json = string | number | boolean | null | Json[] | { [keyword: string]: Json };

/**
 * What is sent with a call, as a language model is told: short, because every definition is read with every
 * question.
 */
export const inputSchema = (fields: readonly FieldFacts[]): ObjectSchema => ({
  ...objectOf(fields, inputOf),
  additionalProperties: false,
});

/**
 * What is answered: names and types alone. What is empty is left out of an answer, so nothing but the ID is
 * required.
 */
export function outputSchema(schema: z.ZodType): ObjectSchema {
  const fields = fieldsOf(schema)
    // What no model is shown.
    .filter(({ description }) => description?.secret !== true)
    .map((field) => ({ ...field, required: /^(?:uu)?id$/.test(field.name) }));
  return objectOf(fields, outputOf);
}

/** The schema of an object, as the protocol wants it for the arguments and the answer of a tool. */
export type ObjectSchema = JsonSchema & { type: 'object'; properties: Record<string, JsonSchema> };

function objectOf(fields: readonly FieldFacts[], schemaOf: (field: FieldFacts) => JsonSchema): ObjectSchema {
  const required = fields.flatMap((field) => (field.required ? field.name : []));
  return {
    type: 'object',
    properties: Object.fromEntries(fields.map((field) => [field.name, schemaOf(field)])),
    ...(required.length > 0 ? { required } : {}),
  };
}

function inputOf(field: FieldFacts): JsonSchema {
  const { description, maxLength, minimum, maximum, format } = field;
  const help = description?.help?.en;
  const said = [formOf(field), help];
  const value: JsonSchema = {
    ...valueSchema(field, inputOf),
    // Of a reference a name is taken as well, of a day a word, and of a moment a local time.
    ...(format === undefined || worded.has(format) ? {} : { format }),
    ...(maxLength === undefined ? {} : { maxLength }),
    ...(minimum === undefined ? {} : { minimum }),
    ...(maximum === undefined ? {} : { maximum }),
  };
  const told = said.filter((each) => each !== undefined).join(' ');
  return { ...inArray(field, value), ...(told === '' ? {} : { description: told }) };
}

const worded = new Set(['uuid', 'date', 'date-time']);

/** What is taken that no format of JSON Schema says. */
function formOf({ reference, format }: FieldFacts): string | undefined {
  if (reference === 'user') return 'Name, ID or me.';
  if (reference !== undefined) return 'Name or ID.';
  if (format === 'date') return 'YYYY-MM-DD or today.';
  return format === 'date-time' ? 'YYYY-MM-DDThh:mm, local.' : undefined;
}

function outputOf(field: FieldFacts): JsonSchema {
  const value = valueSchema({ ...field, nullable: false }, () => ({}));
  return field.isArray ? { type: 'array', ...(field.type === 'any' ? {} : { items: value }) } : value;
}

function valueSchema(
  { type, values, nullable, isArray, fields }: FieldFacts,
  inside: (field: FieldFacts) => JsonSchema,
): JsonSchema {
  const orNull = nullable && !isArray;
  // What names a record is its ID or its name; some can be described instead, by an object.
  const taken = type !== 'object' && fields.length > 0 ? [type, 'object'] : [type];
  const all = orNull ? [...taken, 'null'] : taken;
  const types = type === 'any' ? {} : { type: all.length === 1 ? type : all };
  if (values.length > 0 && values.length <= mostNamedValues) {
    return { ...types, enum: orNull ? [...values, null] : [...values] };
  }
  const inner = fields.map((each): [string, JsonSchema] => [each.name, inside(each)]);
  const isTold = inner.some(([, schema]) => Object.keys(schema).length > 0);
  if (!isTold) return types;
  const required = fields.flatMap((each) => (each.required ? each.name : []));
  return {
    ...types,
    properties: Object.fromEntries(inner),
    ...(required.length > 0 ? { required } : {}),
  };
}

/** Lists of all currencies or countries say nothing that a model does not know. */
const mostNamedValues = 30;

function inArray({ isArray, nullable, minItems, maxItems }: FieldFacts, items: JsonSchema): JsonSchema {
  if (!isArray) return items;
  return {
    type: nullable ? ['array', 'null'] : 'array',
    ...(Object.keys(items).length > 0 ? { items } : {}),
    ...(minItems === undefined ? {} : { minItems }),
    ...(maxItems === undefined ? {} : { maxItems }),
  };
}
