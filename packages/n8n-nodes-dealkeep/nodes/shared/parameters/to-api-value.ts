import { ParameterProblem } from '../failure.ts';
import { type ApiFields, isRecord, type JsonRecord } from '../record.ts';
import type { Field } from '../tables.ts';
import { dateAdvice, toDate, toDateTime } from './date-time.ts';
import { byApiName, type ChosenFilter, chosenIn } from './event-filters.ts';
import { idOf, isLocator, kindOf } from './locator.ts';
import { toBoolean, toNumber } from './plain-values.ts';

/** What a value that says nothing does, which depends on where it goes and on who gives it. */
export interface Purpose {
  /**
   * What an empty value does that somebody wrote: an empty text, null, a locator in which nothing is chosen. On
   * update it clears a field that can be empty; what is created leaves it out; a filter refuses it, as every record
   * would be found.
   */
  readonly empty: 'clear' | 'leave' | 'refuse';
  /**
   * What is not there at all, as a misspelt expression gives it, stops the item. An agent leaves out what it does
   * not know, so that as its tool the node leaves the field alone.
   */
  readonly absent: 'refuse' | 'leave';
  /** The workflow's time zone, for dates without one. */
  readonly timeZone: string;
}

/**
 * What the API takes for a parameter's value; undefined when the field is left out.
 *
 * @throws {ParameterProblem} with the field's label when the value is not there, or cannot be meant
 */
export function toApiValue(field: Field, value: unknown, purpose: Purpose): unknown {
  if (isAbsent(value)) {
    if (purpose.absent === 'leave') return undefined;
    throw givesNothing(field.label);
  }
  if (isEmpty(field, value, purpose)) return nothing(field, purpose);
  const converted = converters[field.kind](field, value, purpose);
  const isList = Array.isArray(converted) && converted.length === 0;
  return isList && saysNothing(purpose) ? nothing(field, purpose) : converted;
}

/** Not there: by itself, in a resource locator, or in the group of a fixed collection. */
const isAbsent = (value: unknown): boolean =>
  value === undefined ||
  (isLocator(value) && value['value'] === undefined) ||
  (isRecord(value) && Object.hasOwn(value, groupName) && value[groupName] === undefined);

const isEmpty = (field: Field, value: unknown, purpose: Purpose): boolean =>
  value === null ||
  value === '' ||
  (typeof value === 'string' && value.trim() === '' && saysNothing(purpose)) ||
  (field.kind === 'reference' && idOf(value, field.label) === undefined);

/** Whether blanks and empty lists count as empty, too: to agents and in filters. */
const saysNothing = ({ empty, absent }: Purpose): boolean => empty === 'refuse' || absent === 'leave';

function nothing(field: Field, { empty }: Purpose): null | undefined {
  if (empty === 'refuse') {
    throw new ParameterProblem(
      `Filters → ${field.label}: nothing to look for`,
      'The value of this filter is empty, and without it the node would return every record. Remove the filter, or let its expression give a value. If the value may be missing, check it before this node, e.g. with an If node.',
    );
  }
  return empty === 'clear' && field.nullable ? null : undefined;
}

/** The refusal of a value that is not there. */
export const givesNothing = (label: string): ParameterProblem =>
  new ParameterProblem(
    `${label}: the expression gives nothing`,
    'The input item has no such field. Check the name in the expression, or remove the field from the node.',
  );

type Converter = (field: Field, value: unknown, purpose: Purpose) => unknown;

