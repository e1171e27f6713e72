import PQueue from 'p-queue';
import { feedReadsAtOnce } from '../operating-limits.ts';
import type { Fragment, Statements } from './connect.ts';
import type { Part, Placement } from './placement.ts';

/**
 * Citus has distributed the records by organization (docs/citus.md). It must know the organization of a statement on
 * records to make a plan, so no plan is kept, and the organization is always given by value.
 */
export const severalServers: Placement = {
  writesTogether: false,
  ofChanges: '',
  ofQueue: {},
  organization: (sql, id) => sql`${id}::uuid`,
  openTransactions,
  partOfFirst: givenByValues,
  // Of a table whose rows stand on other servers this one has no pages: Citus asks them.
  bytesOf: (sql, table) => sql`
    case when exists (select from pg_dist_partition d where d.logicalrelid = ${table})
         then citus_relation_size(${table}) else pg_relation_size(${table}) end`,
  // One by one, because their servers are found by the organization; a few at once.
  async ofOrganizations(organizations, { apart }) {
    const reads = new PQueue({ concurrency: feedReadsAtOnce });
    return (await reads.addAll(organizations.map((id) => async () => apart([id])))).flat();
  },
  choose: ({ apart }) => apart,
};

/**
 * Asked by itself, and given by values. As a part of the statement on records, Citus would send along what it found:
 * a page of the feed took three times as long.
 */
async function givenByValues(sql: Statements, { name, columns, row }: Part): Promise<() => Fragment> {
  const names = Object.keys(columns);
  const asTexts = names.map((each) => `${each}::text`).join(', ');
  const [found] = await sql<Record<string, string | null>[]>`
    select ${sql.unsafe(asTexts)} from (${row}) as ${sql.unsafe(name)}`;
  if (!found) throw new Error('Unreachable: one row always comes');
  const asValue = ([column, type]: [string, string]): Fragment =>
    sql`${found[column] ?? null}::text::${sql.unsafe(type)} as ${sql.unsafe(column)}`;
  return () => {
    const values = Object.entries(columns).map(asValue);
    return sql`${sql.unsafe(name)} as (select ${values.reduce((before, value) => sql`${before}, ${value}`)})`;
  };
}

/**
 * A transaction that has written on other servers, too, has ended on this one a moment before its rows can be seen
 * there; it holds the lock of its own number until then, and counts as open as long.
 */
function openTransactions(sql: Statements): Fragment {
  return sql`(
    select concat(coalesce(open[1], xmax), ':', xmax, ':', array_to_string(open, ','))::pg_snapshot
    from (
      select xmax, array(
        select pg_snapshot_xip(snapshot)
        union
        select id from (
          select ((xmax::text::bigint >> 32 << 32) + transactionid::text::bigint)::text::xid8 as id
          from pg_locks where locktype = 'transactionid' and mode = 'ExclusiveLock' and granted) as held
        where id < xmax
        order by 1) as open
      from (select snapshot, pg_snapshot_xmax(snapshot) as xmax
            from (select pg_current_snapshot() as snapshot) as now) as now) as now)`;
}
