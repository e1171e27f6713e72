import { type FieldFacts, fieldsOf, type Text } from '@dealkeep/contract';
import { html } from 'hono/html';
import type { ConsoleContext } from '../context.ts';
import type { Column, Markup } from '../markup.ts';
import { fieldLabel, isNumberField } from '../values/field-words.ts';
import type { QueryPairs, ShownRecord } from '../values/shown-record.ts';
import type { RecordKind } from './record-kind.ts';
import { recordSay, type recordTexts } from './texts.ts';

/** How a list is sorted that does not say it. */
const byDefault = '-created_at';

/** The order of a list. */
export interface Sorted {
  /** As the address says it: a field, with `-` before it from the last to the first. */
  readonly now: string;
  /** The address of the list in another order. */
  readonly leads: (sort: string) => string;
}

/** The order that a list has, and the way to others, from the first page on. */
export function sortedBy(pairs: QueryPairs, addressOf: (pairs: QueryPairs) => string): Sorted {
  const others = pairs.filter(([parameter]) => parameter !== 'sort');
  return {
    now: pairs.find(([parameter]) => parameter === 'sort')?.[1] ?? byDefault,
    leads: (sort) => addressOf([...others, ['sort', sort]]),
  };
}

const sortsOf = (kind: RecordKind): readonly string[] =>
  fieldsOf(kind.query).find(({ name }) => name === 'sort')?.values ?? [];

/** The heading of a column that the list can be sorted by is a link that turns the order around. */
export function sortHeading(
  kind: RecordKind,
  { label, name }: { label: string; name: string },
  { now, leads }: Sorted,
): Pick<Column<ShownRecord>, 'heading' | 'sorted'> {
  if (!sortsOf(kind).includes(name)) return {};
  const [up, down] = [now === name, now === `-${name}`];
  return {
    heading: html`<a href="${leads(up ? `-${name}` : name)}">${label}${up ? ' ↑' : down ? ' ↓' : ''}</a>`,
    sorted: up ? 'ascending' : down ? 'descending' : undefined,
  };
}

/**
 * All orders of a list in a menu, for windows that have no room for headings: what its columns can be sorted by, and
 * when records were made, which is what it begins with.
 */
export function sortMenu(c: ConsoleContext, kind: RecordKind, { now, leads }: Sorted): Markup {
  const [language, text] = [c.get('language'), recordSay(c.get('language'))];
  const fields = new Map(kind.fields.map((field) => [field.name, field]));
  const labels = new Map<string, Text | undefined>(
    kind.columns.map((column) =>
      typeof column === 'string' ? [column, undefined] : [column.of[0], column.label],
    ),
  );
  const items = [...new Map([...labels, ['created_at', undefined]])].flatMap(([name, label]) => {
    const field = fields.get(name);
    if (!field || !sortsOf(kind).includes(name)) return [];
    const said = label?.[language] ?? fieldLabel(language, field);
    const [first, last] = endsOf(field);
    return (
      [
        [name, first],
        [`-${name}`, last],
      ] as const
    ).map(([sort, way]) => {
      const current = sort === now ? html` aria-current="true"` : '';
      return html`<li><a href="${leads(sort)}"${current}>${said}: ${text(way)}</a></li>`;
    });
  });
  return html`<details class="drop-down sort-menu"><summary class="button secondary">${text('sort')}</summary><ul>${items}</ul></details>`;
}

/** What stands first in each of both orders, in words that fit what is sorted. */
function endsOf(field: FieldFacts): [keyof typeof recordTexts, keyof typeof recordTexts] {
  if (field.format?.startsWith('date')) return ['earliestFirst', 'latestFirst'];
  return isNumberField(field) ? ['lowestFirst', 'highestFirst'] : ['fromA', 'fromZ'];
}
