import type { Fragment, Statements } from '../../foundations/database/connect.ts';
import { roleBacks } from '../../identity/credentials/authorize.ts';

/**
 * The parts of a statement behind `happened (id, type, occurred_at, facts)`, events of an organization that are
 * written with it or were just before: what is delivered or held because of them. Of the events' own table they need
 * nothing, because that may be on another server.
 */
export const causedDeliveries = (sql: Statements, organization: string): Fragment => sql`
  listening as (${listeningWebhooks(sql, organization)}),
  held as (
    insert into held_events (organization_id, webhook_id, event_id, attempts, occurred_at, held_at)
    select organization_id, webhook_id, event_id, 0, occurred_at, occurred_at
    from listening where disabled_reason = 'failing'),
  queued as (
    insert into deliveries (id, organization_id, webhook_id, event_id, due_at, created_at)
    -- This machine's clock may be ahead of those of the workers; the database's they share.
    select gen_random_uuid(), organization_id, webhook_id, event_id, least(occurred_at, clock_timestamp()), occurred_at
    from listening where disabled_reason is null)`;

/** An event that concerns a webhook: on its way to it, or held for it. */
export type Caused = readonly [event: string, webhook: string, fate: 'sent' | 'held'];

/**
 * All of them, as JSON. Counted by who reads them: each aggregate costs every change, most of which have one at
 * most.
 */
export const caused = (sql: Statements): Fragment => sql`
  (select coalesce(json_agg(json_build_array(
            event_id, webhook_id, case when disabled_reason is null then 'sent' else 'held' end)), '[]') from listening)`;

/**
 * The webhooks that each row of `happened` concerns, at the moment at which it happens: subscribed to its type,
 * wanting one like it (rule hooks 17), and not disabled in a way that holds nothing. A hook's key or connection has
 * the scope of each of its events, because it could not have subscribed without, and the scopes never change; the
 * role of the user behind a connection does, and what happens while it lacks the permission is lost to its hooks
 * (rule deliveries 24).
 *
 * Locked in the order of their ids, so that nobody deadlocks; one that is being removed is left out.
 */
const listeningWebhooks = (tx: Statements, organization: string): Fragment => tx`
  select w.organization_id, w.id as webhook_id, w.disabled_reason, event.id as event_id, event.occurred_at
  from happened event join webhooks w on w.organization_id = ${organization} and w.events @> array[event.type]
  where (w.condition is null or event.facts @@ w.condition) and (w.disabled_reason is null or w.disabled_reason = 'failing') and ${roleBacks(tx, tx`array[event.type]`)}
  order by w.id, event.id for key share of w`;
