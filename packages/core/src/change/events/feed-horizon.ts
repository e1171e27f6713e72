import type { Database, Fragment, Statements } from '../../foundations/database/connect.ts';
import { currentEra } from './event-era.ts';

/** What the connection is called in `pg_stat_activity` that brings an organization from another installation. */
export const incomingOrganization = 'arrival of an organization';

/** Where events are read. */
export interface EventSource {
  readonly sql: Database;
  /** As `Core.distributed`. */
  readonly distributed?: boolean | undefined;
}

interface HorizonOptions {
  /**
   * A condition on `open.id`, an open transaction, that it cannot stand in front of anything. Not where records are
   * distributed: what is found of them is found a moment later.
   */
  readonly unless?: Fragment;
  readonly distributed?: boolean | undefined;
}

/** What was found by itself, for events that are on another server: `readHorizon`. */
export interface Horizon {
  readonly era: number;
  /** An `xid8`. */
  readonly transaction: string;
}

/**
 * The part `horizon (era, transaction_id)` of a statement: up to here all transactions have ended, so nothing can
 * come into the feed any more in front of what stands there. A transaction of another database of the same server is
 * no matter here: it writes no events; nor is one that brings an organization from elsewhere, which has no readers
 * here before.
 */
export const feedHorizon = (
  sql: Statements,
  { unless = sql`false`, distributed = false }: HorizonOptions = {},
): Fragment => sql`
  horizon as materialized (
    select ${currentEra(sql)} as era,
           coalesce((select open.id from pg_snapshot_xip(${currentSnapshot(sql, distributed)}) as open (id)
                     where not (${unless}) and not ${isElsewhere(sql)}
                     order by open.id limit 1), pg_snapshot_xmax(pg_current_snapshot())) as transaction_id)`;

/**
 * Where events are on other servers it is asked by itself, and given by values to the statement that reads them. As
 * a part of that one, Citus would send along what it found: a page of the feed took three times as long.
 */
export async function readHorizon(sql: Statements): Promise<Horizon> {
  const [row] = await sql<Horizon[]>`
    with ${feedHorizon(sql, { distributed: true })} select era, transaction_id::text as transaction from horizon`;
  if (!row) throw new Error('Unreachable: one row always comes');
  return row;
}

/** The part `horizon` of a statement, of values. */
export const givenHorizon = (sql: Statements, { era, transaction }: Horizon): Fragment => sql`
  horizon as (select ${era}::smallint as era, ${transaction}::text::xid8 as transaction_id)`;

/**
 * Which transactions are open. One that has written on other servers, too, has ended on this one a moment before its
 * rows can be seen there; it holds the lock of its own number until then, and counts as open as long.
 */
export const currentSnapshot = (sql: Statements, distributed: boolean | undefined): Fragment =>
  distributed
    ? sql`(
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
              from (select pg_current_snapshot() as snapshot) as now) as now) as now)`
    : sql`pg_current_snapshot()`;

/** Asked of the locks, which everybody may see: each transaction holds one of its own number. */
const isElsewhere = (sql: Statements): Fragment => sql`
  exists (select 1 from pg_locks l, pg_stat_get_activity(l.pid) a
          where l.locktype = 'transactionid' and l.transactionid = open.id::xid and l.granted
            and l.mode = 'ExclusiveLock' and a.pid = l.pid
            and (a.datid <> (select oid from pg_database where datname = current_database())
                 or a.application_name = ${incomingOrganization}))`;
