import { limits } from '@dealkeep/contract';
import type { Fragment, Rows } from '../database/connect.ts';
import type { AnyRecordTable, RowIn } from '../database/define-record.ts';
import type { Page, Scope } from '../verb/verb.ts';
import {
  decodeCursor,
  encodeCursor,
  fittingCount,
  fittingRows,
  type Position,
  type Weighed,
} from './cursor.ts';

/** A column that a list can be sorted by. */
interface SortColumn {
  readonly column: string;
  readonly type: 'timestamptz' | 'text' | 'numeric' | 'date';
  readonly nullable?: boolean;
}

interface CommonQuery {
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
  readonly sort?: string | undefined;
  readonly created_after?: string | undefined;
  readonly updated_since?: string | undefined;
}

type FilterName<Query> = Exclude<keyof Query, keyof CommonQuery> & string;

export type ListDefinition<
  Query extends CommonQuery,
  Row extends { id: string; sort_value: string | null },
  Item,
> = ListOf<Query, Row, Item> & RowsOf<Row>;

interface RowsOf<Row extends object> {
  /** The statement: `select …, ${sortValue} as sort_value from … where ${where} order by ${order} limit ${limit}`. */
  rows(parts: PageParts): Rows<Row>;
  /** Whether each row says what it takes, in bytes, as `weight`: of heavy ones no more are read than fit. */
  readonly isWeighed?: true;
}

interface ListOf<Query extends CommonQuery, Row extends { id: string; sort_value: string | null }, Item> {
  /** Operation id; part of the cursor's fingerprint. */
  readonly id: string;
  /** Alias of the table whose rows are listed. */
  readonly alias: string;
  readonly sorts: Readonly<Record<string, SortColumn>>;
  /** One condition for each filter of the contract; a missing one does not compile. */
  readonly filters: { readonly [Name in FilterName<Query>]: (value: NonNullable<Query[Name]>) => Fragment };
  items(rows: Row[]): Promise<Item[]> | Item[];
}

/** A list of records that are declared once. */
interface ListOfRecords<Query extends CommonQuery, Table extends AnyRecordTable, Item>
  extends Pick<ListOf<Query, { id: string; sort_value: string | null }, Item>, 'id' | 'sorts' | 'filters'> {
  readonly record: Table;
  /** What is listed of rows that were read just now. */
  items(rows: RowIn<Table>[]): Promise<Item[]> | Item[];
}

/** One page of records by keyset: see `listPage`. No more rows leave the database than fit on the page. */
export function listRecords<Query extends CommonQuery, Table extends AnyRecordTable, Item>(
  context: Scope,
  query: Query,
  { record, items, ...list }: ListOfRecords<Query, Table, Item>,
): Promise<Page<Item>> {
  const { sql } = context;
  interface Listed {
    id: string;
    sort_value: string | null;
    packed: string;
  }
  const alias = sql.unsafe(record.alias);
  return listPage<Query, Listed, Item>(context, query, {
    ...list,
    alias: record.alias,
    isWeighed: true,
    rows: ({ where, order, sortValue, limit }) => sql<Listed[]>`
      select listed.*, octet_length(listed.packed) as weight from (
        select ${alias}.id, ${record.packed(sql)}::text as packed, ${sortValue} as sort_value
        from ${record.from(sql)} where ${where} order by ${order} limit ${limit}) listed`,
    // The table's own rows, by the type of what it reads.
    items: (rows) => items(rows.map(({ packed }) => record.unpack(JSON.parse(packed)) as RowIn<Table>)),
  });
}

/**
 * Texts sort as the Slovak alphabet does, whatever the case: acme, Čaj, Zvolen, Žilina. Indexes of sorted texts say the
 * same. Two texts are equal only when they are the same, so that none is skipped.
 */
export const textOrder = 'collate "sk-x-icu"';

const commonSorts: Readonly<Record<string, SortColumn>> = {
  created_at: { column: 'created_at', type: 'timestamptz' },
  updated_at: { column: 'updated_at', type: 'timestamptz' },
};

/** The parts of a page's statement. */
interface PageParts {
  where: Fragment;
  order: Fragment;
  sortValue: Fragment;
  limit: Fragment;
}

/**
 * One page of a list by keyset: the next page begins after the last record's sort value and id, so records that are
 * inserted meanwhile move nothing. Null sort values come last in both directions.
 */
export async function listPage<
  Query extends CommonQuery,
  Row extends { id: string; sort_value: string | null },
  Item,
>(context: Scope, query: Query, definition: ListDefinition<Query, Row, Item>): Promise<Page<Item>> {
  const { secrets } = context.core;
  const { fingerprint, limit, parts } = pageParts(context, query, definition);
  const { rows, weight, isCut } = await readRows(context, definition, parts);

  const read = rows.slice(0, limit);
  const items = await definition.items(read);
  const fitting = fittingCount(items, weight);
  const hasMore = rows.length > limit || isCut || fitting < items.length;
  // The cursor follows the rows that were read, because a record that was removed meanwhile has a row and no item.
  const last = fitting < items.length ? read[fitting - 1] : read.at(-1);
  return {
    data: items.slice(0, fitting),
    next_cursor:
      hasMore && last ? encodeCursor(secrets, fingerprint, { value: last.sort_value, id: last.id }) : null,
    has_more: hasMore,
  };
}

