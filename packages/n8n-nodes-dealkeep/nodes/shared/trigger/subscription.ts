import { randomUUID } from 'node:crypto';
import { ApiFailure } from '../failure.ts';
import { triggerFilters } from '../generated/events.ts';
import { isRecord, valueAt } from '../record.ts';
import type { Field } from '../tables.ts';
import { gone } from '../transport/gone.ts';
import { listRecords } from '../transport/pages.ts';
import type { DealkeepApi } from '../transport/request.ts';
import type { HookSlot } from './hook-slot.ts';
import type { Subscribed } from './trigger-parameters.ts';

type Requests = Pick<DealkeepApi, 'request'>;

interface ListedHook {
  readonly id: string;
  readonly wanted: Subscribed;
}

/** For the labels in error messages. */
const hookFields: readonly Field[] = [
  { name: 'target_url', label: 'WEBHOOK_URL' },
  { name: 'events', label: 'Events' },
  {
    name: 'filters',
    label: 'Filters',
    fields: Object.values(triggerFilters).map(({ filter, label }) => ({ name: filter, label })),
  },
].map(asField);

function asField({
  fields,
  ...field
}: {
  name: string;
  label: string;
  fields?: { name: string; label: string }[];
}): Field {
  return {
    ...field,
    parameter: field.name,
    kind: 'text',
    ...(fields ? { fields: fields.map(asField) } : {}),
  };
}

const hooksPath = '/webhooks';

/**
 * Whether the API still has exactly the remembered subscription: this address, these events, filters and fields, and no
 * second hook for the same address, whose deliveries the node could not verify.
 */
export async function isSubscribed(
  api: Requests,
  slot: HookSlot | undefined,
  url: string,
  wanted: Subscribed,
): Promise<boolean> {
  if (slot?.url !== url) return false;
  const [hook, ...others] = await hooksFor(api, url);
  return others.length === 0 && hook?.id === slot.id && sameWanted(hook.wanted, wanted);
}

interface Subscribing {
  readonly url: string;
  readonly name: string;
  readonly owner: string;
  readonly wanted: Subscribed;
  /** What waited for a subscription before this one is wanted, too. A test waits for what happens from now on. */
  readonly resume: boolean;
}

/**
 * Subscribes. Of what earlier publications left behind, the remembered hook, which may be of another address when n8n has moved, or
 * else one of this address is changed and given a new secret, so that what waits for it arrives. Further ones of this address are
 * removed: their secrets are lost.
 */
export async function subscribe(
  api: Requests,
  slot: HookSlot | undefined,
  { url, name, owner, wanted, resume }: Subscribing,
): Promise<HookSlot> {
  const left = new Set([...(slot ? [slot.id] : []), ...(await hooksFor(api, url)).map((hook) => hook.id)]);
  const body = {
    target_url: url,
    events: wanted.events,
    name,
    filters: Object.keys(wanted.filters).length > 0 ? wanted.filters : null,
    changed_fields: wanted.changedFields.length > 0 ? wanted.changedFields : null,
  };
  let answer: unknown = gone;
  for (const id of left) {
    if (resume && answer === gone) answer = await renew(api, id, body);
    else await unsubscribe(api, id);
  }
  if (answer === gone) {
    answer = await api.request({
      method: 'POST',
      path: hooksPath,
      body: resume ? body : { ...body, resume },
      fields: hookFields,
      idempotencyKey: `n8n-hook-${randomUUID()}`,
    });
  }
  const [id, secret, since] = [
    valueAt(answer, 'data.id'),
    valueAt(answer, 'data.secret'),
    valueAt(answer, 'data.created_at'),
  ];
  if (typeof id !== 'string' || typeof secret !== 'string' || typeof since !== 'string') {
    throw new ApiFailure({ message: 'Dealkeep answered the subscription without an ID or a secret' });
  }
  return { id, secret, url, events: wanted.events, since, owner };
}

/** Changes a hook and gives it a new secret, because nobody knows its own any more. */
const renew = (api: Requests, id: string, body: object): Promise<unknown> =>
  api.request({
    method: 'PATCH',
    path: `${hooksPath}/${encodeURIComponent(id)}`,
    body: { ...body, rotate_secret: true },
    fields: hookFields,
    mayBeGone: true,
  });

/** Removes a hook. One that is gone already counts as removed; false tells that it was. */
export async function unsubscribe(api: Requests, id: string): Promise<boolean> {
  const path = `${hooksPath}/${encodeURIComponent(id)}`;
  return (await api.request({ method: 'DELETE', path, mayBeGone: true })) !== gone;
}

async function hooksFor(api: Requests, url: string): Promise<ListedHook[]> {
  const list = { path: hooksPath, paged: false, query: {}, limit: undefined };
  const hooks: ListedHook[] = [];
  for await (const record of listRecords(api, list)) {
    const id = valueAt(record, 'id');
    if (typeof id === 'string' && valueAt(record, 'target_url') === url) {
      const filters = valueAt(record, 'filters');
      hooks.push({
        id,
        wanted: {
          events: texts(valueAt(record, 'events')),
          filters: Object.fromEntries(
            Object.entries(isRecord(filters) ? filters : {}).map(([name, values]) => [name, texts(values)]),
          ),
          changedFields: texts(valueAt(record, 'changed_fields')),
        },
      });
    }
  }
  return hooks;
}

const texts = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);

const sameWanted = (one: Subscribed, other: Subscribed): boolean =>
  sameSet(one.events, other.events) &&
  sameSet(one.changedFields, other.changedFields) &&
  sameSet(Object.keys(one.filters), Object.keys(other.filters)) &&
  Object.entries(one.filters).every(([name, values]) => sameSet(values, other.filters[name] ?? []));

const sameSet = (some: readonly string[], others: readonly string[]): boolean =>
  new Set(some).size === new Set(others).size && some.every((each) => others.includes(each));
