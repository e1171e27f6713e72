import { type FieldFacts, type Language, limits } from '@dealkeep/contract';
import { Problem } from '@dealkeep/core/foundations';
import { type ConsoleContext, receivedForm, sessionOf } from '../context.ts';

/** How what stands in a form is read, and how a record is put into one. */
export interface Reading {
  /** Of the page: numbers are written in it. */
  readonly language: Language;
  /** Of the organization: local times are read in it. */
  readonly timeZone: string;
  /** Of money in a form that names no currency. */
  readonly currency: string;
}

/** The language of the page, the time zone and the currency of the organization. */
export function readingOf(c: ConsoleContext): Reading {
  const { timeZone, currency } = sessionOf(c).organization;
  return { language: c.get('language'), timeZone, currency };
}

/** What a user typed into a form: the fields by their paths, `items[0].unit_price`. */
export type Typed = ReadonlyMap<string, readonly string[]>;

/** The fields of the form that was sent. */
export async function readTyped(c: ConsoleContext): Promise<Typed> {
  const typed = new Map<string, string[]>();
  for (const [name, value] of await receivedForm(c)) {
    if (Number(/\[(\d+)\]/.exec(name)?.[1] ?? 0) >= limits.formRows) {
      throw new Problem('form.too_many_rows', { max: limits.formRows });
    }
    const values = typed.get(name);
    if (values) values.push(value);
    else typed.set(name, [value]);
  }
  return typed;
}

export const firstOf = (typed: Typed, name: string): string => typed.get(name)?.[0] ?? '';

/** How many rows of an array stand in a form. */
export function rowsIn(typed: Typed, name: string): number {
  const start = `${name}[`;
  let last = -1;
  for (const key of typed.keys()) {
    if (!key.startsWith(start)) continue;
    const index = Number.parseInt(key.slice(start.length), 10);
    if (index < limits.formRows) last = Math.max(last, index);
  }
  return last + 1;
}

/** The form with only some rows of an array, numbered anew. */
export function keepRows(typed: Typed, name: string, keeps: (row: number) => boolean): Typed {
  const numbers = new Map<number, number>();
  const count = rowsIn(typed, name);
  for (let row = 0; row < count; row += 1) if (keeps(row)) numbers.set(row, numbers.size);
  const kept = new Map<string, readonly string[]>();
  for (const [key, values] of typed) {
    if (!key.startsWith(`${name}[`)) {
      kept.set(key, values);
      continue;
    }
    const end = key.indexOf(']');
    const number = numbers.get(Number(key.slice(name.length + 1, end)));
    if (number !== undefined) kept.set(`${name}[${number}${key.slice(end)}`, values);
  }
  return kept;
}

/** The form with two rows of an array in each other's place. */
export function swapRows(typed: Typed, name: string, one: number, other: number): Typed {
  const isRow = (row: number): boolean => row >= 0 && row < rowsIn(typed, name);
  if (!isRow(one) || !isRow(other)) return typed;
  const start = (row: number): string => `${name}[${row}]`;
  const moved = (key: string): string => {
    if (key.startsWith(start(one))) return start(other) + key.slice(start(one).length);
    return key.startsWith(start(other)) ? start(one) + key.slice(start(other).length) : key;
  };
  return new Map([...typed].map(([key, values]) => [moved(key), values]));
}

/** What a new line of an invoice begins with: one of something, and a rate of VAT. */
const isBegun = (key: string, value: string): boolean =>
  key.endsWith('.vat_rate') || (key.endsWith('.quantity') && value === '1');

/** The rows of an array that hold anything; lines that hold only what they began with count where no other does. */
export function filledRows(typed: Typed, name: string): ReadonlySet<number> {
  const start = `${name}[`;
  const filled = new Set<number>();
  const begun = new Set<number>();
  for (const [key, values] of typed) {
    if (!key.startsWith(start)) continue;
    const row = Number.parseInt(key.slice(start.length), 10);
    for (const value of values) if (value !== '') (isBegun(key, value) ? begun : filled).add(row);
  }
  return filled.size > 0 ? filled : begun;
}

/** Where something stands in a form: `items[0].unit_price`; a row has a path of its own, and no field. */
interface FieldPath {
  readonly path: string;
  readonly field: FieldFacts | undefined;
}

/** Every field of a form in its order, those in its rows included. */
export function* fieldPaths(fields: readonly FieldFacts[], typed: Typed, prefix = ''): Generator<FieldPath> {
  for (const field of fields) {
    const path = `${prefix}${field.name}`;
    yield { path, field };
    if (field.type !== 'object') continue;
    if (!field.isArray) yield* fieldPaths(field.fields, typed, `${path}.`);
    const rows = field.isArray ? Math.max(rowsIn(typed, path), field.minItems ?? 0) : 0;
    for (let row = 0; row < rows; row += 1) {
      yield { path: `${path}[${row}]`, field: undefined };
      yield* fieldPaths(field.fields, typed, `${path}[${row}].`);
    }
  }
}
