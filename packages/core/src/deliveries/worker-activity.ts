import type { Database } from '../database/connect.ts';
import { nothingPaused } from '../installation/queue.ts';

/**
 * A longer time without any sign of a worker is one in which none worked: all were stopped, the machine slept, or an
 * operator had nothing sent.
 */
export const longestSilenceSeconds = 120;

/**
 * Notes that a worker works. Time in which none did is no time in which a webhook failed, so it is left out: whoever
 * stops Dealkeep, or its queue, over a long weekend must not lose the hooks whose last attempt happened to fail. Answers
 * false while the queue is paused, when nobody works.
 */
export async function noteActivity(sql: Database): Promise<boolean> {
  const [row] = await sql<{ noted: boolean }[]>`
    with seen as materialized (
      select seen_at, clock_timestamp() as now from worker_activity where ${nothingPaused(sql)} for update
    ), noted as (
      update worker_activity set seen_at = seen.now from seen
    ), failing as (
      select w.organization_id, w.id, seen.now - seen.seen_at as silence
      from seen cross join lateral (
        select organization_id, id from webhooks
        where seen.now - seen.seen_at > make_interval(secs => ${longestSilenceSeconds})
          and failing_since is not null and idle_since is null
        order by id for no key update) w
    ), put_off as (
      update webhooks w set failing_since = w.failing_since + failing.silence
      from failing where w.organization_id = failing.organization_id and w.id = failing.id
    )
    select exists (select from seen) as noted`;
  return row?.noted === true;
}
