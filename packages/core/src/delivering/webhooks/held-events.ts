import { limits } from '@dealkeep/contract';
import type { WebhookKey } from '../../change/queue/delivery-jobs.ts';
import type { Clock } from '../../foundations/clock.ts';
import type { Database, Fragment, Statements } from '../../foundations/database/connect.ts';
import type { Log } from '../../foundations/log.ts';
import { roleBacks } from '../../identity/credentials/authorize.ts';
import { webhookStatus, webhookStatusJoins } from './webhook-status.ts';

/**
 * Puts the oldest held event of webhooks that are active again into the queue. The next one follows when the attempt
 * is over, whatever came of it, so that they arrive in order; new events do not wait for them. Those that a role
 * does not let be read stay. Answers how many.
 *
 * @param which a condition on `webhooks w`
 */
export async function releaseNext(sql: Statements, which: Fragment, now: string): Promise<number> {
  // Which type an event has is asked only where a role lets some be read and others not: the events may be on
  // another server.
  const [row] = await sql<{ released: number; limited: WebhookKey[] }[]>`
    with ready as materialized (
      select w.organization_id, w.id as webhook_id, ${roleBacks(sql, sql`w.events`)} as is_backed
      from webhooks w ${webhookStatusJoins(sql)}
      where ${which} and ${webhookStatus(sql, now, sql`'{}'::text[]`)} = 'active'
    ), next as (
      select held.* from ready
      cross join lateral (
        select h.* from held_events h where h.webhook_id = ready.webhook_id
        order by h.occurred_at, h.event_id limit 1 for update skip locked) held
      where ready.is_backed
    ), ${released(sql, now)}
    select (select count(*)::integer from gone) as released,
           (select coalesce(json_agg(json_build_object('organization_id', organization_id, 'webhook_id', webhook_id)), '[]')
            from ready where not is_backed) as limited`;
  let count = row?.released ?? 0;
  for (const webhook of row?.limited ?? []) count += await releaseReadable(sql, webhook, now);
  return count;
}

/** The parts behind `next`, held events, that put them into the queue. */
const released = (sql: Statements, now: string): Fragment => sql`
    released as (
      insert into deliveries (id, organization_id, webhook_id, event_id, attempts, extra_attempts, due_at, created_at,
                              in_order)
      select gen_random_uuid(), organization_id, webhook_id, event_id, attempts, extra_attempts, ${now}, occurred_at,
             true
      from next
      on conflict (webhook_id) where in_order do nothing
      returning webhook_id, event_id, created_at
    ), gone as (
      delete from held_events h using released r
      where h.webhook_id = r.webhook_id and h.occurred_at = r.created_at and h.event_id = r.event_id
      returning 1)`;

/** The same of one webhook whose role does not let all of its events be read: the first that it does. */
async function releaseReadable(
  sql: Statements,
  { organization_id, webhook_id }: WebhookKey,
  now: string,
): Promise<number> {
  const held = await sql<{ event_id: string }[]>`
    select event_id from held_events where webhook_id = ${webhook_id} order by occurred_at, event_id`;
  const events = await sql<{ id: string; type: string }[]>`
    select id, type from events
    where organization_id = ${organization_id} and id = any(${held.map(({ event_id }) => event_id)}::text[])`;
  const types = [...new Set(events.map(({ type }) => type))];
  const hidden = await sql<{ type: string }[]>`
    select each.type from webhooks w cross join unnest(${types}::text[]) as each (type)
    where w.organization_id = ${organization_id} and w.id = ${webhook_id} and not ${roleBacks(sql, sql`array[each.type]`)}`;
  const isHidden = new Set(hidden.map(({ type }) => type));
  const kept = new Set(events.filter(({ type }) => isHidden.has(type)).map(({ id }) => id));
  const next = held.find(({ event_id }) => !kept.has(event_id));
  if (!next) return 0;
  const rows = await sql`
    with next as (
      select * from held_events where webhook_id = ${webhook_id} and event_id = ${next.event_id}
      for update skip locked
    ), ${released(sql, now)}
    select from gone`;
  return rows.length;
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
      select w.organization_id, w.id from webhooks w ${webhookStatusJoins(sql)}
      where ${which} and exists (select from held_events h where h.webhook_id = w.id)
        and ${webhookStatus(sql, now.toISOString())} <> 'active'
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
