import { roleBacks } from '../credentials/authorize.ts';
import type { Fragment, Statements } from '../database/connect.ts';

/**
 * The parts of a statement behind `event (organization_id, id, type, occurred_at)`, events that were just written: what
 * is delivered or held because of them.
 */
export const causedDeliveries = (sql: Statements): Fragment => sql`
  listening as (${listeningWebhooks(sql)}),
  held as (
    insert into held_events (organization_id, webhook_id, event_id, attempts, occurred_at, held_at)
    select organization_id, webhook_id, event_id, 0, occurred_at, occurred_at
    from listening where disabled_reason = 'failing'),
  queued as (
    insert into deliveries (id, organization_id, webhook_id, event_id, due_at, created_at)
    -- This machine's clock may be ahead of those of the workers; the database's they share.
    select gen_random_uuid(), organization_id, webhook_id, event_id, least(occurred_at, clock_timestamp()), occurred_at
    from listening where disabled_reason is null)`;

/** How many webhooks an event is on its way to, and how many it is held for. */
export interface Caused {
  event_id: string;
  deliveries: number;
  held: number;
}

/** What such a statement answers: a row for each event that was written. */
export const caused = (sql: Statements): Fragment => sql`
  select event.id as event_id, count(*) filter (where webhook_id is not null and disabled_reason is null) as deliveries,
         count(*) filter (where disabled_reason is not null) as held
  from event left join listening on listening.event_id = event.id
  group by event.id`;

/**
 * The webhooks that each row of `event` concerns, at the moment at which it happens: subscribed to its type, and not
 * disabled in a way that holds nothing. A hook's key or connection has the scope of each of its events, because it could
 * not have subscribed without, and the scopes never change; the role of the person behind a connection does, and what
 * happens while it lacks the permission is lost to its hooks (rule deliveries 24).
 *
 * Locked in the order of their ids, so that nobody deadlocks; one that is being removed is left out.
 */
const listeningWebhooks = (tx: Statements): Fragment => tx`
  select w.organization_id, w.id as webhook_id, w.disabled_reason, event.id as event_id, event.occurred_at
  from event join webhooks w on w.organization_id = event.organization_id and w.events @> array[event.type]
  where (w.disabled_reason is null or w.disabled_reason = 'failing') and ${roleBacks(tx, tx`array[event.type]`)}
  order by w.id, event.id for key share of w`;
