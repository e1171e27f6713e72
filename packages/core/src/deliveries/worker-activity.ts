import type { Database } from '../database/connect.ts';

/** A longer time without any sign of a worker is one in which none worked: all were stopped, or the machine slept. */
export const longestSilenceSeconds = 120;

/**
 * Notes that a worker works. Time in which none did is no time in which a webhook failed, so it is left out: whoever
 * stops Dealkeep over a long weekend must not lose the hooks whose last attempt happened to fail.
 */
export async function noteActivity(sql: Database): Promise<void> {
  await sql`
    with seen as materialized (
      select seen_at, clock_timestamp() as now from worker_activity for update
    ), noted as (
      update worker_activity set seen_at = seen.now from seen
    ), failing as (
      select w.organization_id, w.id, seen.now - seen.seen_at as silence
      from seen cross join lateral (
        select organization_id, id from webhooks
        where seen.now - seen.seen_at > make_interval(secs => ${longestSilenceSeconds})
          and failing_since is not null and idle_since is null
        order by id for no key update) w
    )
    update webhooks w set failing_since = w.failing_since + failing.silence
    from failing where w.organization_id = failing.organization_id and w.id = failing.id`;
}
