import {
  bareSchema,
  descriptionOf,
  type FieldDescription,
  jsonPartsOf,
  type ReferenceName,
  referenceOfField,
} from '@dealkeep/contract';
import * as z from 'zod';

export type FieldType = 'string' | 'text' | 'integer' | 'number' | 'boolean' | 'datetime' | 'date';

/**
 * One of two ways to say which record is meant: the company of a lead is one that there is, or described by its
 * details.
 */
export interface Way {
  /** `company` */
  readonly of: string;
  /** `Company` */
  readonly label: string;
  /** What is done with the details. */
  readonly help: string | undefined;
  readonly is: 'existing' | 'details';
}

/** One value that a person fills in: a field of a request body or a parameter of a list. */
export interface FormField {
  /** Key on the platform: the API's name, nested objects joined by two underscores (`company__name`). */
  readonly key: string;
  /** Where the value stands in the body: `['company', 'name']`. */
  readonly path: readonly string[];
  readonly label: string;
  readonly help: string | undefined;
  readonly example: string | undefined;
  readonly type: FieldType;
  readonly list: boolean;
  readonly required: boolean;
  /** May be emptied by sending null. */
  readonly nullable: boolean;
  readonly choices: Readonly<Record<string, string>> | undefined;
  readonly reference: ReferenceName | undefined;
  readonly dependsOn: string | undefined;
  /** The values are names of its records; of tags, another name makes one. */
  readonly nameOf?: ReferenceName;
  /** A dictionary, whose keys are the names of these records: custom fields, each a field of its own. */
  readonly keysOf?: ReferenceName;
  /** The value is sent as text, whatever the person chose it from. */
  readonly asText?: true;
  /** The field beside which it must not be filled in. */
  readonly notBeside?: string;
  /** The record is chosen, or described by its parts: one of the two ways to say which it is. */
  readonly way?: Way;
  /** The nested object that holds the field, shown as a group; the API can ask for it even when it is empty. */
  readonly group: { readonly key: string; readonly label: string; readonly required: boolean } | undefined;
  /** What it is shown with, where the API has no object of them. */
  readonly section?: { readonly key: string; readonly label: string };
  /** Where the text stands that holds the value: it is JSON of what stands there. */
  readonly jsonAt?: readonly string[];
  /** Names of the fields beside it of which one alone is needed. */
  readonly alternatives?: readonly string[];
  /** Where the value stands that this one is asked for instead of, because the connection cannot look it up. */
  readonly insteadOf?: readonly string[];
  /** The fields of each line of a list of items, their paths beginning inside the line. */
  readonly children?: readonly FormField[];
}

/** A field of one text that nobody has to fill in. */
export const textField = (key: string, path: readonly string[], label: string): FormField => ({
  key,
  path,
  label,
  help: undefined,
  example: undefined,
  type: 'string',
  list: false,
  required: false,
  nullable: false,
  choices: undefined,
  reference: undefined,
  dependsOn: undefined,
  group: undefined,
});

/** The fields of a body or a query, in the contract's order, nested objects spread out. */
export function formFields(object: z.ZodObject): FormField[] {
  const alternatives = descriptionOf(object)?.oneOf?.fields ?? [];
  const asked = Object.entries(object.shape).filter(
    ([, schema]) => descriptionOf(schema)?.leftOutOf !== 'forms',
  );
  return asked.flatMap(([name, schema]) => {
    const way = wayOf(name, object.shape);
    return formField(name, schema).map((field) => ({
      ...field,
      ...(alternatives.includes(name) ? { alternatives } : {}),
      ...(way ? { way, section: { key: way.of, label: way.label } } : {}),
      // The choice of the way is called like the record, so the dropdown says what it lists.
      ...(way?.is === 'existing' ? { label: `Existing ${way.label}` } : {}),
    }));
  });
}

/** `company_id` beside the object `company`: the record is either chosen, or described and then matched or made. */
function wayOf(name: string, shape: Readonly<Record<string, z.core.$ZodType>>): Way | undefined {
  const of = name.replace(/_id$/, '');
  const [chosen, described] = [shape[`${of}_id`], shape[of]];
  if (!chosen || !described || !(bareSchema(described).bare instanceof z.ZodObject)) return undefined;
  const { label, help } = descriptionOf(described) ?? {};
  return { of, label: label?.en ?? of, help: help?.en, is: name === of ? 'details' : 'existing' };
}

