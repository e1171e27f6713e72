import { randomUUIDv7 } from 'node:crypto';
import { CreateWebhook } from '@dealkeep/contract';
import type * as z from 'zod';
import type { Core } from '../../core.ts';
import { type Once, type OrganizationName, transact } from '../../verb/transact.ts';
import type { Changing } from '../../verb/verb.ts';
import { eventTypesOf } from '../event-types-of.ts';
import { requireRoom } from '../require-room.ts';
import { getWebhookWithHealth, type Webhook } from '../show-webhooks.ts';
import { newWebhookSecret, placeOfSecret } from '../webhook-secret.ts';
import { checkWebhook } from './check-webhook.ts';
import { choosePeople } from './choose-people.ts';

/**
 * Makes a webhook by hand. Answers it with its secret, this once. It belongs to no key: the API does not show it, but
 * it counts against the maximum. Raises VALIDATION_ERROR, UNKNOWN_EVENT, WEBHOOK_URL_INVALID, WEBHOOK_URL_BLOCKED and
 * LIMIT_EXCEEDED.
 */
export async function createHandMadeWebhook(
  core: Core,
  organization: OrganizationName,
  input: z.input<typeof CreateWebhook>,
  once?: Once,
): Promise<Webhook & { secret: string }> {
  const {
    name,
    target_url,
    events,
    notify_user_ids = [],
  } = await checkWebhook(core, { organization: organization.id, isNew: true }, CreateWebhook, input);
  const subscribed = eventTypesOf(events);
  const work = async ({ sql, now }: Changing) => {
    await requireRoom(sql, organization.id);
    const id = randomUUIDv7();
    const secret = newWebhookSecret();
    const sealed = core.secrets.encrypt(secret, placeOfSecret({ organization_id: organization.id, id }));
    await sql`
      insert into webhooks (organization_id, id, name, target_url, events, secret, created_at)
      values (${organization.id}, ${id}, ${name}, ${target_url}, ${subscribed}, ${sealed}, ${now})`;
    await choosePeople(sql, { organization: organization.id, webhook: id }, notify_user_ids);
    return { ...(await getWebhookWithHealth(core, organization, id, sql)), secret };
  };
  return transact(core, organization, work, once);
}
