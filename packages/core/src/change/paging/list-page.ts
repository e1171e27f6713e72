import { type EveryOperation, type EveryOperationId, limits, type QueryOf } from '@dealkeep/contract';
import type { Fragment, Rows, Statements } from '../../foundations/database/connect.ts';
import type { AnyRecordTable, Packed, RowIn } from '../record-tables/define-record.ts';
import type { Page, ReadContext } from '../verb/verb.ts';
import { decodeCursor, encodeCursor, fittingCount, fittingRows, type Weighed } from './cursor.ts';
import { type Sought, soughtIn, withoutMarks } from './search.ts';
import { idsOfPage } from './searched-page.ts';

/** A column that a list can be sorted by. */
interface SortColumn {
  readonly column: string;
  readonly type: 'timestamptz' | 'text' | 'numeric' | 'date';
  readonly nullable?: boolean;
}

export interface CommonQuery {
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
  readonly sort?: string | undefined;
  readonly created_after?: string | undefined;
  readonly created_before?: string | undefined;
  readonly updated_since?: string | undefined;
  readonly updated_before?: string | undefined;
}

/** A value of a filter, which may be given several. */
type One<Value> = Exclude<NonNullable<Value>, readonly unknown[]>;

type FilterName<Query> = Exclude<keyof Query, keyof CommonQuery> & string;

export type ListDefinition<
  Query extends CommonQuery,
  Row extends { id: string; sort_value: string | null },
  Item,
> = ListOf<Query, Row, Item> & RowsOf<Row>;

interface RowsOf<Row extends object> {
  /**
   * The statement: `select …, ${sortValue} as sort_value from … where ${where} order by ${order} limit ${limit}`.
   */
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
  readonly filters: { readonly [Name in FilterName<Query>]: (value: One<Query[Name]>) => Fragment };
  /**
   * The table that the rows are of, and how it is searched for a term. When absent, no sort of the list has nulls,
   * and `q` is a filter like others.
   */
  readonly searched?: { readonly table: string; sought(term: string): Sought };
  items(rows: Row[]): Promise<Item[]> | Item[];
}

/** A list of records that are declared once. */
export interface ListOfRecords<Query extends CommonQuery, Table extends AnyRecordTable, Item>
  extends Pick<ListOf<Query, { id: string; sort_value: string | null }, Item>, 'id' | 'sorts' | 'filters'> {
  readonly record: Table;
  /** How they are searched for a term, where not by the texts of their declaration. */
  sought?(term: string): Sought;
  /** What is listed of rows that were read just now. */
  items(rows: RowIn<Table>[]): Promise<Item[]> | Item[];
}

/** How the records of an operation are listed and counted: its id says which filters there are. */
export const recordList = <const Id extends EveryOperationId, Table extends AnyRecordTable, Item>(
  list: { readonly id: Id } & ListOfRecords<QueryOf<EveryOperation[Id]>, Table, Item>,
): ListOfRecords<QueryOf<EveryOperation[Id]>, Table, Item> => list;

/** One page of records by keyset: see `listPage`. No more rows leave the database than fit on the page. */
export function listRecords<Query extends CommonQuery, Table extends AnyRecordTable, Item>(
  context: ReadContext,
  query: Query,
  {
    record,
    items,
    sought = (term) => soughtIn(context.sql, term, record.searchedTexts),
    ...list
  }: ListOfRecords<Query, Table, Item>,
): Promise<Page<Item>> {
  const { sql } = context;
  interface Listed extends Packed {
    id: string;
    sort_value: string | null;
  }
  const alias = sql.unsafe(record.alias);
  return listPage<Query, Listed, Item>(context, query, {
    ...list,
    alias: record.alias,
    isWeighed: true,
    searched: { table: record.table, sought },
    rows: ({ where, order, sortValue, limit }) => sql<Listed[]>`
      select listed.*, octet_length(listed.packed) as weight from (
        select ${alias}.id, ${record.packed(context)}, ${sortValue} as sort_value
        from ${record.from(sql)} where ${where} order by ${order} limit ${limit}) listed`,
    // The table's own rows, by the type of what it reads.
    items: (rows) => items(rows.map((row) => record.unpack(row) as RowIn<Table>)),
  });
}

/**
 * How many records a list has on all its pages, in one statement that reads no more than it counts: up to
 * `countedRecords`, and of those that a search finds up to `countedSearchResults`, because these are compared one by
 * one.
 */
