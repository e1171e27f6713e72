import { limits } from '@dealkeep/contract';
import type { Core } from '../core.ts';
import type { Transaction } from '../database/connect.ts';
import {
  type DroppedEvent,
  dropExcessHeldEvents,
  releaseNext,
  tellDropped,
} from '../deliveries/held-events.ts';
import {
  tellWithdrawn,
  type WithdrawnDelivery,
  withdrawDeliveries,
} from '../deliveries/withdraw-deliveries.ts';
import { notFound } from '../problem.ts';
import { type OrganizationName, transact } from '../verb/transact.ts';
import { getWebhookWithHealth, type Webhook } from './show-webhooks.ts';
import { newWebhookSecret, placeOfSecret } from './targets.ts';

/**
 * Enables a manual webhook again; what was held for it is delivered, oldest first. Nothing changes when it is
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

/**
 * Disables a manual webhook: from now on nothing is sent or held, and what waits is dropped. Nothing changes when it
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

/**
 * Gives a manual webhook a new secret, which is answered this once. The former one signs, too, for 24 hours, so
 * that the receiver can change over; one that was still valid from an earlier change ends. Where the former one cannot be read (a key of SECRETS_KEY was lost), the
 * new one signs alone, and `previous_secret_until` is null. Raises NOT_FOUND.
 */
export const rotateWebhookSecret = (
  core: Core,
  organization: OrganizationName,
  { id }: { id: string },
): Promise<{ secret: string; previous_secret_until: string | null }> =>
  transact(core, organization, async ({ sql, now }) => {
    const { secret: former } = await lockWebhook(sql, organization.id, id);
    const { secrets } = core;
    const webhook = { organization_id: organization.id, id };
    const secret = newWebhookSecret();
    // One that nobody can read any more signs nothing: this is how its webhook gets another one.
    const previous = secrets.canDecrypt(former, placeOfSecret(webhook))
      ? secrets.encrypt(
          secrets.decrypt(former, placeOfSecret(webhook)),
          placeOfSecret(webhook, 'previous_secret'),
        )
      : null;
    const until = previous && new Date(Date.parse(now) + limits.previousSecretHours * 3600_000).toISOString();
    await sql`
      update webhooks
      set previous_secret = ${previous}, previous_secret_until = ${until},
          secret = ${secrets.encrypt(secret, placeOfSecret(webhook))}
      where organization_id = ${organization.id} and id = ${id}`;
    return { secret, previous_secret_until: until };
  });

/** Removes a webhook of either kind, with what waits for it. Raises NOT_FOUND. */
export const removeWebhook = (
  core: Core,
  organization: OrganizationName,
  { id }: { id: string },
): Promise<void> =>
  transact(core, organization, async ({ sql }) => {
    const { count } =
      await sql`delete from webhooks where organization_id = ${organization.id} and id = ${id}`;
    if (count === 0) throw notFound();
  });

/** A manual webhook as its verbs need it. */
interface LockedWebhook {
  events: string[];
  target_url: string;
  secret: Buffer;
  previous_secret: Buffer | null;
  disabled_reason: 'gone' | 'failing' | 'by_hand' | null;
}

/** Locks a manual webhook against other changes. Raises NOT_FOUND, also for a REST hook. */
export async function lockWebhook(
  sql: Transaction,
  organization: string,
  id: string,
): Promise<LockedWebhook> {
  const [webhook] = await sql<LockedWebhook[]>`
    select events, target_url, secret, previous_secret, disabled_reason from webhooks
    where organization_id = ${organization} and id = ${id}
      and api_key_id is null and oauth_connection_id is null
    for no key update`;
  if (!webhook) throw notFound();
  return webhook;
}
