import { ParameterProblem } from '../failure.ts';
import { type ApiFields, isRecord, type JsonRecord } from '../record.ts';
import type { Field } from '../tables.ts';
import { toDate, toDateTime } from './date-time.ts';
import { idOf, kindOf } from './locator.ts';

/** Where a value goes decides what an empty one means. */
export interface Purpose {
  /** On update an empty value clears a field that can be empty; elsewhere it is left out. */
  readonly clears: boolean;
  /** The workflow's time zone, for dates without one. */
  readonly timeZone: string;
}

/**
 * What the API takes for a parameter's value; undefined when the field is left out.
 *
 * @throws {ParameterProblem} with the field's label when the value cannot be meant
 */
export function toApiValue(field: Field, value: unknown, purpose: Purpose): unknown {
  if (value === undefined) {
    throw new ParameterProblem(
      `${field.label}: the expression gives nothing`,
      'The input item has no such field. Check the name in the expression, or remove the field from the node.',
    );
  }
  const empty =
    value === null || value === '' || (field.kind === 'reference' && idOf(value, field.label) === undefined);
  if (empty) return purpose.clears && field.nullable ? null : undefined;
  return converters[field.kind](field, value, purpose);
}

type Converter = (field: Field, value: unknown, purpose: Purpose) => unknown;

const converters: Readonly<Record<Field['kind'], Converter>> = {
  text: (field, value) => toText(field, value),
  number: (field, value) => {
    // A blank text would be 0.
    const number = typeof value === 'string' ? Number(value.trim() || Number.NaN) : value;
    if (typeof number !== 'number' || !Number.isFinite(number)) throw unfit(field, value, 'a number');
    return number;
  },
  boolean: (field, value) => {
    if (typeof value === 'boolean') return value;
    // Spreadsheets write it large.
    const text = typeof value === 'string' ? value.trim().toLowerCase() : value;
    if (text === 'true' || text === 'false') return text === 'true';
    throw unfit(field, value, 'true or false');
  },
  date: (field, value, { timeZone }) => {
    const date = toDate(value, timeZone);
    if (date === undefined) throw unfit(field, value, 'a date such as 2026-10-01');
    return date;
  },
  dateTime: (field, value, { timeZone }) => {
    const moment = toDateTime(value, timeZone);
    if (moment === undefined) throw unfit(field, value, 'a date and time such as 2026-10-01T15:00:00+02:00');
    return moment;
  },
  reference: (field, value) => idOf(value, field.label),
  references: (field, value) => listOf(value).map((each) => toText(field, each)),
  texts: (field, value) => listOf(value).map((each) => toText(field, each)),
  names: (field, value) => listOf(value).map((each) => toText(field, each)),
  entries: (field, value) => toEntries(field, value),
  object: (field, value, purpose) => {
    const group = groupOf(field, value);
    if (group === undefined) return field.sentEmpty ? {} : undefined;
    return toObject(field, group, purpose);
  },
  objects: (field, value, purpose) => {
    const groups = groupOf(field, value);
    if (groups === undefined) return undefined;
    if (!Array.isArray(groups)) throw unfit(field, value, 'a list');
    return groups.map((each) => toObject(field, each, purpose));
  },
};

function toText(field: Field, value: unknown): string {
  if (typeof value === 'string') return value;
  // Spreadsheets give phone numbers and postal codes as numbers.
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  throw unfit(field, value, 'a text');
}

/** Values by the names that are chosen beside them; an expression may give such an object itself. */
function toEntries(field: Field, value: unknown): ApiFields {
  const groups = groupOf(field, value);
  if (groups === undefined && isRecord(value)) return value;
  if (!Array.isArray(groups)) throw unfit(field, value, 'an object');
  const entries = groups.filter(isRecord).map(({ name, value: each }) => [idOf(name, field.label), each]);
  return Object.fromEntries(
    entries
      .filter(([name]) => name !== undefined)
      .map(([name, each]) => [name, toText({ ...field, label: `${field.label} → ${name}` }, each)]),
  );
}

/** A list as it is; a text as its comma-separated parts, as people write lists into expressions. */
function listOf(value: unknown): unknown[] {
  if (Array.isArray(value)) return value;
  if (typeof value !== 'string') return [value];
  return value
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

/** n8n wraps a fixed collection's values in the name of their group; expressions may leave the wrapping out. */
function groupOf(field: Field, value: unknown): unknown {
  if (!isRecord(value)) return value;
  return Object.keys(value).length === 0
    ? undefined
    : (value[groupName] ?? (field.kind === 'object' ? value : undefined));
}

/** The name of the only group of every fixed collection. */
export const groupName = 'values';

/** Inside a group: the fields that are sent only when somebody adds them. */
const nestedCollection = 'additionalFields';

function toObject(field: Field, value: unknown, purpose: Purpose): ApiFields {
  if (!isRecord(value)) throw unfit(field, value, 'an object');
  // A nested object is sent whole, so an empty part of it is left out, never cleared.
  const { [nestedCollection]: nested, ...plain } = value;
  const values = isRecord(nested) ? { ...plain, ...nested } : plain;
  return toApiFields(field.fields ?? [], values, { ...purpose, clears: false }, `${field.label} → `);
}

/** The API's fields of those parameters that are present. Labels in messages start with `prefix`. */
export function toApiFields(
  fields: readonly Field[],
  values: JsonRecord,
  purpose: Purpose,
  prefix = '',
): ApiFields {
  const result: Record<string, unknown> = {};
  for (const field of fields) {
    if (!Object.hasOwn(values, field.parameter)) continue;
    const named = prefix === '' ? field : { ...field, label: prefix + field.label };
    const value = toApiValue(named, values[field.parameter], purpose);
    if (value !== undefined) result[field.name] = value;
  }
  return result;
}

function unfit(field: Field, value: unknown, wanted: string): ParameterProblem {
  const shown = typeof value === 'string' ? `"${value}"` : kindOf(value);
  return new ParameterProblem(
    `${field.label}: ${wanted} is wanted, but the value is ${shown}`,
    'Correct the value, or the expression that gives it.',
  );
}
