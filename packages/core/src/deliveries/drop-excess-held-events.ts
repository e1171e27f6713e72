import { limits } from '@dealkeep/contract';
import type { Clock } from '../clock.ts';
import type { Database, Fragment, Statements } from '../database/connect.ts';
import { standing, standingJoins } from './webhook-standing.ts';

const batch = 5000;

/**
 * Drops, of webhooks that get nothing now, what is held for more than 30 days or beyond 1,000 events, the oldest
 * first, and counts it (specification, Delivery rules, 8). Not in the transactions that write events, because they
 * would wait for each other at the count. Answers how many.
 *
 * @param which a condition on `webhooks w`; all when absent
 */
export async function dropExcessHeldEvents(
  { sql, clock }: { sql: Statements; clock: Clock },
  which: Fragment = sql`true`,
): Promise<number> {
  const now = clock.now();
  const heldSince = new Date(now.getTime() - limits.heldEventsDays * 24 * 3600_000).toISOString();
  const [row] = await sql<{ dropped: number }[]>`
    with holding as (
      select w.organization_id, w.id from webhooks w ${standingJoins(sql)}
      where ${which} and exists (select from held_events h where h.webhook_id = w.id)
        and ${standing(sql, now.toISOString())} <> 'active'
      order by w.id for no key update of w
    ), dropped as (
      delete from held_events where ctid = any(array(
        select h.ctid from holding cross join lateral (
          (select h.ctid from held_events h where h.webhook_id = holding.id
           order by h.occurred_at desc, h.event_id desc offset ${limits.heldEventsPerWebhook})
          union
          (select h.ctid from held_events h where h.webhook_id = holding.id and h.held_at <= ${heldSince})) h
        limit ${batch}))
      returning webhook_id
    ), counted as (
      update webhooks w set dropped_events = w.dropped_events + d.events
      from (select webhook_id, count(*)::integer as events from dropped group by webhook_id) d, holding
      where holding.id = d.webhook_id and w.organization_id = holding.organization_id and w.id = holding.id
    )
    select count(*)::integer as dropped from dropped`;
  return row?.dropped ?? 0;
}

/** The same until nothing is left to drop. */
export async function dropAllExcessHeldEvents(core: { sql: Database; clock: Clock }): Promise<number> {
  let total = 0;
  for (let dropped = batch; dropped >= batch; total += dropped) dropped = await dropExcessHeldEvents(core);
  return total;
}
