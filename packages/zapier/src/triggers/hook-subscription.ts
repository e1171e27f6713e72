import type { EventType } from '@dealkeep/contract';
import type { Bundle, ZObject } from 'zapier-platform-core';
import type { AuthenticationVariant } from '../authentication/variant.ts';
import { isApiRecord } from '../records/api-record.ts';
import { operationOf } from '../registry.ts';
import { pageIn, recordIn } from '../requests/answer.ts';
import { callApi } from '../requests/call-api.ts';

/** What Zapier keeps of a subscription and hands back with every delivery. */
export interface Subscription {
  readonly id: string;
  readonly secret: string;
}

/**
 * Makes the hook of a Zap. One that is left from before for the same address is removed first: its secret was shown
 * only once, and two hooks for one address would run the Zap twice. Other addresses are never touched.
 */
export async function subscribe(
  variant: AuthenticationVariant,
  z: ZObject,
  bundle: Bundle,
  events: readonly EventType[],
  name: string,
): Promise<Subscription> {
  const hooks = pageIn(await callApi(variant, z, bundle, { operation: operationOf('webhooks.list') })).items;
  for (const hook of hooks.filter((each) => each['target_url'] === bundle.targetUrl)) {
    await remove(variant, z, bundle, String(hook['id']));
  }
  const made = recordIn(
    await callApi(variant, z, bundle, {
      operation: operationOf('webhooks.create'),
      body: { target_url: bundle.targetUrl, events, name },
    }),
  );
  return { id: String(made['id']), secret: String(made['secret']) };
}

/** Removes the hook of a Zap; one that is gone already is no failure. */
export async function unsubscribe(
  variant: AuthenticationVariant,
  z: ZObject,
  bundle: Bundle,
): Promise<Record<string, never>> {
  const subscription = subscriptionOf(bundle);
  if (subscription) await remove(variant, z, bundle, subscription.id);
  return {};
}

export function subscriptionOf(bundle: Bundle): Subscription | undefined {
  const kept: unknown = bundle.subscribeData;
  if (!isApiRecord(kept)) return undefined;
  const { id, secret } = kept;
  return typeof id === 'string' && typeof secret === 'string' ? { id, secret } : undefined;
}

async function remove(variant: AuthenticationVariant, z: ZObject, bundle: Bundle, id: string): Promise<void> {
  await callApi(variant, z, bundle, {
    operation: operationOf('webhooks.delete'),
    path: { id },
    accept: [404],
  });
}
