import { limits, ReplayDeliveries } from '@dealkeep/contract';
import type * as z from 'zod';
import type { Core } from '../../core.ts';
import type { Fragment, Statements, Transaction } from '../../database/connect.ts';
import { inTransaction } from '../../database/in-transaction.ts';
import { notFound, Problem } from '../../problem.ts';
import { checkInput } from '../../verb/check-input.ts';
import type { OrganizationName } from '../../verb/transact.ts';
import { standing, standingJoins, type WebhookStanding } from '../webhook-health.ts';
import { hasFailed, isLastAttempt } from './search-deliveries.ts';

export type DeliveryReplay = z.input<typeof ReplayDeliveries>;

/**
 * Sends deliveries of a webhook again whose last attempt was made between two moments: one extra attempt each, the
 * oldest first, as many a second as leave room for new events. Answers how many. Raises VALIDATION_ERROR, NOT_FOUND,
 * and CONFLICT when the webhook gets nothing now.
 */
export async function replayDeliveries(
  core: Core,
  organization: OrganizationName,
  replay: DeliveryReplay,
): Promise<{ count: number }> {
  const chosen = checkInput(ReplayDeliveries, replay);
  const now = core.clock.now().toISOString();
  const count = await inTransaction(core.slowSql, (tx) => queueReplay(tx, organization.id, chosen, now));
  core.deliveryWakeUp.send();
  const { webhook_id } = chosen;
  core.log.info({ webhook_id, organization_id: organization.id, count }, 'Deliveries: to be sent again');
  return { count };
}

/** The condition on attempts `a` that their deliveries are asked for. */
const isChosen = (
  sql: Statements,
  organization: string,
  { webhook_id: webhook, since, until, failed = false }: z.output<typeof ReplayDeliveries>,
): Fragment => sql`
  a.organization_id = ${organization} and a.webhook_id = ${webhook} and ${isLastAttempt(sql)}
  ${since === undefined ? sql`` : sql`and a.started_at >= ${since}::timestamptz`}
  ${until === undefined ? sql`` : sql`and a.started_at < ${until}::timestamptz`}
  ${failed ? sql`and ${hasFailed(sql)}` : sql``}`;

/** A delivery that would be sent again. */
interface Replayed {
  event_id: string;
  event_type: string | null;
  record_id: string | null;
  /** Of its last attempt, RFC 3339 in UTC. */
  last_attempt_at: string;
  delivered: boolean;
}

/** What `replayDeliveries` would send. */
export interface ReplayPreview {
  count: number;
  /** How many of these the receiver took already. */
  delivered: number;
  /** The first of them, the oldest first. */
  first: Replayed[];
}

const mostPreviewed = 20;

/**
 * Says which deliveries would be sent again, without sending any; with `until` at this moment, these are all that
 * `replayDeliveries` sends with the same `until`, less what was sent meanwhile. Raises VALIDATION_ERROR.
 */
export async function previewReplay(
  core: Core,
  { id: organization }: Pick<OrganizationName, 'id'>,
  replay: DeliveryReplay,
): Promise<ReplayPreview> {
  const chosen = checkInput(ReplayDeliveries, replay);
  const now = core.clock.now().toISOString();
  const { slowSql: sql } = core;
  const rows = await sql<(Replayed & { count: number; of_delivered: number })[]>`
    select a.event_id, a.event_type, e.record_id, a.started_at as last_attempt_at,
           coalesce(a.status, 0) between 200 and 299 as delivered,
           (count(*) over ())::integer as count,
           (count(*) filter (where a.status between 200 and 299) over ())::integer as of_delivered
    from attempts a
    join events e on e.organization_id = a.organization_id and e.id = a.event_id and not e.test
    where ${isChosen(sql, organization, chosen)}
      -- What is being sent, or asked for by hand, is sent anyway.
      and not exists (
        select from deliveries d
        where d.webhook_id = a.webhook_id and d.event_id = a.event_id
          and (d.worker_id is not null or d.by_hand or d.due_at <= ${now}::timestamptz))
    order by a.started_at, a.id limit ${mostPreviewed}`;
  const [{ count, of_delivered: delivered } = { count: 0, of_delivered: 0 }] = rows;
  return { count, delivered, first: rows.map(({ count: _, of_delivered: __, ...each }) => each) };
}

