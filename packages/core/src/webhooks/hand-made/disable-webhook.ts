import type { Core } from '../../core.ts';
import {
  tellWithdrawn,
  type WithdrawnDelivery,
  withdrawDeliveries,
} from '../../deliveries/withdraw-deliveries.ts';
import { type OrganizationName, transact } from '../../verb/transact.ts';
import { getWebhookWithHealth, type Webhook } from '../show-webhooks.ts';
import { lockWebhook } from './lock-webhook.ts';

/**
 * Disables a hand-made webhook: from now on nothing is sent or held, and what waits is dropped. Nothing changes when it
 * is disabled already. Answers it. Raises NOT_FOUND.
 */
export async function disableWebhook(
  core: Core,
  organization: OrganizationName,
  { id }: { id: string },
): Promise<Webhook> {
  const { webhook, withdrawn } = await transact(core, organization, async ({ sql, now }) => {
    const { disabled_reason: reason } = await lockWebhook(sql, organization.id, id);
    let withdrawn: WithdrawnDelivery[] = [];
    if (reason === null) {
      await sql`
        update webhooks set disabled_reason = 'by_hand', disabled_at = ${now}, dropped_events = 0
        where organization_id = ${organization.id} and id = ${id}`;
      withdrawn = await withdrawDeliveries(sql, [id], { now });
      await sql`delete from held_events where organization_id = ${organization.id} and webhook_id = ${id}`;
    }
    return { webhook: await getWebhookWithHealth(core, organization, id, sql), withdrawn };
  });
  tellWithdrawn(core.log, withdrawn);
  return webhook;
}
