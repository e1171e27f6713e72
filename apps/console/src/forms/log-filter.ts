import { html } from 'hono/html';
import type { ConsoleContext } from '../context.ts';
import { field, type Markup, option } from '../markup.ts';
import { firstOf, type Typed } from './typed.ts';

/** In the address of a log, but nothing that is asked of it: what was just done, and the language. */
export const notAsked: readonly string[] = ['language', 'done', 'count', 'refused'];

/** The address of a log with what is asked now, some of it changed; null takes it away. */
export function askedAddress(
  c: ConsoleContext,
  path: string,
  changes: Readonly<Record<string, string | null>> = {},
): string {
  const query = new URL(c.req.url).searchParams;
  for (const name of notAsked) query.delete(name);
  for (const [name, value] of Object.entries(changes)) {
    if (value === null) query.delete(name);
    else query.set(name, value);
  }
  for (const [name, value] of [...query]) if (value === '') query.delete(name);
  return query.size > 0 ? `${path}?${query}` : path;
}

interface FilterChoice {
  readonly name: string;
  readonly label: string;
  /** What it says while nothing is chosen. */
  readonly none: string;
  readonly values: readonly (readonly [value: string, shown: string])[];
  /** What is said of a chosen value that is none of them: it was removed, and still has its log. */
  readonly removed?: string;
}

/** A choice that a log is filtered by, at once where scripts run. */
export function filterChoice(typed: Typed, { name, label, none, values, removed }: FilterChoice): Markup {
  const chosen = firstOf(typed, name);
  const isRemoved = chosen !== '' && removed !== undefined && values.every(([value]) => value !== chosen);
  const all = isRemoved ? [...values, [chosen, removed] as const] : values;
  const options = all.map(([value, shown]) => option(value, shown, value === chosen));
  const control = html`<select id="filter-${name}" name="${name}" data-submit>${option('', none)}${options}</select>`;
  return field(html`<label for="filter-${name}">${label}</label>`, control);
}

/** Says that the log shows a part that only a link asks for; it leads to the log without. */
export const partChip = (address: string, said: string): Markup =>
  html`<a class="badge" href="${address}">${said} <span aria-hidden="true">×</span></a>`;
