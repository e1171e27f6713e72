import type { Fragment } from '../database/connect.ts';
import { containsPattern, listPage } from '../lists/list-page.ts';
import type { Page, Reading } from '../verb/verb.ts';

interface NamedQuery {
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
  readonly sort?: string | undefined;
  readonly created_after?: string | undefined;
  readonly updated_since?: string | undefined;
  readonly q?: string | undefined;
}

/** A page of a lookup table that is searched and sorted by its name. `columns` stand beside `id` and `name`. */
export function namedList<Item extends { id: string; name: string }>(
  context: Reading,
  query: NamedQuery,
  id: string,
  table: string,
  columns: readonly string[] = [],
): Promise<Page<Item>> {
  const { sql } = context;
  const shown: Fragment = sql`${sql(['id', 'name', ...columns].map((column) => `x.${column}`))}`;
  return listPage<NamedQuery, Item & { sort_value: string | null }, Item>(context, query, {
    id,
    alias: 'x',
    sorts: { name: { column: 'name', type: 'text' } },
    filters: { q: (text) => sql`x.name ilike ${containsPattern(text)}` },
    rows: ({ where, order, sortValue, limit }) => sql<(Item & { sort_value: string | null })[]>`
      select ${shown}, ${sortValue} as sort_value from ${sql(table)} x
      where ${where} order by ${order} limit ${limit}`,
    items: (rows) => rows.map(({ sort_value: _, ...item }) => item as unknown as Item),
  });
}
