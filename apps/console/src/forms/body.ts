import type { FieldFacts } from '@dealkeep/contract';
import { localTime, momentOfLocal } from '@dealkeep/core/foundations';
import { isNumberField } from '../values/field-words.ts';
import type { ShownRecord } from '../values/shown-record.ts';
import { firstOf, type Reading, rowsIn, type Typed } from './typed.ts';
import { currencyIn, numberIn, type TextNumberField, typedNumber } from './typed-numbers.ts';

/** The fields of a form as a body. */
export type FormBody = Readonly<Record<string, unknown>>;

interface BodyReading extends Reading {
  /** A field that is left empty clears what is there; else it is not sent. */
  readonly clears?: boolean;
}

/**
 * What was typed as a body of the contract. What cannot be read stays text, so that the contract says what is wrong.
 */
export function bodyOf(
  fields: readonly FieldFacts[],
  typed: Typed,
  reading: BodyReading,
  prefix = '',
): Record<string, unknown> {
  const body: Record<string, unknown> = {};
  for (const field of fields) {
    const value = readValue(field, `${prefix}${field.name}`, typed, reading);
    if (value !== undefined) body[field.name] = value;
  }
  return body;
}

/** The fields whose value differs from what the form showed at first. */
export function changesOf(
  fields: readonly FieldFacts[],
  { shown, typed }: { shown: Typed; typed: Typed },
  ofPage: Reading,
): Record<string, unknown> {
  const reading = { ...ofPage, clears: true };
  const before = bodyOf(fields, shown, reading);
  const after = bodyOf(fields, typed, reading);
  return Object.fromEntries(
    Object.entries(after).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name])),
  );
}

function readValue(field: FieldFacts, name: string, typed: Typed, reading: BodyReading): unknown {
  if (field.isArray) return arrayOf(field, name, typed, reading);
  if (field.type === 'object') {
    const inner = bodyOf(field.fields, typed, { ...reading, clears: false }, `${name}.`);
    if (field.required || Object.keys(inner).length > 0) return inner;
    return reading.clears && field.nullable ? null : undefined;
  }
  const text = firstOf(typed, name).replaceAll('\r\n', '\n');
  if (text.trim() === '') return emptyOf(field, reading);
  return isNumberField(field) ? numberOf(field, text, typed, reading) : scalarOf(field, text, reading);
}

function arrayOf(
  field: FieldFacts,
  name: string,
  typed: Typed,
  reading: BodyReading,
): unknown[] | null | undefined {
  const values = elementsOf(field, name, typed, reading);
  // One that must not be empty is taken out instead.
  if (values.length === 0 && reading.clears && field.nullable && field.minItems) return null;
  return values.length > 0 || field.required || reading.clears ? values : undefined;
}

function elementsOf(field: FieldFacts, name: string, typed: Typed, reading: BodyReading): unknown[] {
  if (field.type === 'object') {
    return Array.from({ length: rowsIn(typed, name) }, (_, row) =>
      bodyOf(field.fields, typed, { ...reading, clears: false }, `${name}[${row}].`),
    );
  }
  const values = typed.get(name) ?? [];
  const texts =
    field.reference || field.values.length > 0 ? values : values.flatMap((value) => value.split('\n'));
  return texts.map((value) => value.trim()).filter((value) => value !== '');
}

/** Free text can be empty; of anything else that cannot be null, the contract says that it is required. */
function emptyOf(
  { type, format, nullable, values, reference }: FieldFacts,
  { clears = false }: BodyReading,
): unknown {
  if (!clears) return undefined;
  const freeText = type === 'string' && !nullable && !format && !reference && values.length === 0;
  return freeText ? '' : null;
}

/** A number that could mean two was asked about before (`receive`), so here it counts as no number. */
function numberOf(
  field: FieldFacts & Partial<TextNumberField>,
  text: string,
  typed: Typed,
  reading: BodyReading,
): unknown {
  const read = numberIn(field, text, { ...reading, currency: currencyIn(typed, reading) });
  if (!read || !('value' in read)) return text;
  return field.heldAsText ? read.value : Number(read.value);
}

function scalarOf({ type, format }: FieldFacts, text: string, { timeZone }: BodyReading): unknown {
  if (type === 'boolean') return text === 'true' ? true : text === 'false' ? false : text;
  if (format === 'date-time') return momentOfLocal(text.trim(), timeZone) ?? text;
  return text;
}

/** The form that shows a record as it is. */
export function typedOf(fields: readonly FieldFacts[], record: ShownRecord, readingOfPage: Reading): Typed {
  const currency = heldBy(record, 'currency');
  const reading = typeof currency === 'string' ? { ...readingOfPage, currency } : readingOfPage;
  const typed = new Map<string, readonly string[]>();
  const fill = (inner: readonly FieldFacts[], value: object, prefix: string): void => {
    for (const field of inner) {
      const name = `${prefix}${field.name}`;
      const held = heldBy(value, field.name);
      if (held === null || held === undefined) continue;
      if (field.type !== 'object') typed.set(name, textsOf(field, held, reading));
      else if (!field.isArray) fill(field.fields, Object(held), `${name}.`);
      else if (Array.isArray(held)) {
        for (const [row, each] of held.entries()) fill(field.fields, Object(each), `${name}[${row}].`);
      }
    }
  };
  fill(fields, record, '');
  return typed;
}

/** The value that a body's field stands for: `owner_id` is the id of `owner`, `street` stands in `address`. */
function heldBy(record: object, name: string): unknown {
  const at = (key: string): unknown => Reflect.get(record, key);
  if (at(name) !== undefined) return at(name);
  const one = /^(.+)_(?:id|uuid)$/.exec(name)?.[1];
  if (one !== undefined) return Reflect.get(Object(at(one)), 'id');
  const many = /^(.+)_ids$/.exec(name)?.[1];
  const all = many === undefined ? undefined : at(`${many}s`);
  if (Array.isArray(all)) return all.map((each) => Reflect.get(Object(each), 'id'));
  return Reflect.get(Object(at('address')), name);
}

function textsOf(field: FieldFacts, value: unknown, reading: Reading): string[] {
  if (Array.isArray(value)) {
    return field.reference || field.values.length > 0 ? value.map(String) : [value.map(String).join('\n')];
  }
  if (isNumberField(field)) return [typedNumber(field, value, reading)];
  return [field.format === 'date-time' ? localTime(String(value), reading.timeZone) : String(value)];
}
