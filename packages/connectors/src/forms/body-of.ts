import { asciiLowerCase } from '@dealkeep/contract';
import { type ApiRecord, isApiRecord, valueAt } from '../records/api-record.ts';
import type { FieldType, FormField } from './form-field.ts';
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
  if (field.keysOf) return isApiRecord(input[field.key]) ? input[field.key] : undefined;
  if (field.list) return listOf(input[field.key], field);
  const value = plainValue(oneOf(input[field.key], field), field.type);
  const isPlain = typeof value === 'number' || typeof value === 'boolean';
  return field.asText && isPlain ? String(value) : value;
}

/** Puts a value where it stands in a body, beside what stands there already. */
export function place(body: Record<string, unknown>, path: readonly string[], value: unknown): void {
  const [name, ...rest] = path;
  if (name === undefined) return;
  if (rest.length === 0) {
    body[name] = value;
    return;
  }
  const existing = body[name];
  const inner = isApiRecord(existing) ? { ...existing } : {};
  place(inner, rest, value);
  body[name] = inner;
}

/**
 * The lines of an invoice or order. Zapier hands them over as a list; where nothing of an earlier step's lines is
 * mapped, also as plain values of each column, of which a list makes as many lines.
 */
function linesOf(
  input: Record<string, unknown>,
  { key }: FormField,
  children: readonly FormField[],
): unknown[] | undefined {
  const given = input[key];
  const lines =
    given === undefined || given === null || given === '' ? columnsOf(input, children) : [given].flat();
  const filled = lines
    .filter(isApiRecord)
    .map((line) => bodyOf(children, line))
    .filter((line) => Object.keys(line).length > 0);
  return filled.length > 0 ? filled : undefined;
}

function columnsOf(input: Record<string, unknown>, children: readonly FormField[]): ApiRecord[] {
  const columns = children.filter(({ key }) => key in input).map(({ key }) => ({ key, value: input[key] }));
  const count = Math.max(1, ...columns.map(({ value }) => (Array.isArray(value) ? value.length : 1)));
  return Array.from({ length: columns.length > 0 ? count : 0 }, (_, index) =>
    Object.fromEntries(columns.map(({ key, value }) => [key, Array.isArray(value) ? value[index] : value])),
  );
}

function listOf(value: unknown, field: FormField): unknown[] | undefined {
  // Ids hold no commas, and of tags a comma parts one from the next: several arrive as one text from other apps.
  const split = (item: unknown) =>
    (field.reference || field.nameOf) && typeof item === 'string'
      ? item.split(',').map((part) => part.trim())
      : [item];
  const items = (Array.isArray(value) ? value : [value])
    .flatMap(split)
    .map((item) => plainValue(item, field.type))
    .filter((item) => item !== undefined);
  return items.length > 0 ? items : undefined;
}

/** Several values for one field: a text holds them all, as Zapier joins them; of anything else only one is meant. */
function oneOf(value: unknown, field: FormField): unknown {
  if (!Array.isArray(value)) return value;
  const items = value.flat(Number.POSITIVE_INFINITY).filter((item) => !isEmpty(item));
  if (items.length <= 1) return items[0];
  return isText(field) && !items.some(isApiRecord) ? items.join(', ') : items;
}

export const isEmpty = (value: unknown): boolean => value === undefined || value === null || value === '';

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
  // Numbers mapped into a text field arrive as numbers.
  const isText = type === 'string' || type === 'text';
  return isText && (typeof value === 'number' || typeof value === 'boolean') ? String(value) : value;
}

/** `1 250,50` is how many of our users write it; a comma that could as well part thousands is left to the API. */
function numberOf(value: string): unknown {
  const plain = value.replaceAll(/\s/g, '').replace(/^(-?\d+),(\d{1,2})$/, '$1.$2');
  const number = Number(plain);
  return plain !== '' && Number.isFinite(number) ? number : value;
}

const truths = new Map([
  ['true', true],
  ['yes', true],
  ['1', true],
  ['false', false],
  ['no', false],
  ['0', false],
]);

const truthOf = (value: string): unknown => truths.get(asciiLowerCase(value.trim())) ?? value;

/** Zapier gives a moment with the user's offset; the date that the user sees is its first ten characters. */
const dateOf = (value: string): string => (/^\d{4}-\d{2}-\d{2}T/.test(value) ? value.slice(0, 10) : value);
