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
  readonly url: string;
  readonly since: string;
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

/** A hook that somebody else has made anew since has the remembered ID and another secret. */
const isRemembered = (slot: HookSlot, { id, since }: ListedHook): boolean =>
  slot.id === id && slot.since === since;

/**
 * Whether the API still has exactly the remembered subscription: this address, these events, filters and fields, and
 * no second hook for the same address, whose deliveries the node could not verify.
 */
export async function isSubscribed(
  api: Requests,
  slot: HookSlot | undefined,
  url: string,
  wanted: Subscribed,
): Promise<boolean> {
  if (slot?.url !== url) return false;
  const [hook, ...others] = (await listHooks(api)).filter((each) => each.url === url);
  return (
    others.length === 0 && hook !== undefined && isRemembered(slot, hook) && sameWanted(hook.wanted, wanted)
  );
}

type Made = Pick<HookSlot, 'id' | 'secret' | 'since'>;

interface Subscribing {
  readonly url: string;
  readonly name: string;
  readonly owner: string;
  readonly wanted: Subscribed;
  /** What waited for a subscription before this one is wanted, too. A test waits for what happens from now on. */
  readonly resume: boolean;
}

/**
 * Subscribes. Of what earlier publications left behind, the remembered hook, which may be of another address when
 * n8n has moved, or else one of this address is changed, so that what waits for it arrives. Further ones of this
 * address are removed.
 */
export async function subscribe(
  api: Requests,
  slot: HookSlot | undefined,
  { url, name, owner, wanted, resume }: Subscribing,
): Promise<HookSlot> {
  const body = {
    target_url: url,
    events: wanted.events,
    name,
    filters: Object.keys(wanted.filters).length > 0 ? wanted.filters : null,
    changed_fields: wanted.changedFields.length > 0 ? wanted.changedFields : null,
  };
  const left = (await listHooks(api))
    .filter((hook) => hook.url === url || hook.id === slot?.id)
    .sort((one, other) => Number(other.id === slot?.id) - Number(one.id === slot?.id));
  let subscription: Made | undefined;
  for (const hook of left) {
    if (resume && !subscription) subscription = await renew(api, hook, slot, body);
    else await unsubscribe(api, hook.id);
  }
  subscription ??= subscriptionIn(
    await api.request({
      method: 'POST',
      path: hooksPath,
      body: resume ? body : { ...body, resume },
      fields: hookFields,
      idempotencyKey: `n8n-hook-${randomUUID()}`,
    }),
  );
  return { ...subscription, url, events: wanted.events, owner };
}

/**
 * Changes a hook. One whose secret is not remembered is given a new one, because its own was shown only once.
 * Undefined when it is gone meanwhile.
 */
async function renew(
  api: Requests,
  hook: ListedHook,
  slot: HookSlot | undefined,
  body: object,
): Promise<Made | undefined> {
  const secret = slot && isRemembered(slot, hook) ? slot.secret : undefined;
  const answer = await api.request({
    method: 'PATCH',
    path: `${hooksPath}/${encodeURIComponent(hook.id)}`,
    body: secret === undefined ? { ...body, rotate_secret: true } : body,
    fields: hookFields,
    mayBeGone: true,
  });
  return answer === gone ? undefined : subscriptionIn(answer, secret);
}

/** @param remembered where the answer tells no secret */
function subscriptionIn(answer: unknown, remembered?: string): Made {
  const [id, secret, since] = [
    valueAt(answer, 'data.id'),
    remembered ?? valueAt(answer, 'data.secret'),
    valueAt(answer, 'data.created_at'),
  ];
  if (typeof id !== 'string' || typeof secret !== 'string' || typeof since !== 'string') {
    throw new ApiFailure({ message: 'Dealkeep answered the subscription without an ID or a secret' });
  }
  return { id, secret, since };
}

/** Removes a hook. One that is gone already counts as removed; false tells that it was. */
export async function unsubscribe(api: Requests, id: string): Promise<boolean> {
  const path = `${hooksPath}/${encodeURIComponent(id)}`;
  return (await api.request({ method: 'DELETE', path, mayBeGone: true })) !== gone;
}

async function listHooks(api: Requests): Promise<ListedHook[]> {
  const list = { path: hooksPath, paged: false, query: {}, limit: undefined };
  const hooks: ListedHook[] = [];
  for await (const record of listRecords(api, list)) {
    const id = valueAt(record, 'id');
    if (typeof id !== 'string') continue;
    const filters = valueAt(record, 'filters');
    hooks.push({
      id,
      url: String(valueAt(record, 'target_url')),
      since: String(valueAt(record, 'created_at')),
      wanted: {
        events: texts(valueAt(record, 'events')),
        filters: Object.fromEntries(
          Object.entries(isRecord(filters) ? filters : {}).map(([name, values]) => [name, texts(values)]),
        ),
        changedFields: texts(valueAt(record, 'changed_fields')),
      },
    });
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
