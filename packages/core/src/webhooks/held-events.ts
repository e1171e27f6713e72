import { limits } from '@dealkeep/contract';
import type { Clock } from '../clock.ts';
import { roleBacks } from '../credentials/authorize.ts';
import type { Database, Fragment, Statements } from '../database/connect.ts';
import type { Log } from '../log.ts';
import { eventTypeOf, standing, standingJoins } from './webhook-standing.ts';

/**
 * Puts the oldest held event of webhooks that are active again into the queue. The next one follows when the attempt is
 * over, whatever came of it, so that they arrive in order; new events do not wait for them. Those that a role does not
 * let be read stay. Answers how many.
 *
 * @param which a condition on `webhooks w`
 */
export async function releaseNext(sql: Statements, which: Fragment, now: string): Promise<number> {
  const { count } = await sql`
    with next as (
      select held.* from webhooks w ${standingJoins(sql)}
      cross join lateral (
        select h.* from held_events h
        where h.webhook_id = w.id and ${roleBacks(sql, eventTypeOf(sql, 'h'))}
        order by h.occurred_at, h.event_id limit 1 for update skip locked) held
      where ${which} and ${standing(sql, now, sql`'{}'::text[]`)} = 'active'
    ), released as (
      insert into deliveries (id, organization_id, webhook_id, event_id, attempts, extra_attempts, due_at, created_at,
                              in_order)
      select gen_random_uuid(), organization_id, webhook_id, event_id, attempts, extra_attempts, ${now}, occurred_at,
             true
      from next
      on conflict (webhook_id) where in_order do nothing
      returning webhook_id, event_id, created_at
    )
    delete from held_events h using released r
    where h.webhook_id = r.webhook_id and h.occurred_at = r.created_at and h.event_id = r.event_id`;
  return count;
}

/** Begins with the held events of every webhook that is active again. Answers for how many. */
export function releaseHeldEvents({ sql, clock }: { sql: Database; clock: Clock }): Promise<number> {
  const waiting = sql`
    exists (select from held_events h where h.webhook_id = w.id)
    and not exists (select from deliveries d where d.webhook_id = w.id and d.in_order)`;
  return releaseNext(sql, waiting, clock.now().toISOString());
}

const droppedAtOnce = 5000;

export interface DroppedEvent {
  webhook_id: string;
  event_id: string;
  organization_id: string;
}

/**
 * Drops, of webhooks that get nothing now, what is held for more than 30 days or beyond 1,000 events, the oldest
 * first, and counts it (rule deliveries 21). Not in the transactions that write events, because they
 * would wait for each other at the count. Answers which.
 *
 * @param which a condition on `webhooks w`; all when absent
 */
export async function dropExcessHeldEvents(
  { sql, clock }: { sql: Statements; clock: Clock },
  which: Fragment = sql`true`,
): Promise<DroppedEvent[]> {
  const now = clock.now();
  const heldSince = new Date(now.getTime() - limits.heldEventsDays * 24 * 3600_000).toISOString();
  return sql<DroppedEvent[]>`
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
        limit ${droppedAtOnce}))
      returning webhook_id, event_id, organization_id
    ), counted as (
      update webhooks w set dropped_events = w.dropped_events + d.events
      from (select webhook_id, count(*)::integer as events from dropped group by webhook_id) d, holding
      where holding.id = d.webhook_id and w.organization_id = holding.organization_id and w.id = holding.id
    )
    select webhook_id, event_id, organization_id from dropped`;
}

/** Calls `dropExcessHeldEvents` until nothing is left to drop. Answers how many were dropped. */
export async function dropAllExcessHeldEvents(core: {
  sql: Database;
  clock: Clock;
  log: Log;
}): Promise<number> {
  let total = 0;
  let dropped: DroppedEvent[];
  do {
    dropped = await dropExcessHeldEvents(core);
    tellDropped(core.log, dropped);
    total += dropped.length;
  } while (dropped.length >= droppedAtOnce);
  return total;
}

/** Tells, after the commit, of each. */
export function tellDropped(log: Log, dropped: readonly DroppedEvent[]): void {
  for (const event of dropped) log.info(event, 'Delivery: dropped');
}
