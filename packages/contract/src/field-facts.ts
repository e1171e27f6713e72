import * as z from 'zod';
import { bareSchema, descriptionOf, type FieldDescription } from './field.ts';
import { type ReferenceName, referenceOfField } from './references.ts';
import { type ResourceName, resourceNames, resources } from './resources.ts';

/** All that people need to know of a field, in one flat value, for pages and forms. */
export interface FieldFacts {
  readonly name: string;
  /** Label, help, example, labels of the choices, reference. */
  readonly description: FieldDescription | undefined;
  /** JSON's word for the value; of an array, for its items. */
  readonly type: string;
  readonly isArray: boolean;
  /** `uuid`, `email`, `date`, `date-time`, `uri`. */
  readonly format: string | undefined;
  readonly required: boolean;
  readonly nullable: boolean;
  readonly maxLength: number | undefined;
  readonly minimum: number | undefined;
  readonly moreThan: number | undefined;
  readonly maximum: number | undefined;
  readonly minItems: number | undefined;
  readonly maxItems: number | undefined;
  readonly values: readonly string[];
  /** The record that the id names; of an array, that each of its ids names. */
  readonly reference: ReferenceName | undefined;
  /** The resource whose record the value is. */
  readonly resource: ResourceName | undefined;
  /** Of an object, or of the objects in an array. */
  readonly fields: readonly FieldFacts[];
}

/** Schemas do not change; their facts are found out once. */
const known = new WeakMap<z.ZodType, FieldFacts[]>();

/** The facts of each field of an object, in its order; what is no object has none. */
export function fieldsOf(schema: z.ZodType): readonly FieldFacts[] {
  const found = known.get(schema) ?? readFields(schema);
  known.set(schema, found);
  return found;
}

const readFields = (schema: z.ZodType): FieldFacts[] =>
  schema instanceof z.ZodObject
    ? Object.entries(schema.shape).map(([name, field]) => factsOf(name, field))
    : [];

function factsOf(name: string, schema: z.core.$ZodType): FieldFacts {
  const { bare, optional, nullable } = bareSchema(schema);
  const description = descriptionOf(schema);
  const isArray = bare instanceof z.ZodArray;
  const array: z.core.JSONSchema.BaseSchema = isArray ? z.toJSONSchema(bare, { unrepresentable: 'any' }) : {};
  const value = isArray ? bareSchema(bare.element).bare : bare;
  const { type, format, minimum, exclusiveMinimum, maximum, enum: values } = plain(value);
  const resource = value instanceof z.ZodObject ? resourceOf(value) : undefined;
  return {
    name,
    description,
    type: typeof type === 'string' ? type : 'any',
    isArray,
    format,
    required: !optional,
    nullable,
    maxLength: (isArray ? descriptionOf(bare.element) : description)?.maxLength,
    minimum: chosen(minimum),
    moreThan: chosen(exclusiveMinimum),
    maximum: chosen(maximum),
    minItems: chosen(array.minItems),
    maxItems: chosen(array.maxItems),
    values: values?.map(String) ?? [],
    reference: referenceOfField(isArray ? bare.element : schema),
    resource,
    fields: value instanceof z.ZodObject && resource === undefined ? fieldsOf(value) : [],
  };
}

function plain(schema: z.core.$ZodType): z.core.JSONSchema.BaseSchema {
  return schema instanceof z.ZodObject
    ? { type: 'object' }
    : z.toJSONSchema(schema, { unrepresentable: 'any' });
}

/** The ends of what JavaScript counts exactly are no bounds that anybody chose. */
const chosen = (bound: number | boolean | undefined): number | undefined =>
  typeof bound !== 'number' || Math.abs(bound) === Number.MAX_SAFE_INTEGER ? undefined : bound;

function resourceOf(schema: z.ZodObject): ResourceName | undefined {
  const id = descriptionOf(schema)?.id;
  if (id === undefined) return undefined;
  return resourceNames.find((name) => descriptionOf(resources[name].schema)?.id === id);
}