const converters: Readonly<Record<Field['kind'], Converter>> = {
  text: (field, value) => toText(field, value),
  number: (field, value) => {
    const number = typeof value === 'string' ? toNumber(value) : value;
    if (number === 'ambiguous') {
      throw unfit(field, value, 'a number', 'The comma can part thousands or decimals. Write 1234 or 1.234.');
    }
    if (typeof number !== 'number' || !Number.isFinite(number)) throw unfit(field, value, 'a number');
    return number;
  },
  boolean: (field, value) => {
    const answer = toBoolean(value);
    if (answer === undefined) throw unfit(field, value, 'true or false');
    return answer;
  },
  date: (field, value, { timeZone }) => {
    const date = toDate(value, timeZone);
    if (date === undefined) throw unfit(field, value, 'a date such as 2026-10-01', dateAdvice(value));
    return date;
  },
  dateTime: (field, value, { timeZone }) => {
    const moment = toDateTime(value, timeZone);
    if (moment === undefined) {
      throw unfit(field, value, 'a date and time such as 2026-10-01T15:00:00+02:00', dateAdvice(value));
    }
    return moment;
  },
  reference: (field, value) => idOf(value, field.label),
  references: (field, value, purpose) => textsOf(field, listOf(value), purpose),
  texts: (field, value, purpose) => textsOf(field, listOf(value), purpose),
  // A text can be one name with a comma in it, or several names: the names that exist decide.
  names: (field, value, purpose) =>
    typeof value === 'string' && parts(value).length > 0
      ? value.trim()
      : textsOf(field, listOf(value), purpose),
  entries: (field, value, purpose) => toEntries(field, value, purpose),
  eventFilters: (field, value, purpose) => {
    const chosen = eventFilters(field, value, purpose);
    return chosen.length === 0 ? undefined : byApiName(chosen);
  },
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

/** The texts of a list. One that is not there stops the item; an agent's says nothing, as an empty one does. */
function textsOf(field: Field, values: readonly unknown[], { absent }: Purpose): string[] {
  const given = absent === 'leave' ? values.filter((each) => (each ?? '') !== '') : values;
  if (given.includes(undefined)) throw givesNothing(field.label);
  return given.map((each) => toText(field, each));
}

/** Values by the names that are chosen beside them; an expression may give such an object itself. */
function toEntries(field: Field, value: unknown, purpose: Purpose): ApiFields | undefined {
  const groups = groupOf(field, value);
  if (groups !== undefined && !Array.isArray(groups)) throw unfit(field, value, 'an object');
  const pairs: [unknown, unknown][] =
    groups === undefined
      ? Object.entries(Object(value))
      : groups.filter(isRecord).map(({ name, value: each }) => [name, each]);
  const entries = pairs.flatMap(([chosen, each]): [string, unknown][] => {
    const name = toApiValue(part(field, 'reference', 'Field'), chosen, purpose);
    if (typeof name !== 'string') return [];
    const text = toApiValue(part(field, 'text', name), each, purpose);
    return text === undefined ? [] : [[name, text]];
  });
  return entries.length === 0 ? (nothing(field, purpose) ?? undefined) : Object.fromEntries(entries);
}

/**
 * The filters of events in which something is chosen. One that is added without a value stops the item: every event
 * would come. An agent leaves out what it does not know.
 */
export function eventFilters(field: Field, value: unknown, purpose: Purpose): ChosenFilter[] {
  if (!isRecord(value)) throw unfit(field, value, 'an object');
  return chosenIn(value, (each, label) => {
    const named = part(field, 'texts', label);
    const values = toApiValue(named, each, { ...purpose, empty: 'leave' }) ?? [];
    if (!Array.isArray(values) || (values.length === 0 && purpose.absent === 'refuse')) {
      throw new ParameterProblem(
        `${named.label}: nothing is chosen`,
        'Choose from the list, or remove the filter.',
      );
    }
    return values.map(String);
  });
}

const part = ({ name, parameter, label }: Field, kind: Field['kind'], own: string): Field => ({
  name,
  parameter,
  label: `${label} → ${own}`,
  kind,
});

/** A list as it is; a text as its comma-separated parts, as people write lists into expressions. */
const listOf = (value: unknown): unknown[] =>
  Array.isArray(value) ? value : typeof value === 'string' ? parts(value) : [value];

/** The parts of a text that commas separate. */
export const parts = (text: string): string[] =>
  text
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '');

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
  if (Object.hasOwn(value, nestedCollection) && value[nestedCollection] === undefined) {
    throw givesNothing(`${field.label} → Additional Fields`);
  }
  // A nested object is sent whole, so an empty part of it is left out, never cleared.
  const { [nestedCollection]: nested, ...plain } = value;
  const values = isRecord(nested) ? { ...plain, ...nested } : plain;
  return toApiFields(field.fields ?? [], values, { ...purpose, empty: 'leave' }, `${field.label} → `);
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

function unfit(field: Field, value: unknown, wanted: string, advice?: string): ParameterProblem {
  const shown = typeof value === 'string' ? `"${value}"` : kindOf(value);
  return new ParameterProblem(
    `${field.label}: ${wanted} is wanted, but the value is ${shown}`,
    advice ?? 'Correct the value, or the expression that gives it.',
  );
}
