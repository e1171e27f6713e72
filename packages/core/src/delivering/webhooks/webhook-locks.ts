import type { WebhookKey } from '../../change/queue/delivery-jobs.ts';
import type { Fragment, Statements, Transaction } from '../../foundations/database/connect.ts';
import { webhookSuccessNotedEverySeconds } from '../../foundations/operating-limits.ts';
import type { WebhookHealth } from './webhook-health.ts';

/** A webhook to which something was just sent. */
export interface TriedWebhook extends WebhookKey {
  failed: boolean;
  /** The end of the last success among the attempts. */
  deliveredAt: string | null;
}

/**
 * Locks those of these webhooks that still exist, before they are removed. Several webhooks are always locked in the
 * order of their ids, and before deliveries are touched, so that nobody deadlocks.
 */
export async function lockForRemoval(
  tx: Transaction,
  webhooks: readonly WebhookKey[],
): Promise<WebhookKey[]> {
  return tx<WebhookKey[]>`
    select w.organization_id, w.id as webhook_id from webhooks w
    join unnest(${webhooks.map((each) => each.organization_id)}::uuid[],
                ${webhooks.map((each) => each.webhook_id)}::uuid[]) as wanted (organization_id, id)
      on wanted.organization_id = w.organization_id and wanted.id = w.id
    order by w.id for update of w`;
}

/**
 * Whether a success, `tried.delivered_at`, is to be noted of a webhook `w`: it failed before, or none was noted
 * lately.
 */
export const needsNote = (sql: Statements): Fragment => sql`
  (w.disabled_reason is null
   and (w.failing_since is not null
        or tried.delivered_at >= coalesce(
          w.last_success_at + make_interval(secs => ${webhookSuccessNotedEverySeconds}), '-infinity')))`;

/**
 * Locks, for a change of their health, those that fail, those that just failed, and those whose last success is to
 * be noted. A disabled one has no health: what was under way when it was disabled says nothing more.
 */
export async function lockTried(
  tx: Transaction,
  tried: readonly TriedWebhook[],
): Promise<(WebhookKey & WebhookHealth & { last_success_at: string | null })[]> {
  const failed = tried.filter((each) => each.failed).map((each) => each.webhook_id);
  return tx`
    select w.organization_id, w.id as webhook_id, w.failing_since, w.idle_since, w.failing_told_at, w.last_success_at
    from webhooks w
    join unnest(${tried.map((each) => each.organization_id)}::uuid[],
                ${tried.map((each) => each.webhook_id)}::uuid[],
                ${tried.map((each) => each.deliveredAt)}::timestamptz[])
      as tried (organization_id, id, delivered_at)
      on tried.organization_id = w.organization_id and tried.id = w.id
    where w.disabled_reason is null
      and (w.id = any(${failed}::uuid[]) or ${needsNote(tx)})
    order by w.id for no key update of w`;
}
