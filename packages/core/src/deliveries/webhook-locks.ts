import type { Transaction } from '../database/connect.ts';

/** A webhook as other rows name it. */
export interface WebhookKey {
  readonly organization_id: string;
  readonly webhook_id: string;
}

/** How a webhook does; both null while all is well. */
export interface WebhookHealth {
  /** The first failure after the last success; later by the time in which nothing was to be delivered. */
  failing_since: string | null;
  /** While it fails: since when nothing is to be delivered. */
  idle_since: string | null;
}

/**
 * Locks those of these webhooks that still exist, before they are removed. Whoever locks several webhooks does it in
 * the order of their ids, and before he touches deliveries, so that nobody deadlocks.
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

/** Locks, for a change of their health, those that fail and those that just failed. */
export async function lockUnwell(
  tx: Transaction,
  tried: readonly (WebhookKey & { failed: boolean })[],
): Promise<(WebhookKey & WebhookHealth)[]> {
  const failed = tried.filter((each) => each.failed).map((each) => each.webhook_id);
  return tx<(WebhookKey & WebhookHealth)[]>`
    select w.organization_id, w.id as webhook_id, w.failing_since, w.idle_since from webhooks w
    join unnest(${tried.map((each) => each.organization_id)}::uuid[],
                ${tried.map((each) => each.webhook_id)}::uuid[]) as tried (organization_id, id)
      on tried.organization_id = w.organization_id and tried.id = w.id
    where w.failing_since is not null or w.id = any(${failed}::uuid[])
    order by w.id for no key update of w`;
}
