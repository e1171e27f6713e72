import type * as z from 'zod';
import { type FieldFacts, fieldsOf } from './field-facts.ts';
import { type Text, text } from './text.ts';

/** One value of a record, in a table that has a record in each row. */
export interface RecordColumn {
  /** What programs call it: `name`, `owner_name`, `owner_id`, `address_street`. */
  readonly name: string;
  readonly label: Text;
  /** What the contract says of the value. */
  readonly field: FieldFacts;
  /** Null where the record has none; several are one text. */
  valueOf(record: object): string | number | boolean | null;
}

/**
 * A record as columns, in the order of its fields: what is inside of an object has columns of its own, names before
 * ids; several of a kind stand in one column, apart by commas; the record's own id and its address come last. Lists
 * of objects that are records of their own, or items, have no columns: see {@link itemFieldsOf}.
 *
 * @param own fields that the organization decides on, by the field of the contract that holds them
 */
export function recordColumns(
  schema: z.ZodType,
  own: Readonly<Record<string, readonly FieldFacts[]>> = {},
): readonly RecordColumn[] {
  const columns = fieldsOf(schema).flatMap((field) => columnsOf(field, [], own[field.name]));
  return [...columns.filter(({ name }) => !isLast(name)), ...columns.filter(({ name }) => isLast(name))];
}

/** The fields that hold a list of objects: items of an invoice, stages of a pipeline. */
export const itemFieldsOf = (schema: z.ZodType): readonly FieldFacts[] =>
  fieldsOf(schema).filter((field) => isItems(field));

const isLast = (name: string): boolean => ['id', 'uuid', 'app_url'].includes(name);

const hasField = ({ fields }: FieldFacts, wanted: string): boolean =>
  fields.some(({ name }) => name === wanted);

/** Objects that are more than the name of a record. */
const isItems = (field: FieldFacts): boolean =>
  field.isArray && field.resource === undefined && field.fields.length > 0 && !isNamed(field);

/** A reference to a record: its id and its name, and nothing else. */
const isNamed = (field: FieldFacts): boolean =>
  field.fields.length === 2 && hasField(field, 'id') && hasField(field, 'name');

function columnsOf(
  field: FieldFacts,
  inside: readonly string[],
  own: readonly FieldFacts[] | undefined,
): RecordColumn[] {
  const path = [...inside, field.name];
  // Of a creation alone.
  if (field.resource !== undefined || isItems(field) || field.name === 'deduplicated') return [];
  if (own) return own.map((each) => column(each, [...path, each.name], labelOf(each)));
  if (field.isArray && field.fields.length > 0) {
    return [severalOf(field, path, 'name'), severalOf(field, path, 'id')];
  }
  if (field.fields.length === 0) return [column(field, path, labelOf(field))];
  const inner = [
    ...field.fields.filter(({ name }) => name !== 'id'),
    ...field.fields.filter(({ name }) => name === 'id'),
  ];
  return inner.flatMap((each) => {
    const columns = columnsOf(each, path, undefined);
    // The name of a record is called as the record is.
    const isName = each.name === 'name' && hasField(field, 'id');
    return isName ? columns.map((named) => ({ ...named, label: labelOf(field) })) : columns;
  });
}

const labelOf = ({ description, name }: FieldFacts): Text => description?.label ?? text(name, name);

const column = (field: FieldFacts, path: readonly string[], label: Text): RecordColumn => ({
  name: path.join('_'),
  label,
  field,
  valueOf: (record) => cellOf(valueAt(record, path)),
});

/** What all of several references have, as one text. */
function severalOf(field: FieldFacts, path: readonly string[], part: 'id' | 'name'): RecordColumn {
  const label = labelOf(field);
  return {
    name: `${path.join('_')}_${part}s`,
    label: part === 'name' ? label : text(`${label.en} – IDs`, `${label.sk} – ID`),
    field,
    valueOf: (record) => cellOf(listAt(record, path).map((each) => Reflect.get(Object(each), part))),
  };
}

function valueAt(record: object, path: readonly string[]): unknown {
  let value: unknown = record;
  for (const name of path) value = Reflect.get(Object(value), name);
  return value;
}

function listAt(record: object, path: readonly string[]): readonly unknown[] {
  const value = valueAt(record, path);
  return Array.isArray(value) ? value : [];
}

function cellOf(value: unknown): string | number | boolean | null {
  if (value === null || value === undefined) return null;
  if (Array.isArray(value)) return value.length === 0 ? null : value.map((each) => each ?? '').join(', ');
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
  return JSON.stringify(value);
}
