import type { Fragment, Statements } from '../database/connect.ts';
import { currentEra } from './event-era.ts';

/** What the connection is called in `pg_stat_activity` that brings an organization from another installation. */
export const incomingOrganization = 'arrival of an organization';

/**
 * The part `horizon (era, transaction_id)` of a statement: up to here all transactions have ended, so nothing can come
 * into the feed any more in front of what stands there. A transaction of another database of the same server is no
 * matter here: it writes no events; nor is one that brings an organization from elsewhere, which has no readers here before.
 *
 * @param unless a condition on `open.id`, an open transaction, that it cannot stand in front of anything
 */
export const feedHorizon = (sql: Statements, unless: Fragment = sql`false`): Fragment => sql`
  horizon as materialized (
    select ${currentEra(sql)} as era,
           coalesce((select open.id from pg_snapshot_xip(pg_current_snapshot()) as open (id)
                     where not (${unless}) and not ${isElsewhere(sql)}
                     order by open.id limit 1), pg_snapshot_xmax(pg_current_snapshot())) as transaction_id)`;

/** Asked of the locks, which everybody may see: each transaction holds one of its own number. */
const isElsewhere = (sql: Statements): Fragment => sql`
  exists (select from pg_locks l, pg_stat_get_activity(l.pid) a
          where l.locktype = 'transactionid' and l.transactionid = open.id::xid and l.granted
            and l.mode = 'ExclusiveLock' and a.pid = l.pid
            and (a.datid <> (select oid from pg_database where datname = current_database())
                 or a.application_name = ${incomingOrganization}))`;
