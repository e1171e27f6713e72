import type { TriggerDeclaration } from '../catalog/triggers.ts';
import { type FormField, textField } from '../forms/form-field.ts';
import { isApiRecord } from '../records/api-record.ts';
import { operationOf } from '../registry.ts';
import { pageIn, recordIn } from '../requests/answer.ts';
import type { Api } from '../requests/api.ts';
import { eventsField, hookFilters, watchField } from './trigger-form.ts';
import { refuseVainFilters } from './vain-filters.ts';
import { wantedEvents } from './wanted-events.ts';

/** What the platform keeps of a subscription and hands back with every delivery. */
export interface Subscription {
  readonly id: string;
  readonly secret: string;
}

/** The hook of a workflow. */
interface Subscribing {
  readonly targetUrl: string;
  /** What people see of it in Dealkeep. */
  readonly name: string;
  readonly declaration: TriggerDeclaration;
  readonly input: Readonly<Record<string, unknown>>;
}

/**
 * Makes the hook of a workflow, which asks for nothing but what the workflow waits for. One that is left from before
 * for the same address is changed and given a new secret, so that what waits for it arrives; further ones are
 * removed, since two hooks for one address would run the workflow twice. Other addresses are never touched.
 */
export async function subscribe(
  api: Api,
  { targetUrl, name, declaration, input }: Subscribing,
): Promise<Subscription> {
  const filtered = hookFilters(declaration, input);
  const { events, filters, changedFields } = wantedEvents(declaration, input);
  await refuseVainFilters(api, events, filtered, input);
  const hooks = pageIn(await api.call({ operation: operationOf('webhooks.list') })).items;
  const [left, ...further] = hooks
    .filter((each) => each['target_url'] === targetUrl)
    .map((each) => String(each['id']));
  for (const id of further) await unsubscribe(api, id);
  const asked = {
    body: {
      events,
      name,
      filters: Object.keys(filters).length > 0 ? filters : null,
      changed_fields: changedFields.length > 0 ? changedFields : null,
    },
    fields: [...filtered, ...otherFields(declaration)],
  };
  return (left && (await renewed(api, left, asked))) || made(api, targetUrl, asked);
}

/** What a hook asks for, and the fields of the form that its refusals are told with. */
interface Asked {
  readonly body: Readonly<Record<string, unknown>>;
  readonly fields: readonly FormField[];
}

/**
 * Changes a hook and gives it a new secret, because nobody knows its own any more. Undefined when it is gone
 * meanwhile.
 */
async function renewed(api: Api, id: string, { body, fields }: Asked): Promise<Subscription | undefined> {
  const answer = await api.call({
    operation: operationOf('webhooks.update'),
    path: { id },
    body: { ...body, rotate_secret: true },
    fields,
    accept: [404],
  });
  return answer.status === 404 ? undefined : subscriptionIn(recordIn(answer));
}

async function made(api: Api, targetUrl: string, { body, fields }: Asked): Promise<Subscription> {
  const operation = operationOf('webhooks.create');
  const hook = recordIn(await api.call({ operation, body: { ...body, target_url: targetUrl }, fields }));
  return { id: String(hook['id']), secret: String(hook['secret']) };
}

/** What a trigger asks for besides filters, as a hook takes it. */
const otherFields = ({ choiceLabel = 'Events' }: TriggerDeclaration): FormField[] => [
  severalTexts(eventsField, 'events', choiceLabel),
  severalTexts(watchField, 'changed_fields', 'Fields to Watch'),
];

const severalTexts = (key: string, path: string, label: string): FormField => ({
  ...textField(key, [path], label),
  list: true,
});

/** Removes the hook of a workflow; one that is gone already is no failure. */
export async function unsubscribe(api: Api, id: string): Promise<void> {
  await api.call({ operation: operationOf('webhooks.delete'), path: { id }, accept: [404] });
}

/** What was kept of a subscription; undefined when it is none. */
export function subscriptionIn(kept: unknown): Subscription | undefined {
  if (!isApiRecord(kept)) return undefined;
  const { id, secret } = kept;
  return typeof id === 'string' && typeof secret === 'string' ? { id, secret } : undefined;
}
