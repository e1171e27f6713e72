import { fieldsOf, type Language, SearchDeliveries } from '@dealkeep/contract';
import type { DeliveryOutcome, DeliverySummary } from '@dealkeep/core';
import { html } from 'hono/html';
import type { ConsoleContext } from '../context.ts';
import { badge, type Column, type Markup, type Tone, table } from '../markup.ts';
import { momentOf } from '../values/shown-value.ts';
import { eventLabel, webhooksPath } from '../values/webhook.ts';
import { integrationSay } from './texts.ts';

const outcomes = fieldsOf(SearchDeliveries).find(({ name }) => name === 'outcome')?.description?.choices;
const colours: Readonly<Record<DeliveryOutcome, Tone>> = {
  delivered: 'good',
  waiting: 'warning',
  held: 'warning',
  failed: 'bad',
};

export const outcomeBadge = (language: Language, outcome: DeliveryOutcome): Markup =>
  badge(outcomes?.[outcome]?.[language] ?? outcome, colours[outcome]);

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

/** Deliveries, each by its last attempt. With the names of webhooks, each also says to which. */
export function deliveryTable(
  c: ConsoleContext,
  deliveries: readonly DeliverySummary[],
  webhooks?: ReadonlyMap<string, string>,
): Markup {
  const [language, text] = [c.get('language'), integrationSay(c.get('language'))];
  const webhook: Column<DeliverySummary> = {
    label: text('webhook'),
    cell: ({ webhook_id: id }) => webhooks?.get(id) ?? text('webhookGone'),
  };
  const columns: Column<DeliverySummary>[] = [
    {
      label: text('event'),
      cell: (each) => html`<a href="${deliveryPath(each)}">${eventLabel(c, each.event_type)}</a>`,
    },
    ...(webhooks ? [webhook] : []),
    { label: text('outcome'), cell: ({ outcome }) => outcomeBadge(language, outcome) },
    { label: text('result'), cell: (each) => resultOf(language, each) },
    { label: text('attempts'), holds: 'number', cell: ({ attempts }) => attempts },
    { label: text('lastAttempt'), cell: (each) => momentOf(c, each.last_attempt_at) },
    {
      label: text('nextAttempt'),
      cell: ({ next_attempt_at: next }) => (next ? momentOf(c, next) : ''),
    },
  ];
  return table(columns, deliveries);
}