/** The rows of a page and one more; of heavy ones no more than fit. */
async function readRows<Row extends object>(
  { sql }: Scope,
  definition: RowsOf<Row>,
  parts: PageParts,
): Promise<{ rows: Row[]; weight: number; isCut: boolean }> {
  const statement = definition.rows(parts);
  if (!definition.isWeighed) return { rows: await statement, weight: 0, isCut: false };
  const rows = await sql<(Row & Weighed)[]>`${fittingRows(sql, statement)}`;
  const weight = rows.reduce((sum, row) => sum + row.weight, 0);
  return { rows: [...rows], weight, isCut: rows.length < (rows[0]?.found ?? 0) };
}

function pageParts<Query extends CommonQuery, Row extends { id: string; sort_value: string | null }, Item>(
  { core, sql, organization }: Scope,
  query: Query,
  definition: ListDefinition<Query, Row, Item>,
): { fingerprint: string; limit: number; parts: PageParts } {
  const sort = query.sort ?? '-created_at';
  const descending = sort.startsWith('-');
  const name = descending ? sort.slice(1) : sort;
  const column = { ...commonSorts, ...definition.sorts }[name];
  if (!column) throw new Error(`${definition.id} has no column for the sort ${name}`);
  const own = (columnName: string): Fragment => sql`${sql(`${definition.alias}.${columnName}`)}`;
  const sorted =
    column.type === 'text' ? sql`${own(column.column)} ${sql.unsafe(textOrder)}` : own(column.column);

  const conditions: Fragment[] = [sql`${own('organization_id')} = ${organization}`];
  if (query.created_after) conditions.push(sql`${own('created_at')} > ${query.created_after}::timestamptz`);
  if (query.updated_since) conditions.push(sql`${own('updated_at')} >= ${query.updated_since}::timestamptz`);
  conditions.push(...filterConditions(query, definition));

  // The collation is part of the fingerprint, because a cursor of another order of texts would skip records.
  const ordered = column.type === 'text' ? `${sort} ${textOrder}` : sort;
  const fingerprint = fingerprintOf(definition.id, organization, ordered, query);
  if (query.cursor !== undefined) {
    const position = decodeCursor(core.secrets, fingerprint, query.cursor);
    conditions.push(after(position));
  }

  const where = conditions.reduce((all, each) => sql`${all} and ${each}`);
  const direction = descending ? sql`desc` : sql`asc`;
  const order = column.nullable
    ? sql`${sorted} ${direction} nulls last, ${own('id')} ${direction}`
    : sql`${sorted} ${direction}, ${own('id')} ${direction}`;
  const limit = query.limit ?? limits.pageSizeDefault;
  const sortValue = sql`${own(column.column)}::text`;
  // Written out, checked by the contract: only so does PostgreSQL know how little is wanted and keep one plan for all
  // executions, whereas planning anew takes as long as reading the page.
  const oneMore = sql`${sql.unsafe(String(limit + 1))}`;
  return { fingerprint, limit, parts: { where, order, sortValue, limit: oneMore } };

  /** Rows after a position in the chosen order. */
  function after({ value, id }: Position): Fragment {
    if (!column) throw new Error('Unreachable: the column was found above');
    const compare = descending ? sql`<` : sql`>`;
    const isNull = sql`${own(column.column)} is null`;
    if (value === null) return sql`${isNull} and ${own('id')} ${compare} ${id}`;
    // As subqueries: where the page begins says nothing about the best plan, and PostgreSQL, when it sees the values,
    // plans each page anew.
    const typed = sql`(select ${value}::text::${sql.unsafe(column.type)})`;
    const beyond = sql`(${sorted}, ${own('id')}) ${compare} (${typed}, (select ${id}::uuid))`;
    return column.nullable ? sql`(${beyond} or ${isNull})` : beyond;
  }
}

function filterConditions<
  Query extends CommonQuery,
  Row extends { id: string; sort_value: string | null },
  Item,
>(query: Query, { filters }: ListDefinition<Query, Row, Item>): Fragment[] {
  const conditions: Fragment[] = [];
  const add = <Name extends FilterName<Query>>(name: Name): void => {
    const value = query[name];
    // An empty search is none: it would leave out the records without a name.
    const searched = !(name === 'q' && value === '');
    if (value !== undefined && value !== null && searched) conditions.push(filters[name](value));
  };
  for (const name of Object.keys(filters)) add(name as FilterName<Query>);
  return conditions;
}

/** Filters and sort, but not the page's size: that may change from page to page. */
function fingerprintOf(id: string, organization: string, sort: string, query: CommonQuery): string {
  const filters = Object.entries(query)
    .filter(
      ([name, value]) => name !== 'limit' && name !== 'cursor' && name !== 'sort' && value !== undefined,
    )
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify([id, organization, sort, filters]);
}

/** A pattern for `ilike` that finds the text anywhere, whatever signs are in it. */
export const containsPattern = (text: string): string => `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`;
