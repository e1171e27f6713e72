import * as z from 'zod';
import type { Text } from './text.ts';

/** What people and platforms need to know of a field beyond its type. Said once, here; all else is derived. */
export interface FieldDescription {
  readonly label: Text;
  readonly help?: Text;
  /** A realistic value; samples, OpenAPI examples and demo texts are made of it. */
  readonly example?: unknown;
  /** The record that an id names: platforms offer a dropdown instead of a text box. */
  readonly reference?: string;
  /**
   * Of an answer: the record that the object shows, or the id names. It is left out for a person who may not see
   * that record.
   */
  readonly refersTo?: string;
  /** Beside `refersTo`: the record has no other name, so the name stays for anyone who sees the record itself. */
  readonly namesRecord?: true;
  /** Of an answer: siblings that refer to records. The text is taken from them, and is left out with all of them. */
  readonly takenFrom?: readonly string[];
  /** The sibling field that narrows the reference (`stage_id` depends on `pipeline_id`). */
  readonly dependsOn?: string;
  /** The resource whose record the text is the name of, where names and not ids are the values. */
  readonly nameOf?: 'tag';
  /** Of a dictionary: the resource whose records its keys are the names of. */
  readonly keysOf?: 'custom-field';
  /** The text is a type of the event catalog. */
  readonly eventType?: true;
  /** Of a dictionary: its keys are what events can be filtered by, and its values what they may be. */
  readonly filtersEvents?: true;
  /** The text is a field that an update of a record can name as changed. */
  readonly changedField?: true;
  /** The values are codes, which `Intl.DisplayNames` of this type has names for. */
  readonly codesOf?: 'region' | 'currency';
  /** Text of several lines. */
  readonly multiline?: boolean;
  /** Longest text in code points (`z.string().max` would count UTF-16 units). */
  readonly maxLength?: number;
  /** Most entries of a dictionary. */
  readonly maxEntries?: number;
  /** Shortest text, where it must not be empty. */
  readonly minLength?: number;
  /** JSON Schema's name of the text's form, where the schema's own checks do not tell it. */
  readonly format?: 'email' | 'uri';
  /** A web address that people open: pages link it, where it is http or https. */
  readonly opens?: boolean;
  /** What an absent value means. */
  readonly default?: string | number;
  /** Labels of an enumeration's values. */
  readonly choices?: Readonly<Record<string, Text>>;
  /** Of a body: fields of which one must be given; `alone` when the others must not be given beside it. */
  readonly oneOf?: { readonly fields: readonly string[]; readonly alone?: boolean };
  /** The sibling field beside which it must not be given; no example shows both. */
  readonly notBeside?: string;
  /** Name of the schema among OpenAPI's components. */
  readonly id?: string;
  /** The value is a secret, shown once. */
  readonly secret?: boolean;
  /** The value is typed unseen and never shown again: a new password, or the one that is to be proved. */
  readonly password?: 'new' | 'current';
  /** What a number counts, where people read it with a sign: money in a currency, or percent. */
  readonly unit?: 'money' | 'percent';
  /** Values that a form offers; others are taken as well. */
  readonly suggestions?: readonly string[];
  /**
   * Whether examples of what is sent show it although it can be left out: most requests without it, or with it,
   * would be refused.
   */
  readonly inExamples?: boolean;
  /**
   * Which forms do not ask for it: none does for what programs send; those of the console do not for what it asks
   * for in another way, or not at all, while connectors do.
   */
  readonly leftOutOf?: 'forms' | 'console';
}

const descriptions = z.registry<FieldDescription>();

/** Attaches the description to a schema and returns the schema. Call it last: later checks make a new schema. */
export function describe<Schema extends z.ZodType>(schema: Schema, description: FieldDescription): Schema {
  descriptions.add(schema, description);
  return schema;
}

/**
 * A field that may be left out when a record is made, and what it is then. Only the body of a creation says so: an
 * update leaves the field as it is. Attach it after `optional` or `nullish`.
 */
export function leftOut<Schema extends z.ZodType>(schema: Schema, meaning: Text): Schema {
  const description = descriptionOf(schema);
  if (!description) throw new Error('A field is described before it is said what leaving it out means.');
  const { help } = description;
  return describe(schema, {
    ...description,
    help: help ? { en: `${help.en} ${meaning.en}`, sk: `${help.sk} ${meaning.sk}` } : meaning,
  });
}

/** A field that no form asks for in this body. Attach it after `optional` or `nullish`. */
export function forPrograms<Schema extends z.ZodType>(schema: Schema): Schema {
  const description = descriptionOf(schema);
  if (!description) throw new Error('A field is described before it is said that programs send it.');
  return describe(schema, { ...description, leftOutOf: 'forms' });
}

/** The description of a field, looked for through `optional`, `nullable` and `default`. */
export function descriptionOf(schema: z.core.$ZodType): FieldDescription | undefined {
  const own = descriptions.get(schema);
  if (own) return own;
  const inner = unwrap(schema);
  return inner === schema ? undefined : descriptionOf(inner);
}

const jsonParts = new WeakMap<z.core.$ZodType, z.ZodObject>();

/**
 * Says that a text is JSON of such an object: platforms ask for the fields of the object, and show them, instead.
 */
export function holdsJson<Schema extends z.ZodType>(schema: Schema, parts: z.ZodObject): Schema {
  jsonParts.set(schema, parts);
  return schema;
}

/** The object that a text is JSON of, looked for through `optional`, `nullable` and `default`. */
export function jsonPartsOf(schema: z.core.$ZodType): z.ZodObject | undefined {
  const own = jsonParts.get(schema);
  if (own) return own;
  const inner = unwrap(schema);
  return inner === schema ? undefined : jsonPartsOf(inner);
}

const forms = new WeakMap<z.core.$ZodType, readonly z.ZodObject[]>();

/**
 * Says that a value is one of these objects, which is looked at by itself and not together with what it stands in.
 */
export function takesForms<Schema extends z.ZodType>(schema: Schema, of: readonly z.ZodObject[]): Schema {
  forms.set(schema, of);
  return schema;
}

/** The objects of which a value is one; undefined where the schema itself says what it is. */
export const formsOf = (schema: z.core.$ZodType): readonly z.ZodObject[] | undefined => forms.get(schema);

/**
 * What `bareSchema` has answered: it is asked again for every record, and `instanceof` of zod is no quick question.
 */
const bareSchemas = new WeakMap<z.core.$ZodType, BareSchema>();

interface BareSchema {
  readonly bare: z.core.$ZodType;
  readonly optional: boolean;
  readonly nullable: boolean;
}

/** One step inside `optional`, `nullable` or `default`; the schema itself when it is none of these. */
function unwrap(schema: z.core.$ZodType): z.core.$ZodType {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault) {
    return schema.unwrap();
  }
  return schema;
}

/** The schema inside all wrappers, and which of them there were. */
export function bareSchema(schema: z.core.$ZodType): BareSchema {
  const known = bareSchemas.get(schema) ?? withoutWrappers(schema);
  bareSchemas.set(schema, known);
  return known;
}

function withoutWrappers(schema: z.core.$ZodType): BareSchema {
  let bare = schema;
  let optional = false;
  let nullable = false;
  for (;;) {
    if (bare instanceof z.ZodOptional || bare instanceof z.ZodDefault) optional = true;
    if (bare instanceof z.ZodNullable) nullable = true;
    const inner = unwrap(bare);
    if (inner === bare) return { bare, optional, nullable };
    bare = inner;
  }
}
