import type { Database } from '../database/connect.ts';
import { inTransaction } from '../database/in-transaction.ts';
import type { WebhookKey } from './webhook-locks.ts';

/**
 * Gives the deliveries of paused webhooks back until later, and puts off all that waits for the same webhooks; their
 * order stays. That time does not count as failing.
 */
export async function postponeWebhooks(
  sql: Database,
  webhooks: readonly WebhookKey[],
  { workerId, now, until }: { workerId: number; now: string; until: string },
): Promise<void> {
  const organizations = webhooks.map((each) => each.organization_id);
  const ids = webhooks.map((each) => each.webhook_id);
  await inTransaction(sql, async (tx) => {
    await tx`
      update webhooks w set idle_since = ${now}
      from (select w.organization_id, w.id from webhooks w
            join unnest(${organizations}::uuid[], ${ids}::uuid[]) as paused (organization_id, id)
              on paused.organization_id = w.organization_id and paused.id = w.id
            where w.failing_since is not null and w.idle_since is null
            order by w.id for no key update of w) failing
      where w.organization_id = failing.organization_id and w.id = failing.id`;
    await tx`
      update deliveries d set worker_id = null, leased_until = null, due_at = ${until}
      from (select d.webhook_id, d.id from deliveries d
            where d.webhook_id = any(${ids}::uuid[])
              and (d.worker_id = ${workerId} or (d.worker_id is null and d.due_at <= ${now}))
            for update skip locked) waiting
      where d.webhook_id = waiting.webhook_id and d.id = waiting.id`;
  });
}
