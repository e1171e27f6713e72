import type { FieldFacts } from '@dealkeep/contract';
import { isNumberField } from '../values/field-words.ts';
import { momentOfLocal } from './local-time.ts';
import type { Reading } from './reading.ts';
import { firstOf, rowsIn, type Typed } from './typed.ts';
import { currencyIn, numberIn, type TextNumberField } from './typed-numbers.ts';

/** The fields of a form as a body. */
export type FormBody = Readonly<Record<string, unknown>>;

interface BodyReading extends Reading {
  /** A field that is left empty clears what is there; else it is not sent. */
  readonly clears?: boolean;
}

/** What was typed as a body of the contract. What cannot be read stays text, so that the contract says what is wrong. */
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

/** Only the fields whose value differs from what the form showed at first. */
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
    return field.required || Object.keys(inner).length > 0 ? inner : undefined;
  }
  const text = firstOf(typed, name).replaceAll('\r\n', '\n');
  if (text.trim() === '') return emptyOf(field, reading);
  return isNumberField(field) ? numberOf(field, text, typed, reading) : scalarOf(field, text, reading);
}

function arrayOf(field: FieldFacts, name: string, typed: Typed, reading: BodyReading): unknown[] | undefined {
  const values = elementsOf(field, name, typed, reading);
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
