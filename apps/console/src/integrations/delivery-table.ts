import { fieldsOf, type Language, SearchDeliveries } from '@dealkeep/contract';
import type { DeliveryOutcome, DeliverySummary } from '@dealkeep/core';
import { html } from 'hono/html';
import type { ConsoleContext } from '../context.ts';
import type { Markup } from '../markup.ts';
import { momentOf } from '../values/shown-value.ts';
import { eventLabel, webhooksPath } from '../values/webhook.ts';
import { integrationSay } from './texts.ts';

const outcomes = fieldsOf(SearchDeliveries).find(({ name }) => name === 'outcome')?.description?.choices;
const colours: Readonly<Record<DeliveryOutcome, string>> = {
  delivered: 'good',
  waiting: 'warning',
  held: 'warning',
  failed: 'bad',
};

export const outcomeBadge = (language: Language, outcome: DeliveryOutcome): Markup =>
  html`<span class="badge ${colours[outcome]}">${outcomes?.[outcome]?.[language] ?? outcome}</span>`;

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
  return html`<div class="scroll"><table><thead><tr><th scope="col">${text('event')}</th>${webhooks ? html`<th scope="col">${text('webhook')}</th>` : ''}<th scope="col">${text('outcome')}</th><th scope="col">${text('result')}</th><th scope="col" class="number">${text('attempts')}</th><th scope="col">${text('lastAttempt')}</th><th scope="col">${text('nextAttempt')}</th></tr></thead>
<tbody>${deliveries.map(
    (each) =>
      html`<tr><th scope="row"><a href="${deliveryPath(each)}">${eventLabel(c, each.event_type)}</a></th>${webhooks ? html`<td data-label="${text('webhook')}">${webhooks.get(each.webhook_id) ?? text('webhookGone')}</td>` : ''}<td data-label="${text('outcome')}">${outcomeBadge(language, each.outcome)}</td><td data-label="${text('result')}">${resultOf(language, each)}</td><td class="number" data-label="${text('attempts')}">${each.attempts}</td><td data-label="${text('lastAttempt')}">${momentOf(c, each.last_attempt_at)}</td><td data-label="${text('nextAttempt')}">${each.next_attempt_at ? momentOf(c, each.next_attempt_at) : ''}</td></tr>`,
  )}</tbody></table></div>`;
}
