import type { Core } from '../../core.ts';
import type { Transaction } from '../../database/connect.ts';
import { inTransaction } from '../../database/in-transaction.ts';
import { notFound, Problem } from '../../problem.ts';
import type { OrganizationName } from '../../verb/transact.ts';
import { requireActiveWebhook } from './require-active-webhook.ts';

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

/** Of a delivery that is still in the queue. Answers whether it is. */
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

/** Of a delivery that is over. Only what was once sent to a webhook is sent to it again. */
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