function formField(name: string, schema: z.core.$ZodType): FormField[] {
  const { bare, optional } = bareSchema(schema);
  const json = jsonPartsOf(schema);
  if (json) return partFields(name, schema, json);
  if (!(bare instanceof z.ZodObject)) return [plainField(name, schema)];
  const group = { key: name, label: descriptionOf(schema)?.label.en ?? name, required: !optional };
  return formFields(bare).map((inner) => ({
    ...inner,
    key: `${name}__${inner.key}`,
    path: [name, ...inner.path],
    label: inner.label.startsWith(group.label) ? inner.label : `${group.label} ${inner.label}`,
    ...(inner.jsonAt ? { jsonAt: [name, ...inner.jsonAt] } : {}),
    // Inside an optional object nothing is asked for until something of it is given; then the API says so.
    required: inner.required && !optional,
    group,
  }));
}

/** The parts of what the API takes as one text of JSON: an address by street, city and so on. */
function partFields(name: string, schema: z.core.$ZodType, parts: z.ZodObject): FormField[] {
  const label = descriptionOf(schema)?.label.en ?? name;
  return formFields(parts).map((part) => ({
    ...part,
    key: `${name}__${part.key}`,
    path: [name, ...part.path],
    label: `${label} ${part.label}`,
    required: false,
    jsonAt: [name],
  }));
}

function plainField(name: string, schema: z.core.$ZodType): FormField {
  const { bare, optional, nullable } = bareSchema(schema);
  const list = bare instanceof z.ZodArray;
  const value = bare instanceof z.ZodArray ? bareSchema(bare.element).bare : bare;
  const description = descriptionOf(schema);
  const item = bare instanceof z.ZodArray ? descriptionOf(bare.element) : description;
  return {
    key: name,
    path: [name],
    label: description?.label.en ?? name,
    help: description?.help?.en,
    example: typeof item?.example === 'string' ? item.example : undefined,
    type: fieldType(value, item?.multiline === true),
    list,
    required: !optional,
    nullable,
    choices: choicesOf(value, item),
    reference: referenceOfField(bare instanceof z.ZodArray ? bare.element : schema),
    dependsOn: item?.dependsOn,
    group: undefined,
    ...(item?.nameOf ? { nameOf: item.nameOf } : {}),
    ...(description?.keysOf
      ? { keysOf: description.keysOf, section: { key: name, label: description.label.en } }
      : {}),
    ...(description?.notBeside ? { notBeside: description.notBeside } : {}),
    ...(value instanceof z.ZodObject ? { children: childFields(name, value) } : {}),
  };
}

/** Zapier wants the key of a line's field to be unique in the whole form, so it begins with the list's. */
const childFields = (list: string, line: z.ZodObject): FormField[] =>
  formFields(line).map((child) => ({ ...child, key: `${list}__${child.key}` }));

export function fieldType(schema: z.core.$ZodType, multiline: boolean): FieldType {
  if (schema instanceof z.ZodNumber) return schema.isInt ? 'integer' : 'number';
  if (schema instanceof z.ZodBoolean) return 'boolean';
  if (schema instanceof z.ZodISODate) return 'date';
  if (schema instanceof z.ZodISODateTime) return 'datetime';
  return multiline ? 'text' : 'string';
}

function choicesOf(
  schema: z.core.$ZodType,
  description: FieldDescription | undefined,
): Record<string, string> | undefined {
  const chosen = schema instanceof z.ZodPipe ? schema.out : schema;
  if (!(chosen instanceof z.ZodEnum)) return undefined;
  const { choices: labels, codesOf } = description ?? {};
  const values = chosen.options.map(String);
  if (labels) return Object.fromEntries(values.map((value) => [value, labels[value]?.en ?? value]));
  return codesOf && choicesByName(codesOf, values);
}

const inEnglish = new Intl.Collator('en');

/** The contract lists the codes of countries and currencies only; their English names are part of every Node. */
function choicesByName(type: 'region' | 'currency', codes: readonly string[]): Record<string, string> {
  const names = new Intl.DisplayNames(['en'], { type });
  const named = codes.map((code): [string, string] => [code, `${names.of(code) ?? code} (${code})`]);
  return Object.fromEntries(named.sort(([, one], [, other]) => inEnglish.compare(one, other)));
}