/** What waits in the queue is sent between its retries; what is being sent at this moment is left out. */
export async function queueReplay(
  tx: Transaction,
  organization: string,
  replay: z.output<typeof ReplayDeliveries>,
  now: string,
): Promise<number> {
  const { webhook_id: webhook } = replay;
  await requireActiveWebhook(tx, organization, webhook, now);
  // PostgreSQL expects one chosen row, and would read the whole queue once for each by a nested loop.
  await tx`set local enable_nestloop = off`;
  const [row] = await tx<{ count: number }[]>`
    with tried as (
      select a.event_id, a.number,
             (select occurred_at from events e
              where e.organization_id = a.organization_id and e.id = a.event_id and not e.test) as occurred_at,
             ${now}::timestamptz + make_interval(
               secs => ((row_number() over (order by a.started_at, a.id) - 1) / ${limits.replayedPerSecond}::float))
               as due_at
      from attempts a
      where ${isChosen(tx, organization, replay)}
    ), chosen as (
      -- Of an event that is no longer kept there is nothing to send, and of a test nothing to make up for.
      select * from tried where occurred_at is not null
    ), moved as (
      update deliveries d set by_hand = true, retry_at = d.due_at, due_at = chosen.due_at
      from chosen
      where d.webhook_id = ${webhook} and d.event_id = chosen.event_id and d.worker_id is null and not d.by_hand
        and d.due_at > chosen.due_at
      returning 1
    ), queued as (
      insert into deliveries (id, organization_id, webhook_id, event_id, attempts, due_at, created_at, by_hand)
      select gen_random_uuid(), ${organization}, ${webhook}, event_id, number, due_at, occurred_at, true
      from chosen
      where not exists (
        select from deliveries d where d.webhook_id = ${webhook} and d.event_id = chosen.event_id)
      on conflict (webhook_id, event_id) where by_hand do nothing
      returning 1
    )
    select ((select count(*) from moved) + (select count(*) from queued))::integer as count`;
  return row?.count ?? 0;
}

/**
 * Sends a delivery of the log again, at once: one extra attempt, with the same body and `webhook-id`, which leaves the
 * schedule of one that waits as it is. Asked for twice before it is sent, it is sent once. Raises NOT_FOUND, and
 * CONFLICT while it is being sent or its webhook gets nothing.
 */
export async function resendDelivery(
  core: Core,
  organization: OrganizationName,
  delivery: { webhook_id: string; event_id: string },
): Promise<void> {
  const now = core.clock.now().toISOString();
  await inTransaction(core.sql, async (tx) => {
    await requireActiveWebhook(tx, organization.id, delivery.webhook_id, now);
    if (!(await moveForward(tx, delivery, now))) await queueAgain(tx, organization.id, delivery, now);
  });
  core.deliveryWakeUp.send();
  core.log.info(
    { ...delivery, organization_id: organization.id, by_hand: true },
    'Delivery: to be sent again',
  );
}

/** Makes a delivery due now that is still in the queue. Answers whether it is. */
async function moveForward(
  tx: Transaction,
  { webhook_id, event_id }: { webhook_id: string; event_id: string },
  now: string,
): Promise<boolean> {
  const [waiting] = await tx<{ id: string; worker_id: number | null }[]>`
    select id, worker_id from deliveries where webhook_id = ${webhook_id} and event_id = ${event_id} for update`;
  if (!waiting) return false;
  if (waiting.worker_id !== null) throw new Problem('delivery.under_way');
  await tx`
    update deliveries set by_hand = true, retry_at = due_at, due_at = ${now}
    where webhook_id = ${webhook_id} and id = ${waiting.id} and due_at > ${now} and not by_hand`;
  return true;
}

/** Puts a delivery that is over into the queue again. Only what was once sent to a webhook is sent to it again. */
async function queueAgain(
  tx: Transaction,
  organization: string,
  { webhook_id, event_id }: { webhook_id: string; event_id: string },
  now: string,
): Promise<void> {
  const { count } = await tx`
    insert into deliveries (id, organization_id, webhook_id, event_id, attempts, due_at, created_at, by_hand)
    select gen_random_uuid(), ${organization}, ${webhook_id}, ${event_id}, a.number, ${now}, e.occurred_at, true
    from attempts a join events e on e.organization_id = a.organization_id and e.id = a.event_id
    where a.organization_id = ${organization} and a.event_id = ${event_id} and a.webhook_id = ${webhook_id}
    order by a.number desc limit 1
    on conflict (webhook_id, event_id) where by_hand do update set by_hand = true`;
  if (count === 0) throw notFound();
}

/** Raises NOT_FOUND, and CONFLICT for a webhook that gets nothing now. It is not removed before the commit. */
async function requireActiveWebhook(
  tx: Transaction,
  organization: string,
  webhook: string,
  now: string,
): Promise<void> {
  const [row] = await tx<{ standing: WebhookStanding }[]>`
    select ${standing(tx, now)} as standing from webhooks w ${standingJoins(tx)}
    where w.organization_id = ${organization} and w.id = ${webhook} for key share of w`;
  if (!row) throw notFound();
  if (row.standing !== 'active') throw new Problem('delivery.webhook_inactive');
}
