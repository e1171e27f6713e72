import type { Database, Fragment, Statements } from '../../foundations/database/connect.ts';
import type { Placement } from '../../foundations/database/placement.ts';
import { currentEra } from './event-era.ts';

/** What the connection is called in `pg_stat_activity` that brings an organization from another installation. */
export const incomingOrganization = 'arrival of an organization';

/** Where events are read. */
export interface EventSource {
  readonly sql: Database;
  readonly placement: Placement;
}

/**
 * The part `horizon (era, transaction_id)` of a statement: up to here all transactions have ended, so nothing can
 * come into the feed any more in front of what stands there. A transaction of another database of the same server is
 * no matter here: it writes no events; nor is one that brings an organization from elsewhere, which has no readers
 * here before.
 *
 * @param unless a condition on `open.id`, an open transaction, that it cannot stand in front of anything; asked only
 *   where records stand together with it, since it reads them: without it events come a moment later
 */
export function feedHorizon(
  { sql, placement }: { readonly sql: Statements; readonly placement: Placement },
  unless = sql`false`,
): Promise<() => Fragment> {
  const irrelevant = placement.choose({ together: unless, apart: sql`false` });
  return placement.partOfFirst(sql, {
    name: 'horizon',
    columns: { era: 'smallint', transaction_id: 'xid8' },
    row: sql`
      select ${currentEra(sql)} as era,
             coalesce((select open.id from pg_snapshot_xip(${placement.openTransactions(sql)}) as open (id)
                       where not (${irrelevant}) and not ${isElsewhere(sql)}
                       order by open.id limit 1), pg_snapshot_xmax(pg_current_snapshot())) as transaction_id`,
  });
}

/** Asked of the locks, which everybody may see: each transaction holds one of its own number. */
const isElsewhere = (sql: Statements): Fragment => sql`
  exists (select 1 from pg_locks l, pg_stat_get_activity(l.pid) a
          where l.locktype = 'transactionid' and l.transactionid = open.id::xid and l.granted
            and l.mode = 'ExclusiveLock' and a.pid = l.pid
            and (a.datid <> (select oid from pg_database where datname = current_database())
                 or a.application_name = ${incomingOrganization}))`;
