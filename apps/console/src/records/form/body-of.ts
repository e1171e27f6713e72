import type { FieldFacts } from '@dealkeep/contract';
import { momentOfLocal } from './local-time.ts';
import { firstOf, rowsIn, type Typed } from './typed.ts';

interface Reading {
  /** Of the organization: local times are read in it. */
  readonly timeZone: string;
  /** A field that is left empty clears what is there; else it is not sent. */
  readonly clears: boolean;
}

/** What was typed as a body of the contract. What cannot be read stays text, so that the contract says what is wrong. */
export function bodyOf(
  fields: readonly FieldFacts[],
  typed: Typed,
  reading: Reading,
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
  timeZone: string,
): Record<string, unknown> {
  const reading = { timeZone, clears: true };
  const before = bodyOf(fields, shown, reading);
  const after = bodyOf(fields, typed, reading);
  return Object.fromEntries(
    Object.entries(after).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name])),
  );
}

function readValue(field: FieldFacts, name: string, typed: Typed, reading: Reading): unknown {
  if (field.isArray) return arrayOf(field, name, typed, reading);
  if (field.type === 'object') {
    const inner = bodyOf(field.fields, typed, { ...reading, clears: false }, `${name}.`);
    return field.required || Object.keys(inner).length > 0 ? inner : undefined;
  }
  const text = firstOf(typed, name).replaceAll('\r\n', '\n');
  return text.trim() === '' ? emptyOf(field, reading) : scalarOf(field, text, reading);
}

function arrayOf(field: FieldFacts, name: string, typed: Typed, reading: Reading): unknown[] | undefined {
  const values = elementsOf(field, name, typed, reading);
  return values.length > 0 || field.required || reading.clears ? values : undefined;
}

function elementsOf(field: FieldFacts, name: string, typed: Typed, reading: Reading): unknown[] {
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
function emptyOf({ type, format, nullable, values, reference }: FieldFacts, { clears }: Reading): unknown {
  if (!clears) return undefined;
  const freeText = type === 'string' && !nullable && !format && !reference && values.length === 0;
  return freeText ? '' : null;
}

function scalarOf({ type, format }: FieldFacts, text: string, { timeZone }: Reading): unknown {
  if (type === 'number' || type === 'integer') {
    const digits = text.replaceAll(/[\s\u00a0\u202f]/g, '').replace(',', '.');
    return /^-?\d{1,15}(\.\d+)?$/.test(digits) ? Number(digits) : text;
  }
  if (type === 'boolean') return text === 'true' ? true : text === 'false' ? false : text;
  if (format === 'date-time') return momentOfLocal(text.trim(), timeZone) ?? text;
  return text;
}
