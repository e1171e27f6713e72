import type { Core } from '@dealkeep/core';
import type { ResultOf } from '@dealkeep/core/change';
import { type DeliveryRecovery, getWebhookWithHealth, type Webhook } from '@dealkeep/core/delivering';
import { inConsole } from './in-console.ts';

// What owners do with webhooks in the console, and how the webhook is then.

interface Place {
  readonly id: string;
}

interface Described {
  readonly name?: string;
  readonly target_url?: string;
  readonly events?: readonly string[];
  readonly notify_user_ids?: readonly string[];
  readonly filters?: Readonly<Record<string, readonly string[]>> | null;
  readonly changed_fields?: readonly string[] | null;
  readonly headers?: readonly { readonly name: string; readonly value?: string }[] | null;
  readonly max_per_minute?: number | null;
  readonly asymmetric_signature?: boolean | null;
}

export async function createManualWebhook(
  core: Core,
  organization: Place,
  input: Described,
): Promise<Webhook & { secret: string }> {
  const { id, secret } = await inConsole(core, organization, 'manual-webhooks.create', { ...input });
  return { ...(await getWebhookWithHealth(core, organization, id)), secret };
}

export async function updateManualWebhook(
  core: Core,
  organization: Place,
  { id, ...changes }: Described & { readonly id: string },
): Promise<Webhook> {
  await inConsole(core, organization, 'manual-webhooks.update', { id, ...changes });
  return getWebhookWithHealth(core, organization, id);
}

export async function enableWebhook(core: Core, organization: Place, { id }: Place): Promise<Webhook> {
  await inConsole(core, organization, 'manual-webhooks.enable', { id });
  return getWebhookWithHealth(core, organization, id);
}

export async function disableWebhook(core: Core, organization: Place, { id }: Place): Promise<Webhook> {
  await inConsole(core, organization, 'manual-webhooks.disable', { id });
  return getWebhookWithHealth(core, organization, id);
}

export const removeWebhook = (core: Core, organization: Place, { id }: Place): Promise<unknown> =>
  inConsole(core, organization, 'webhooks.remove', { id });

export const rotateWebhookSecret = (
  core: Core,
  organization: Place,
  { id }: Place,
): Promise<ResultOf<'manual-webhooks.rotate-secret'>> =>
  inConsole(core, organization, 'manual-webhooks.rotate-secret', { id });

export const sendTestEvent = (
  core: Core,
  organization: Place,
  input: Place & { readonly event?: string },
): Promise<ResultOf<'webhooks.test'>> => inConsole(core, organization, 'webhooks.test', { ...input });

/** What is named of a delivery in the log. */
interface NamedDelivery {
  readonly webhook_id: string;
  readonly event_id: string;
}

export const resendDelivery = (
  core: Core,
  organization: Place,
  { webhook_id: id, event_id: delivery_id }: NamedDelivery,
): Promise<ResultOf<'webhook-deliveries.resend'>> =>
  inConsole(core, organization, 'webhook-deliveries.resend', { id, delivery_id });

export const recoverDeliveries = (
  core: Core,
  organization: Place,
  { id, ...body }: Place & DeliveryRecovery,
): Promise<ResultOf<'webhooks.recover'>> =>
  inConsole(core, organization, 'webhooks.recover', { id, ...body });
