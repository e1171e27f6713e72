import { UpdateWebhook } from '@dealkeep/contract';
import type * as z from 'zod';
import type { Core } from '../../core.ts';
import { type OrganizationName, transact } from '../../verb/transact.ts';
import { getWebhookWithHealth, type Webhook } from '../show-webhooks.ts';
import { checkWebhook } from './check-webhook.ts';
import { choosePeople } from './choose-people.ts';
import { lockWebhook } from './lock-webhook.ts';

/** Which webhook, and what changes; an absent field stays. */
export type WebhookChanges = { id: string } & z.input<typeof UpdateWebhook>;

/**
 * Changes a hand-made webhook. What waits already goes to the new address, and a new address is not blamed for the
 * failures of the old one. Answers it. Raises what making one raises, and NOT_FOUND.
 */
export async function updateHandMadeWebhook(
  core: Core,
  organization: OrganizationName,
  { id, ...input }: WebhookChanges,
): Promise<Webhook> {
  const { notify_user_ids: people, ...changes } = await checkWebhook(
    core,
    { organization: organization.id, isNew: false },
    UpdateWebhook,
    input,
  );
  return transact(core, organization, async ({ sql }) => {
    const { target_url: before } = await lockWebhook(sql, organization.id, id);
    const isElsewhere = changes.target_url !== undefined && changes.target_url !== before;
    const well = isElsewhere ? { failing_since: null, idle_since: null, failing_told_at: null } : {};
    const columns = Object.fromEntries(
      Object.entries({ ...changes, ...well }).filter(([, value]) => value !== undefined),
    );
    if (Object.keys(columns).length > 0) {
      await sql`update webhooks set ${sql(columns)} where organization_id = ${organization.id} and id = ${id}`;
    }
    if (people) await choosePeople(sql, { organization: organization.id, webhook: id }, people);
    return getWebhookWithHealth(core, organization, id, sql);
  });
}
