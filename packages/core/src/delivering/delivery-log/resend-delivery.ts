import type { HookDelivery } from '@dealkeep/contract';
import { type Writing, writes } from '../../change/verb/verb.ts';
import { notFound, Problem } from '../../foundations/problem.ts';
import { hooksOfCredential } from '../webhooks/rest-hooks.ts';
import { type WebhookStatus, webhookStatus, webhookStatusJoins } from '../webhooks/webhook-status.ts';
import { hookDelivery } from './hook-deliveries.ts';

/**
 * Sends a delivery of the log again, at once: one extra attempt, with the same body and `webhook-id`, which leaves
 * the schedule of one that waits as it is. Asked for twice before it is sent, it is sent once. Raises NOT_FOUND, and
 * CONFLICT while it is being sent or its webhook gets nothing.
 */
export const resendDelivery = writes('webhook-deliveries.resend', async (context, { path }) => {
  const { core, organization, afterCommit } = context;
  const named = { webhook_id: path.id, event_id: path.delivery_id };
  // Of the log first: it is kept where records are, perhaps on another server, and sending again changes nothing of
  // it.
  const delivery = await hookDelivery(context, path);
  const { state, is_sent: isSent, queued } = await queueAgain(context, named, delivery);
  if (state === null) throw notFound();
  if (state !== 'active') throw new Problem('delivery.webhook_inactive');
  if (isSent) throw new Problem('delivery.under_way');
  if (!queued) throw notFound();
  afterCommit(() => {
    core.deliveryJobs.add(organization, [path.id]);
    const told = { ...named, organization_id: organization, by_hand: true };
    core.log.info(told, 'Delivery: to be sent again');
  });
  return delivery;
});

interface Queued {
  /** Of the webhook; null where the credential has no such one. */
  state: WebhookStatus | null;
  /** It is being sent at this moment. */
  is_sent: boolean | null;
  /** It waits, to be sent now. */
  queued: boolean;
}

/**
 * Makes a delivery due now that is still in the queue, and puts one into it again that is over. Only what was once
 * sent to a webhook is sent to it again. The webhook is not removed before the commit.
 */
async function queueAgain(
  { sql, organization, actor, now, noted }: Pick<Writing, 'sql' | 'organization' | 'actor' | 'now' | 'noted'>,
  { webhook_id, event_id }: { readonly webhook_id: string; readonly event_id: string },
  { attempt_count: attempts, created_at }: Pick<HookDelivery, 'attempt_count' | 'created_at'>,
): Promise<Queued> {
  const [row] = await sql<Queued[]>`
    with hook as (
      select w.id, ${webhookStatus(sql, now)} as state from webhooks w ${webhookStatusJoins(sql)}
      where w.organization_id = ${organization} and w.id = ${webhook_id}
        and w.id in (select id from webhooks where ${hooksOfCredential(sql, actor)})
      for key share of w
    ), waiting as (
      select d.id, d.worker_id from hook join deliveries d on d.webhook_id = hook.id and d.event_id = ${event_id}
      where hook.state = 'active' for update of d
    ), moved as (
      update deliveries d set by_hand = true, retry_at = d.due_at, due_at = ${now}
      from waiting
      where d.webhook_id = ${webhook_id} and d.id = waiting.id and d.worker_id is null and d.due_at > ${now}
        and not d.by_hand
    ), queued as (
      insert into deliveries (id, organization_id, webhook_id, event_id, attempts, due_at, created_at, by_hand)
      select gen_random_uuid(), ${organization}, hook.id, ${event_id}, ${attempts}::integer, ${now}, ${created_at}, true
      from hook
      -- Of an event that is no longer kept there is nothing to send.
      where hook.state = 'active' and not exists (select 1 from waiting) and ${created_at}::timestamptz is not null
      on conflict (webhook_id, event_id) where by_hand do update set by_hand = true
      returning 1
    ), ${noted()}
    select (select state from hook) as state, (select worker_id from waiting limit 1) is not null as is_sent,
           exists (select 1 from waiting) or exists (select 1 from queued) as queued`;
  if (!row) throw new Error('Unreachable: one row always comes');
  return row;
}