export async function countRecords<Query extends CommonQuery, Table extends AnyRecordTable, Item>(
  context: ReadContext,
  query: Query,
  list: ListOfRecords<Query, Table, Item>,
): Promise<{ count: number; more: boolean }> {
  const { sql } = context;
  const most = soughtTerm(query) === undefined ? limits.countedRecords : limits.countedSearchResults;
  const { rows, where, limit } = wholeList(context, query, list, most);
  const [counted] = await sql<{ count: number }[]>`
    select count(*)::integer as count from (select 1 from ${rows} where ${where} limit ${limit}) counted`;
  const count = counted?.count ?? 0;
  return { count: Math.min(count, most), more: count > most };
}

/**
 * The rows of all pages of a list, whatever the cursor and the sort of its query; and one row more than so many, as
 * a limit.
 */
export function wholeList<Query extends CommonQuery, Table extends AnyRecordTable, Item>(
  context: ReadContext,
  query: Query,
  {
    record,
    sought = (term) => soughtIn(context.sql, term, record.searchedTexts),
    ...list
  }: ListOfRecords<Query, Table, Item>,
  most: number,
): { readonly rows: Fragment; readonly where: Fragment; readonly limit: Fragment } {
  const whole = { ...query, cursor: undefined, sort: undefined, limit: most };
  const { parts } = pageParts<Query, { id: string; sort_value: string | null }, Item>(context, whole, {
    ...list,
    alias: record.alias,
    searched: { table: record.table, sought },
  });
  const { sql } = context;
  const rows = sql`${sql.unsafe(`${record.table} ${record.alias}`)}`;
  return { rows, where: parts.where, limit: parts.limit };
}

/**
 * Texts sort as the Slovak alphabet does, whatever the case: acme, Čaj, Zvolen, Žilina. Indexes of sorted texts say
 * the same. Two texts are equal only when they are the same, so that none is skipped.
 */
export const textOrder = 'collate "sk-x-icu"';

const commonSorts: Readonly<Record<string, SortColumn>> = {
  created_at: { column: 'created_at', type: 'timestamptz' },
  updated_at: { column: 'updated_at', type: 'timestamptz' },
};

