import type { Database } from '../database/connect.ts';
import { presenceClass } from './worker-presence.ts';

/** When the server starts, no worker shows that it lives; this long they have to do it again. */
const graceAfterStartSeconds = 3;

/**
 * Frees the leases that nobody works on any more: of workers that died, and those that ended because a worker hangs.
 * What is freed is due as it was before. Answers how many.
 *
 * @param held all deliveries that this worker knows, to free also what it does not know (a claim whose answer was lost
 *   with its connection); no claim of its own may run meanwhile
 */
export async function freeLostLeases(
  sql: Database,
  workerId: number,
  held?: ReadonlySet<string>,
): Promise<number> {
  const { count } = await sql`
    with living (worker_id) as materialized (
      select objid::bigint::integer from pg_locks
      where locktype = 'advisory' and classid = ${presenceClass} and granted
        and database = (select oid from pg_database where datname = current_database())
    ), lost as (
      select d.webhook_id, d.id from deliveries d
      where d.worker_id is not null
        and case when d.worker_id = ${workerId}
                 then ${held !== undefined} and not d.id = any(${[...(held ?? [])]}::uuid[])
                 else d.leased_until < clock_timestamp()
                      or (not exists (select from living where living.worker_id = d.worker_id)
                          and pg_postmaster_start_time()
                              < clock_timestamp() - make_interval(secs => ${graceAfterStartSeconds})) end
      for update skip locked
    )
    update deliveries d set worker_id = null, leased_until = null
    from lost where d.webhook_id = lost.webhook_id and d.id = lost.id`;
  return count;
}

/** Hands everything back that the worker holds, due as it was before. */
export async function handBackLeases(sql: Database, workerId: number): Promise<void> {
  await sql`update deliveries set worker_id = null, leased_until = null where worker_id = ${workerId}`;
}
