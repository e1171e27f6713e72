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

interface NamedTable {
  readonly table: string;
  /** Shown beside `id` and `name`. */
  readonly columns?: readonly string[];
  /** Whether its entries can be archived; those that are cannot be chosen, so they are not listed. */
  readonly archives: boolean;
}

/** A page of a lookup table that is searched and sorted by its name. */
export function namedList<Item extends { id: string; name: string }>(
  context: Reading,
  query: NamedQuery,
  id: string,
  { table, columns = [], archives }: NamedTable,
): Promise<Page<Item>> {
  const { sql } = context;
  const offered: Fragment = archives ? sql`x.archived_at is null` : sql`true`;
  const shown: Fragment = sql`${sql(['id', 'name', ...columns].map((column) => `x.${column}`))}`;
  return listPage<NamedQuery, Item & { sort_value: string | null }, Item>(context, query, {
    id,
    alias: 'x',
    sorts: { name: { column: 'name', type: 'text' } },
    filters: { q: (text) => sql`x.name ilike ${containsPattern(text)}` },
    rows: ({ where, order, sortValue, limit }) => sql<(Item & { sort_value: string | null })[]>`
      select ${shown}, ${sortValue} as sort_value from ${sql(table)} x
      where ${where} and ${offered} order by ${order} limit ${limit}`,
    items: (rows) => rows.map(({ sort_value: _, ...item }) => item as unknown as Item),
  });
}