/** The parts of a page's statement. */
export interface PageParts {
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
>(context: ReadContext, query: Query, definition: ListDefinition<Query, Row, Item>): Promise<Page<Item>> {
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
  { sql }: ReadContext,
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
  { core, sql, organization }: ReadContext,
  query: Query,
  definition: Omit<ListOf<Query, Row, Item>, 'items'>,
): { fingerprint: string; limit: number; parts: PageParts } {
  const sort = query.sort ?? '-created_at';
  const descending = sort.startsWith('-');
  const name = descending ? sort.slice(1) : sort;
  const column = { ...commonSorts, ...definition.sorts }[name];
  if (!column) throw new Error(`${definition.id} has no column for the sort ${name}`);
  const own = (columnName: string): Fragment => sql`${sql(`${definition.alias}.${columnName}`)}`;
  const sorted =
    column.type === 'text' ? sql`${own(column.column)} ${sql.unsafe(textOrder)}` : own(column.column);

  const ofOrganization = sql`${own('organization_id')} = ${organization}`;
  /** What says between which values of the sorted column the page is, and what else its rows are to be. */
  const place: Fragment[] = [];
  const others: Fragment[] = [];
  const of = (name: string): Fragment[] => (column.column === name ? place : others);
  const { created_after, created_before, updated_since, updated_before } = query;
  if (created_after) of('created_at').push(sql`${own('created_at')} > ${created_after}::timestamptz`);
  if (created_before) of('created_at').push(sql`${own('created_at')} < ${created_before}::timestamptz`);
  if (updated_before) of('updated_at').push(sql`${own('updated_at')} < ${updated_before}::timestamptz`);
  if (updated_since) of('updated_at').push(sql`${own('updated_at')} >= ${updated_since}::timestamptz`);
  const { searched } = definition;
  const term = searched && soughtTerm(query);
  others.push(...filterConditions(sql, query, definition, term === undefined));

  // The collation is part of the fingerprint, because a cursor of another order of texts would skip records.
  const ordered = column.type === 'text' ? `${sort} ${textOrder}` : sort;
  const fingerprint = fingerprintOf(definition.id, organization, ordered, query);
  const position =
    query.cursor === undefined ? undefined : decodeCursor(core.secrets, fingerprint, query.cursor);

  const [direction, beyond] = descending ? [sql`desc`, sql`<`] : [sql`asc`, sql`>`];
  /** As an index on the column and the id is read: forwards, or backwards, where nulls come first. */
  const alongIndex = sql`${sorted} ${direction}, ${own('id')} ${direction}`;
  const limit = query.limit ?? limits.pageSizeDefault;
  const sortValue = sql`${own(column.column)}::text`;
  // Part of the text (the contract has checked it), because PostgreSQL then plans for few rows, once for all
  // executions; planning takes as long as reading the page.
  const oneMore = sql`${sql.unsafe(String(limit + 1))}`;
  const all = (conditions: readonly Fragment[]): Fragment =>
    conditions.reduce((before, each) => sql`${before} and ${each}`, ofOrganization);
  const page = (where: Fragment, order: Fragment) => ({
    fingerprint,
    limit,
    parts: { where, order, sortValue, limit: oneMore },
  });

  const isFilled = sql`${own(column.column)} is not null`;
  const isNull = sql`${own(column.column)} is null`;
  if (!column.nullable) return page(whereOf([...place, ...afterValue()]), alongIndex);
  if (position?.value === null) {
    return page(whereOf([...place, isNull, sql`${own('id')} ${beyond} ${position.id}`]), alongIndex);
  }
  // An index has nulls at one end, and they come last in both directions: it is read twice.
  return page(
    sql`${ofOrganization} and ${own('id')} in (
      with filled as materialized (${idsOf([...place, isFilled, ...afterValue()])})
      select id from filled
      union all
      select id from (${idsOf([...place, isNull])}) empty
      where (select count(*) from filled) < ${oneMore})`,
    sql`${sorted} ${direction} nulls last, ${own('id')} ${direction}`,
  );

  /** Rows after the position in the chosen order, among those with a value. */
  function afterValue(): Fragment[] {
    if (!column || !position) return [];
    // As subqueries, which hide the values: PostgreSQL would otherwise plan each page anew, to no better end.
    const typed = sql`(select ${position.value}::text::${sql.unsafe(column.type)})`;
    return [sql`(${sorted}, ${own('id')}) ${beyond} (${typed}, (select ${position.id}::uuid))`];
  }

  /** The rows of a part of the list. */
  function whereOf(part: readonly Fragment[]): Fragment {
    const found = searchedIds(part);
    return found ? sql`${ofOrganization} and ${own('id')} in (${found})` : all([...part, ...others]);
  }

  /** The ids of so many rows of a part of the list as the page has at most. */
  function idsOf(part: readonly Fragment[]): Fragment {
    const found = searchedIds(part);
    if (found) return found;
    if (!searched) throw new Error(`${definition.id} sorts by what may be null, and names no table`);
    const rows = sql.unsafe(`${searched.table} ${definition.alias}`);
    return sql`select ${own('id')} from ${rows} where ${all([...part, ...others])} order by ${alongIndex} limit ${oneMore}`;
  }

  function searchedIds(part: readonly Fragment[]): Fragment | undefined {
    if (term === undefined || !searched || !column) return undefined;
    return idsOfPage(sql, {
      organization,
      placement: core.placement,
      term,
      sought: searched.sought(term),
      table: searched.table,
      alias: definition.alias,
      sortedBy: column.column,
      order: alongIndex,
      place: part,
      others,
      limit: oneMore,
    });
  }
}

function filterConditions<
  Query extends CommonQuery,
  Row extends { id: string; sort_value: string | null },
  Item,
>(
  sql: Statements,
  query: Query,
  { filters }: Pick<ListOf<Query, Row, Item>, 'filters'>,
  withSearch: boolean,
): Fragment[] {
  const conditions: Fragment[] = [];
  const add = <Name extends FilterName<Query>>(name: Name): void => {
    const value = query[name];
    // An empty search is none: it would leave out the records without a name.
    const isLeftOut = name === 'q' && (value === '' || !withSearch);
    if (value === undefined || value === null || isLeftOut) return;
    const each = (Array.isArray(value) ? value : [value]) as One<Query[Name]>[];
    const any = each.map((one) => filters[name](one)).reduce((all, one) => sql`${all} or ${one}`);
    conditions.push(each.length === 1 ? any : sql`(${any})`);
  };
  for (const name of Object.keys(filters)) add(name as FilterName<Query>);
  return conditions;
}

/** What is searched for, unless everything has it. */
function soughtTerm(query: object): string | undefined {
  const term: unknown = 'q' in query ? query.q : undefined;
  return typeof term === 'string' && withoutMarks(term) !== '' ? term : undefined;
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
