import {
  events,
  isEventType,
  type Language,
  namesOf,
  type Reference,
  type ResourceName,
  references,
} from '@dealkeep/contract';
import type { DeliveryOutcome, DeliverySummary, LoggedDelivery } from '@dealkeep/core/delivering';
import { html } from 'hono/html';
import type { ConsoleContext } from '../context.ts';
import { badge, type Column, type Markup, quiet, type Tone, table } from '../markup.ts';
import { type ShownRecord, textIn } from '../values/shown-record.ts';
import { numberOf } from '../values/shown-value.ts';
import { eventLabel, webhooksPath } from '../values/webhook.ts';
import { agoOf } from './ago.ts';
import { deliverySay } from './delivery-texts.ts';

export const deliveriesPath = '/integrations/deliveries';

const looks = {
  delivered: ['isDelivered', 'good'],
  waiting: ['isWaiting', 'warning'],
  held: ['isHeld', 'warning'],
  failed: ['isFailed', 'bad'],
} as const satisfies Readonly<Record<DeliveryOutcome, readonly [string, Tone]>>;

export function outcomeBadge(language: Language, outcome: DeliveryOutcome): Markup {
  const [name, tone] = looks[outcome];
  return badge(deliverySay(language)(name), tone);
}

/** Where a delivery stands with all its attempts. */
export const deliveryPath = ({
  webhook_id,
  event_id,
}: Pick<DeliverySummary, 'webhook_id' | 'event_id'>): string =>
  `${webhooksPath}/${webhook_id}/deliveries/${encodeURIComponent(event_id)}`;

/** The status that was answered, or why there was none. */
export const resultOf = (
  language: Language,
  { status, error }: Pick<DeliverySummary, 'status' | 'error'>,
): string =>
  [status === null ? '' : `HTTP ${status}`, error?.[language] ?? ''].filter((each) => each !== '').join(': ');

/**
 * The record that an event is about, by its name, which leads to it; nothing where it is no longer known. The record
 * of a test is a sample, which stands nowhere.
 */
export function recordLink(
  c: ConsoleContext,
  { event_type: type, record, test }: Pick<LoggedDelivery, 'event_type' | 'record' | 'test'>,
): Markup | string {
  if (record === null || type === null || !isEventType(type)) return '';
  const name = recordName(events[type].entity, record) || deliverySay(c.get('language'))('unnamed');
  const path = test ? undefined : recordPath(record);
  return path === undefined ? name : html`<a href="${path}">${name}</a>`;
}

/** How a delivery is named in a form: `webhook/event`. */
export const deliveryKey = ({
  webhook_id,
  event_id,
}: Pick<DeliverySummary, 'webhook_id' | 'event_id'>): string => `${webhook_id}/${event_id}`;

interface Shown {
  /** The names of webhooks: each delivery also says to which. */
  readonly webhooks?: ReadonlyMap<string, string>;
  /** Each can be ticked, in the form around them. */
  readonly selectable?: boolean;
}

/** Deliveries, each by its last attempt. */
export function deliveryTable(
  c: ConsoleContext,
  deliveries: readonly LoggedDelivery[],
  { webhooks, selectable = false }: Shown = {},
): Markup {
  const [language, text] = [c.get('language'), deliverySay(c.get('language'))];
  const webhook: Column<LoggedDelivery> = {
    label: text('webhook'),
    cell: ({ webhook_id: id }) => webhooks?.get(id) ?? quiet(text('removedWebhook')),
  };
  const tick = (each: LoggedDelivery): Markup | string => {
    if (!selectable) return '';
    const what = text('select', { what: eventLabel(c, each.event_type) });
    return html`<label class="tick"><input type="checkbox" name="delivery" value="${deliveryKey(each)}" aria-label="${what}"></label>`;
  };
  const columns: Column<LoggedDelivery>[] = [
    {
      label: text('event'),
      cell: (each) =>
        html`${tick(each)}<a href="${deliveryPath(each)}">${eventLabel(c, each.event_type)}</a>${
          each.test ? html` ${badge(text('test'), 'info')}` : ''
        }`,
    },
    { label: text('record'), cell: (each) => recordLink(c, each) },
    ...(webhooks ? [webhook] : []),
    { label: text('outcome'), cell: ({ outcome }) => outcomeBadge(language, outcome) },
    {
      label: text('answer'),
      cell: (each) =>
        html`<span>${resultOf(language, each)} ${quiet(`${numberOf(c, each.duration_ms)}\u00a0ms`)}</span>`,
    },
    { label: text('attempts'), holds: 'number', cell: ({ attempts }) => attempts },
    { label: text('lastAttempt'), cell: (each) => agoOf(c, each.last_attempt_at) },
    {
      label: text('nextAttempt'),
      cell: ({ next_attempt_at: next }) => (next === null ? '' : agoOf(c, next)),
    },
  ];
  return table(columns, deliveries);
}

/** What a record is called, by the fields that the contract says name it; empty where none is filled in. */
function recordName(resource: ResourceName, record: ShownRecord): string {
  const declared: Readonly<Record<string, Reference>> = references;
  const reference = declared[resource];
  // A quote is chosen nowhere, so that nothing but its number names it.
  const names = reference ? namesOf(reference) : ['number'];
  return names.map((path) => textIn(record, path)).find((name) => name !== '') ?? '';
}

/** Where the page of a record stands; undefined where the record does not say. */
function recordPath(record: ShownRecord): string | undefined {
  const address = URL.parse(textIn(record, 'app_url'));
  return address?.pathname;
}
