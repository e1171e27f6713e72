import { randomUUID } from 'node:crypto';
import { ApiFailure } from '../failure.ts';
import { isRecord, valueAt } from '../record.ts';
import { listRecords } from '../transport/pages.ts';
import { type DealkeepApi, gone } from '../transport/request.ts';
import type { HookSlot } from './hook-slot.ts';

interface ListedHook {
  readonly id: string;
  readonly url: string;
  readonly events: readonly string[];
}

const hooksPath = '/webhooks';

/**
 * Whether the API still has exactly the remembered subscription: this address, these events, and no second hook for
 * the same address, whose deliveries the node could not verify.
 */
export async function isSubscribed(
  api: DealkeepApi,
  slot: HookSlot | undefined,
  url: string,
  events: readonly string[],
): Promise<boolean> {
  if (slot?.url !== url) return false;
  const [hook, ...others] = await hooksFor(api, url);
  return others.length === 0 && hook?.id === slot.id && sameSet(hook.events, events);
}

/**
 * Subscribes, after removing what earlier publications left behind: hooks of the same address (their secrets are
 * lost), and the remembered hook when n8n has moved to another address.
 */
export async function subscribe(
  api: DealkeepApi,
  slot: HookSlot | undefined,
  wanted: { url: string; events: readonly string[]; name: string; owner: string },
): Promise<HookSlot> {
  const left = (await hooksFor(api, wanted.url)).map((hook) => hook.id);
  for (const id of new Set([...left, ...(slot ? [slot.id] : [])])) await unsubscribe(api, id);
  const answer = await api.request({
    method: 'POST',
    path: hooksPath,
    body: { target_url: wanted.url, events: [...wanted.events], name: wanted.name },
    idempotencyKey: `n8n-hook-${randomUUID()}`,
  });
  const [id, secret] = [valueAt(answer, 'data.id'), valueAt(answer, 'data.secret')];
  if (typeof id !== 'string' || typeof secret !== 'string') {
    throw new ApiFailure({ message: 'Dealkeep answered the subscription without an ID or a secret' });
  }
  const { url, events, owner } = wanted;
  return { id, secret, url, events, since: new Date().toISOString(), owner };
}

/** Removes a hook. One that is gone already counts as removed; false tells that it was. */
export async function unsubscribe(api: DealkeepApi, id: string): Promise<boolean> {
  const path = `${hooksPath}/${encodeURIComponent(id)}`;
  return (await api.request({ method: 'DELETE', path, mayBeGone: true })) !== gone;
}

async function hooksFor(api: DealkeepApi, url: string): Promise<ListedHook[]> {
  const hooks: ListedHook[] = [];
  for await (const record of listRecords(api, {
    path: hooksPath,
    paged: false,
    query: {},
    limit: undefined,
  })) {
    const [id, target, events] = [
      valueAt(record, 'id'),
      valueAt(record, 'target_url'),
      valueAt(record, 'events'),
    ];
    if (typeof id === 'string' && target === url && isRecord(record)) {
      hooks.push({ id, url, events: Array.isArray(events) ? events.map(String) : [] });
    }
  }
  return hooks;
}

const sameSet = (some: readonly string[], others: readonly string[]): boolean =>
  new Set(some).size === new Set(others).size && some.every((each) => others.includes(each));
