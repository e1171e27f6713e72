import { openapiDocument } from '../openapi/document.ts';
import type { JsonSchema } from '../openapi/schema.ts';
import { listOf, mapMembers, objectOf } from './json.ts';

/**
 * The description of the API as OpenAPI 3.0, for tools that do not read 3.1. It says the same: what 3.0 has no word
 * for (events, the short summary) stands in `x-webhooks` and `x-summary`.
 */
export function openapi30Document(origin: string): JsonSchema {
  const { openapi: _, info, webhooks, paths, components, ...rest } = openapiDocument(origin);
  const { summary, license, ...about } = objectOf(info);
  const { schemas, ...parts } = objectOf(components);
  return {
    openapi: '3.0.3',
    info: { ...about, 'x-summary': summary, license: { name: objectOf(license)['name'] } },
    ...rest,
    paths: withSchemas30(paths),
    components: {
      ...Object(withSchemas30(parts)),
      schemas: mapMembers(schemas, (schema) => schema30(objectOf(schema))),
    },
    'x-webhooks': withSchemas30(webhooks),
  };
}

/** A part of the description in which each schema is one of 3.0; examples are values and stay. */
function withSchemas30(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(withSchemas30);
  if (typeof part !== 'object' || part === null) return part;
  return mapMembers(part, (value, key) => {
    if (key === 'schema') return schema30(objectOf(value));
    return key === 'example' || key === 'examples' ? value : withSchemas30(value);
  });
}

/** A JSON Schema of 2020-12 in the words of OpenAPI 3.0. */
export function schema30(schema: JsonSchema): JsonSchema {
  const { oneOf, anyOf, $ref, ...own } = schema;
  const about = { ...withoutVariants(own) };
  if ($ref !== undefined) return Object.keys(own).length === 0 ? { $ref } : { allOf: [{ $ref }], ...about };
  const word = oneOf === undefined ? 'anyOf' : 'oneOf';
  const variants = listOf(oneOf ?? anyOf);
  const [only, ...others] = variants.filter((each) => !isNull(each));
  if (!only) return about;
  const orNull = others.length + 1 < variants.length ? { nullable: true } : {};
  if (others.length > 0) return { [word]: [only, ...others].map(schema30), ...about, ...orNull };
  const variant = schema30(only);
  // Beside a reference nothing else is read.
  return variant['$ref'] === undefined
    ? { ...variant, ...about, ...orNull }
    : { allOf: [variant], ...about, ...orNull };
}

const isNull = ({ type }: JsonSchema): boolean => type === 'null';

/** What a schema says besides which of several others it is. */
function withoutVariants(schema: JsonSchema): JsonSchema {
  const { type, examples, const: value, exclusiveMinimum, exclusiveMaximum, ...others } = schema;
  // The names of members are texts in any case.
  const {
    propertyNames: _,
    properties,
    required,
    items,
    additionalProperties,
    allOf,
    not,
    ...plain
  } = others;
  const [example] = Array.isArray(examples) ? examples : [];
  return {
    ...typeWords(type),
    ...plain,
    ...(value === undefined ? {} : { enum: [value] }),
    ...(typeof exclusiveMinimum === 'number' ? { minimum: exclusiveMinimum, exclusiveMinimum: true } : {}),
    ...(typeof exclusiveMaximum === 'number' ? { maximum: exclusiveMaximum, exclusiveMaximum: true } : {}),
    ...(example === undefined ? {} : { example }),
    ...(properties === undefined ? {} : memberWords(objectOf(properties), required)),
    ...(items === undefined ? {} : { items: schema30(objectOf(items)) }),
    ...(allOf === undefined ? {} : { allOf: listOf(allOf).map(schema30) }),
    ...(not === undefined ? {} : { not: schema30(objectOf(not)) }),
    ...(additionalProperties === undefined
      ? {}
      : {
          additionalProperties:
            typeof additionalProperties === 'boolean'
              ? additionalProperties
              : schema30(objectOf(additionalProperties)),
        }),
  };
}

function typeWords(type: unknown): JsonSchema {
  if (!Array.isArray(type)) return type === undefined ? {} : { type };
  const types = type.filter((each) => each !== 'null');
  const orNull = types.length < type.length ? { nullable: true } : {};
  return types.length === 1
    ? { type: types[0], ...orNull }
    : { anyOf: types.map((each) => ({ type: each })), ...orNull };
}

/** A member that must not be given is none: those objects take no others. */
function memberWords(properties: JsonSchema, required: unknown): JsonSchema {
  const members = Object.entries(properties).filter(([, schema]) => !isNull(objectOf(schema)));
  const needed = Array.isArray(required) ? required : [];
  return {
    properties: Object.fromEntries(members.map(([name, schema]) => [name, schema30(objectOf(schema))])),
    ...(needed.length > 0 ? { required: needed } : {}),
  };
}
