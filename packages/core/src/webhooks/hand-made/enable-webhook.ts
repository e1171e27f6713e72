import type { Core } from '../../core.ts';
import {
  type DroppedEvent,
  dropExcessHeldEvents,
  tellDropped,
} from '../../deliveries/drop-excess-held-events.ts';
import { releaseNext } from '../../deliveries/release-held-events.ts';
import { type OrganizationName, transact } from '../../verb/transact.ts';
import { getWebhookWithHealth, type Webhook } from '../show-webhooks.ts';
import { lockWebhook } from './lock-webhook.ts';

/**
 * Enables a hand-made webhook again; what was held for it is delivered, oldest first. Nothing changes when it is
 * enabled. Answers it. Raises NOT_FOUND.
 */
export async function enableWebhook(
  core: Core,
  organization: OrganizationName,
  { id }: { id: string },
): Promise<Webhook> {
  let dropped: DroppedEvent[] = [];
  const webhook = await transact(core, organization, async ({ sql, now }) => {
    const { disabled_reason: reason } = await lockWebhook(sql, organization.id, id);
    if (reason !== null) {
      const which = sql`w.organization_id = ${organization.id} and w.id = ${id}`;
      dropped = await dropExcessHeldEvents({ sql, clock: core.clock }, which);
      await sql`
        update webhooks w set disabled_reason = null, disabled_at = null, failing_since = null, idle_since = null,
                              failing_told_at = null
        where ${which}`;
      await releaseNext(sql, which, now);
    }
    return getWebhookWithHealth(core, organization, id, sql);
  });
  tellDropped(core.log, dropped);
  core.deliveryWakeUp.send();
  return webhook;
}
