import type { Fragment, Statements } from '../../foundations/database/connect.ts';
import type { Placement } from '../../foundations/database/placement.ts';
import { hiddenOrganization, type Sought, soughtPart } from './search.ts';

/** So many rows are looked at first, from where the page begins. */
const nearest = 100;
/** A term that so many of them have is common: the page is full soon. */
const commonAmongNearest = 2;
/** So many rows are looked at for a common term before it is sought along the index. */
const furthest = 3000;

/** A page of a list that is searched. */
export interface SearchedPage {
  readonly organization: string;
  readonly placement: Placement;
  readonly term: string;
  readonly sought: Sought;
  readonly table: string;
  readonly alias: string;
  /** The column by which the list is sorted. Where it may be null, `place` says whether it is. */
  readonly sortedBy: string;
  readonly order: Fragment;
  /** Where the page begins and what else says between which values of the sorted column it is. */
  readonly place: readonly Fragment[];
  /** What else the list is filtered by. */
  readonly others: readonly Fragment[];
  readonly limit: Fragment;
}

/**
 * The ids of a page's rows, as a query ([decision
 * 44](../../../../docs/decisions/0044-a-searched-list-looks-at-what-is-near-first.md)). What is common is found
 * among the next rows of the list, what is not is sought along the index, and of which kind a term is the next rows
 * say. Neither the organization nor the term is a constant of the statement, so that it is planned once for a
 * connection.
 */
export function idsOfPage(sql: Statements, page: SearchedPage): Fragment {
  const { organization, placement, term, sought, order, limit } = page;
  const hidden = hiddenOrganization({ sql, organization, placement }, 'sought');
  const alias = sql.unsafe(page.alias);
  const rows = sql.unsafe(`${page.table} ${page.alias}`);
  const sorted = sql.unsafe(`${page.alias}.id, ${page.alias}.${page.sortedBy}`);
  const all = (conditions: readonly Fragment[]): Fragment =>
    conditions.reduce((before, each) => sql`${before} and ${each}`, sql`true`);
  const own = sql`${alias}.organization_id = ${hidden}`;
  const beside = sql`${own} and ${all(page.place)}`;
  const others = all(page.others);
  return sql`
    with sought as materialized (${soughtPart(sql, organization, term)}),
    nearest as materialized (
      select ${sorted}, ${sought.has} as has, ${others} as fits from ${rows} where ${beside}
      order by ${order} limit ${number(sql, nearest)}),
    near as materialized (
      select ${sorted} from nearest ${alias} where has and fits order by ${order} limit ${limit}),
    known as materialized (
      select (select count(*) from near) >= ${limit} or (select count(*) from nearest) < ${number(sql, nearest)} as whole,
             (select count(*) from nearest where has) >= ${number(sql, commonAmongNearest)} as common),
    further as materialized (
      select ${sorted} from (
        select ${alias}.* from ${rows} where ${beside} order by ${order} limit ${number(sql, furthest)}) ${alias}
      where (select common and not whole from known) and ${sought.has} and ${others}
      order by ${order} limit ${limit})
    select id from near where (select whole from known)
    union all
    select id from further where (select count(*) from further) >= ${limit}
    union all
    (select ${alias}.id from (
       select ${sorted} from ${rows}
       where ${beside} and array[${alias}.organization_id] @> array[${hidden}] and ${sought.found}
         and ${others}
       offset 0) ${alias}
     where not (select whole from known) and (select count(*) from further) < ${limit}
     order by ${order} limit ${limit})`;
}

const number = (sql: Statements, value: number): Fragment => sql.unsafe(String(value));
