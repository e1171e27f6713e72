import { Problem } from '@dealkeep/core';
import type { ConsoleContext } from '../context.ts';
import { receivedForm } from '../received-form.ts';

/** What a person typed into a form: the fields by their paths, `items[0].unit_price`. */
export type Typed = ReadonlyMap<string, readonly string[]>;

/** The fields of the form that was sent. */
export async function readTyped(c: ConsoleContext): Promise<Typed> {
  const typed = new Map<string, string[]>();
  for (const [name, value] of await receivedForm(c)) {
    if (Number(/\[(\d+)\]/.exec(name)?.[1] ?? 0) >= mostRows) {
      throw new Problem('form.too_many_rows', { max: mostRows });
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
  const indices = [...typed.keys()]
    .filter((key) => key.startsWith(start))
    .map((key) => Number.parseInt(key.slice(start.length), 10));
  return Math.max(-1, ...indices.filter((index) => index >= 0 && index < mostRows)) + 1;
}

/** More would take too long to show; whoever has them sends them by the API. */
const mostRows = 200;

/** The form with only some rows of an array, numbered anew. */
export function keepRows(typed: Typed, name: string, keeps: (row: number) => boolean): Typed {
  const numbers = new Map<number, number>();
  for (let row = 0; row < rowsIn(typed, name); row += 1) if (keeps(row)) numbers.set(row, numbers.size);
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

/** The rows of an array that hold anything. */
export function filledRows(typed: Typed, name: string): ReadonlySet<number> {
  const start = `${name}[`;
  const filled = new Set<number>();
  for (const [key, values] of typed) {
    if (key.startsWith(start) && values.some((value) => value !== ''))
      filled.add(Number.parseInt(key.slice(start.length), 10));
  }
  return filled;
}
