import type { Transaction } from '../database/connect.ts';
import type { WebhookKey } from './webhook-locks.ts';

/**
 * Disables hand-made webhooks that have ended by themselves; REST hooks are removed instead. Their row is locked.
 * Answers the ids of those that are disabled now; what waits for them is still to be withdrawn.
 */
export async function disableWebhooks(
  tx: Transaction,
  webhooks: readonly (WebhookKey & { reason: 'gone' | 'failing' })[],
  now: string,
): Promise<string[]> {
  const disabled = await tx<{ id: string }[]>`
    update webhooks w set disabled_reason = ended.reason, disabled_at = ${now}, dropped_events = 0
    from unnest(${webhooks.map((each) => each.organization_id)}::uuid[],
                ${webhooks.map((each) => each.webhook_id)}::uuid[],
                ${webhooks.map((each) => each.reason)}::text[]) as ended (organization_id, id, reason)
    where w.organization_id = ended.organization_id and w.id = ended.id 
      and w.api_key_id is null and w.oauth_connection_id is null
    returning w.id`;
  return disabled.map(({ id }) => id);
}
