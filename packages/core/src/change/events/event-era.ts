import type { Fragment, Statements, Transaction } from '../../foundations/database/connect.ts';
import { findPlacement } from '../../foundations/database/find-placement.ts';
import { onOneServer } from '../../identity/tenancy/due-organizations.ts';

/** The era of what happens now; see {@link beginEventEra}. */
export const currentEra = (sql: Statements): Fragment => sql`(select event_era from installation)`;

/**
 * Begins a new era when this database has come from another server, by a dump or by logical replication, whose
 * transactions were numbered higher than this one's are yet: what happens from now on then still stands behind what
 * it brought (rule events 22). Looks up one event of each organization. The installation must be locked.
 *
 * Not asked where records stand apart: there an era ends with the first server (`fixEra`).
 */
export async function beginEventEra(tx: Transaction): Promise<void> {
  const placement = await findPlacement(tx);
  await placement.choose({ together: () => endFormerEra(tx), apart: async () => {} })();
}

const endFormerEra = (tx: Transaction): PromiseLike<unknown> => tx`
    update ${onOneServer(tx)} installation set event_era = event_era + 1
    where exists (
      select from organizations o
      cross join lateral (
        select e.transaction_id from events e
        where e.organization_id = o.id and e.era = installation.event_era
        order by e.transaction_id desc limit 1) as last
      where last.transaction_id >= pg_snapshot_xmax(pg_current_snapshot()))`;

/**
 * Begins a new era in a database that was restored from a backup: cursors that were handed out since the backup name
 * places that are gone, and must stand before everything that happens from now on. The same backup may be restored
 * twice, so the eras of restores follow the clock, in steps of six hours, up to the year 2048; within one step, they
 * follow each other.
 */
export async function beginRestoredEra(tx: Transaction): Promise<void> {
  await tx`
    update installation
    set event_era = greatest(event_era + 1,
      least(floor(extract(epoch from now() - timestamptz '2026-01-01 00:00:00+00') / 21600), 32000))::smallint`;
}
