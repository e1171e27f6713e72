import { asciiLowerCase } from '@dealkeep/contract';
import { isApiRecord, valueAt } from '../records/api-record.ts';
import type { FieldType, FormField } from './form-field.ts';
import { isEmpty } from './is-empty.ts';
import { linesIn } from './line-items.ts';
import { readNumber } from './read-number.ts';
import { ofChosenWays } from './ways.ts';

/**
 * What a person filled in, as the API takes it. An empty box is left out, so that an update leaves that field alone.
 * A text that is no number or truth value is passed on as it is: the API's message then names the field.
 */
export function bodyOf(
  fields: readonly FormField[],
  input: Record<string, unknown>,
): Record<string, unknown> {
  const required = fields.flatMap(({ group }) => (group?.required ? [group.key] : []));
  const body: Record<string, unknown> = Object.fromEntries(required.map((key) => [key, {}]));
  for (const field of ofChosenWays(fields, input)) {
    const value = valueIn(field, input);
    if (value !== undefined) place(body, field.path, value);
  }
  for (const { jsonAt } of fields) {
    const parts = jsonAt && valueAt(body, jsonAt);
    if (jsonAt && isApiRecord(parts)) place(body, jsonAt, JSON.stringify(parts));
  }
  return body;
}

function valueIn(field: FormField, input: Record<string, unknown>): unknown {
  if (field.children) return linesOf(input, field, field.children);
  if (field.keysOf) return dictionaryIn(input[field.key]);
  if (field.list) return listOf(input[field.key], field);
  const given = oneOf(input[field.key], field);
  const value = plainValue(given, field.type);
  if (!field.asText) return value;
  if (typeof value === 'number') return digitsOf(given) ?? String(value);
  return typeof value === 'boolean' ? String(value) : value;
}

/** Values by free names; nothing where there are none, so that a search by them is none either. */
const dictionaryIn = (value: unknown): unknown =>
  isApiRecord(value) && Object.keys(value).length > 0 ? value : undefined;

/** A number that is sent as text keeps its digits: `450,20` is `450.20`. */
function digitsOf(given: unknown): string | undefined {
  const reading = typeof given === 'string' ? readNumber(given) : undefined;
  return reading?.is === 'number' ? reading.digits : undefined;
}

/** Puts a value where it stands in a body, beside what stands there already. */
export function place(body: Record<string, unknown>, path: readonly string[], value: unknown): void {
  const [name, ...rest] = path;
  if (name === undefined) return;
  if (rest.length === 0) {
    put(body, name, value);
    return;
  }
  const existing = Object.hasOwn(body, name) ? body[name] : undefined;
  const inner = isApiRecord(existing) ? { ...existing } : {};
  place(inner, rest, value);
  put(body, name, inner);
}

/** A custom field can be called `__proto__`, which an assignment would take for something else. */
function put(body: Record<string, unknown>, name: string, value: unknown): void {
  Object.defineProperty(body, name, { value, enumerable: true, configurable: true, writable: true });
}

function linesOf(
  input: Record<string, unknown>,
  field: FormField,
  children: readonly FormField[],
): unknown[] | undefined {
  const filled = linesIn(field, children, input)
    .lines.map((line) => bodyOf(children, line))
    .filter((line) => Object.keys(line).length > 0);
  return filled.length > 0 ? filled : undefined;
}

function listOf(value: unknown, field: FormField): unknown[] | undefined {
  // Ids hold no commas; several arrive as one text from other apps. A tag can hold one, so of tags only a text is
  // parted: what comes from a list is each a tag.
  const isParted = field.reference !== undefined || (field.nameOf !== undefined && !Array.isArray(value));
  const items = (Array.isArray(value) ? value : [value])
    .flatMap((item) => (isParted && typeof item === 'string' ? partsOf(item) : [item]))
    .map((item) => plainValue(item, field.type))
    .filter((item) => item !== undefined);
  return items.length > 0 ? items : undefined;
}

/** What commas part, as people write several names or ids in one text. */
export const partsOf = (text: string): string[] => text.split(',').map((part) => part.trim());

/** Several values for one field: a text holds them all, as Zapier joins them; of anything else only one is meant. */
function oneOf(value: unknown, field: FormField): unknown {
  if (!Array.isArray(value)) return value;
  const items = value.flat(Number.POSITIVE_INFINITY).filter((item) => !isEmpty(item));
  if (items.length <= 1) return items[0];
  return isText(field) && !items.some(isApiRecord) ? items.join(', ') : items;
}

/** True for fields that take any text. */
export const isText = ({ type, reference, choices }: FormField): boolean =>
  (type === 'string' || type === 'text') && reference === undefined && choices === undefined;

export function plainValue(value: unknown, type: FieldType): unknown {
  if (isEmpty(value)) return undefined;
  if (typeof value === 'string') {
    if (type === 'number' || type === 'integer') return numberOf(value);
    if (type === 'boolean') return truthOf(value);
    if (type === 'date') return dateOf(value);
    return value;
  }
  if (type === 'boolean' && (value === 0 || value === 1)) return value === 1;
  // Numbers mapped into a text field arrive as numbers.
  const isText = type === 'string' || type === 'text';
  return isText && (typeof value === 'number' || typeof value === 'boolean') ? String(value) : value;
}

function numberOf(text: string): unknown {
  const reading = readNumber(text);
  return reading?.is === 'number' ? reading.value : text;
}

const truths = new Map([
  ['true', true],
  ['yes', true],
  ['on', true],
  ['1', true],
  ['false', false],
  ['no', false],
  ['off', false],
  ['0', false],
]);

const truthOf = (value: string): unknown => truths.get(asciiLowerCase(value.trim())) ?? value;

/** Zapier gives a moment with the user's offset; the date that the user sees is its first ten characters. */
const dateOf = (value: string): string => (/^\d{4}-\d{2}-\d{2}T/.test(value) ? value.slice(0, 10) : value);
