import { type FieldFacts, fieldsOf, SearchDeliveries } from '@dealkeep/contract';
import {
  type Delivery,
  type DeliverySearch,
  getDelivery,
  type LoggedAttempt,
  listWebhooksWithHealth,
  Problem,
  runAsUser,
  searchDeliveries,
} from '@dealkeep/core';
import type { Hono } from 'hono';
import { html } from 'hono/html';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { buttonForm } from '../auth/forgery.ts';
import { idIn, requireOwner } from '../auth/permitted.ts';
import type { ConsoleContext, ConsoleEnvironment } from '../context.ts';
import { bodyOf } from '../forms/body.ts';
import { fieldsMarkup } from '../forms/field-markup.ts';
import { explain } from '../forms/received.ts';
import { firstOf, readingOf, type Typed } from '../forms/typed.ts';
import { page } from '../frame/page.ts';
import {
  badge,
  bar,
  button,
  card,
  emptyState,
  type Fact,
  factList,
  folded,
  type Markup,
  quiet,
  trail,
} from '../markup.ts';
import { choiceLabel } from '../values/field-words.ts';
import { momentOf } from '../values/shown-value.ts';
import { eventLabel, nameOf, webhooksPath } from '../values/webhook.ts';
import { deliveryPath, deliveryTable, outcomeBadge, resultOf } from './delivery-table.ts';
import { doneNotice, integrationSay } from './texts.ts';
import { withEventChoices } from './webhook-form.ts';

const path = '/integrations/deliveries';

/** The delivery log, and one delivery with each of its attempts. */
export function deliveryRoutes(app: Hono<ConsoleEnvironment>): void {
  app.get(path, logPage);
  app.get(`${webhooksPath}/:id/deliveries/:event`, async (c) => {
    const { organization } = requireOwner(c);
    return deliveryPage(c, await getDelivery(c.get('core'), organization, deliveryIn(c)));
  });
  app.post(`${webhooksPath}/:id/deliveries/:event/resend`, async (c) => {
    const session = requireOwner(c);
    const delivery = deliveryIn(c);
    const path = { id: delivery.webhook_id, delivery_id: delivery.event_id };
    await runAsUser(c.get('core'), session, 'webhook-deliveries.resend', { path });
    return c.redirect(`${deliveryPath(delivery)}?done=resent`, 303);
  });
}

const deliveryIn = (c: ConsoleContext): { webhook_id: string; event_id: string } => ({
  webhook_id: idIn(c),
  event_id: c.req.param('event') ?? '',
});

/** What the log can be searched by; webhooks and events are chosen from lists. */
async function filters(c: ConsoleContext, typed: Typed): Promise<FieldFacts[]> {
  const { organization } = requireOwner(c);
  const webhooks = await listWebhooksWithHealth(c.get('core'), organization);
  const names = new Map(webhooks.map((webhook) => [webhook.id, nameOf(webhook)]));
  // A webhook that was removed still has its log, so it can be chosen.
  const asked = firstOf(typed, 'webhook_id');
  if (asked !== '' && !names.has(asked)) names.set(asked, asked);
  return fieldsOf(SearchDeliveries)
    .filter(({ name }) => name !== 'limit' && name !== 'cursor')
    .map((field) => {
      if (field.name === 'event_type') return withEventChoices(field);
      if (field.name !== 'webhook_id' || !field.description) return field;
      const choices = Object.fromEntries([...names].map(([id, name]) => [id, { en: name, sk: name }]));
      return { ...field, values: [...names.keys()], description: { ...field.description, choices } };
    });
}

/** The webhooks that can be chosen, with their names. */
const webhooksIn = (c: ConsoleContext, fields: readonly FieldFacts[]): ReadonlyMap<string, string> =>
  new Map(
    fields
      .filter(({ name }) => name === 'webhook_id')
      .flatMap((field) => field.values.map((id) => [id, choiceLabel(c, field, id)])),
  );

async function logPage(c: ConsoleContext): Promise<Response> {
  const { organization } = requireOwner(c);
  const typed: Typed = new Map(Object.entries(c.req.queries()));
  const fields = await filters(c, typed);
  const cursor = c.req.query('cursor');
  const search: DeliverySearch = {
    ...bodyOf(fields, typed, readingOf(c)),
    ...(cursor ? { cursor } : {}),
  };
  try {
    const { data, next_cursor: next } = await searchDeliveries(c.get('core'), organization, search);
    const text = integrationSay(c.get('language'));
    const found =
      data.length > 0 ? deliveryTable(c, data, webhooksIn(c, fields)) : emptyState(text('nothingInLog'));
    const further = next && html`<a rel="next" href="${addressOf(c, next)}">${text('nextPage')}</a>`;
    const pages = further ? html`<nav class="pages" aria-label="${text('log')}">${further}</nav>` : '';
    return showLog(c, { fields, typed, problems: new Map() }, html`${found}${pages}`);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    if (error.code === 'INVALID_CURSOR') return c.redirect(path, 303);
    if (error.code !== 'VALIDATION_ERROR') throw error;
    const { problems } = explain(c.get('language'), { fields, typed }, error);
    return showLog(c, { fields, typed, problems }, '', 422);
  }
}

/** The address of the same search, a page further. */
function addressOf(c: ConsoleContext, cursor: string): string {
  const query = new URL(c.req.url).searchParams;
  query.delete('language');
  query.set('cursor', cursor);
  return `${path}?${query}`;
}

async function showLog(
  c: ConsoleContext,
  state: { fields: FieldFacts[]; typed: Typed; problems: ReadonlyMap<string, string> },
  content: ReturnType<typeof html> | string,
  status?: ContentfulStatusCode,
): Promise<Response> {
  const text = integrationSay(c.get('language'));
  const shown = { ...state, found: new Map(), meanings: new Map() };
  const title = text('log');
  const press = button(text('filter'), { look: 'secondary' });
  const clear = html`<a href="${path}">${text('clearFilters')}</a>`;
  const filters = html`<div class="filters">${await fieldsMarkup(c, shown)}${press}${clear}</div>`;
  return page(
    c,
    {
      title,
      content: html`${trail(webhooksPath, text('webhooks'))}<h1>${title}</h1><p class="quiet">${text('logAbout')}</p>
<form class="filter-form" action="${path}" role="search" aria-label="${text('filter')}">${filters}</form>
${content}`,
    },
    status,
  );
}

/** One delivery: what was sent, and what each attempt was answered. */
function deliveryPage(c: ConsoleContext, delivery: Delivery): Promise<Response> {
  const [language, text] = [c.get('language'), integrationSay(c.get('language'))];
  const { webhook_id: id, event_id, webhook_name: name, target_url: target, body, log } = delivery;
  const title = eventLabel(c, delivery.event_type);
  const webhook =
    target === null
      ? quiet(text('webhookGone'))
      : html`<a href="${webhooksPath}/${id}">${nameOf({ name, target_url: target })}</a>`;
  const moment = (value: string | null): Markup | undefined =>
    value === null ? undefined : momentOf(c, value);
  const again =
    target === null || body === null
      ? ''
      : buttonForm(c, `${deliveryPath(delivery)}/resend`, button(text('resend')));
  const facts: Fact[] = [
    [text('webhook'), webhook],
    [text('eventId'), html`<code>${event_id}</code>`],
    [text('occurred'), moment(delivery.occurred_at)],
    [text('nextAttempt'), moment(delivery.next_attempt_at)],
  ];
  const content = html`${trail(`${path}?webhook_id=${id}`, text('log'))}
${bar(html`${title} ${outcomeBadge(language, delivery.outcome)}`, again)}
${doneNotice(c)}
${card(text('event'), factList(facts))}
<h2>${text('attempts')}</h2>
${log.map((attempt) => attemptMarkup(c, attempt))}
<h2>${text('sentBody')}</h2>
${body === null ? html`<p class="quiet">${text('bodyGone')}</p>` : html`<pre tabindex="0">${indented(body)}</pre>`}`;
  return page(c, { title, content });
}

function attemptMarkup(c: ConsoleContext, attempt: LoggedAttempt): Markup {
  const [language, text] = [c.get('language'), integrationSay(c.get('language'))];
  const good = attempt.status !== null && attempt.status >= 200 && attempt.status < 300;
  const headers = Object.entries(attempt.request_headers).map(([name, value]) => `${name}: ${value}`);
  const title = text('attempt', { number: attempt.number });
  const result = html`<span class="${good ? 'good' : 'bad'}">${resultOf(language, attempt)}</span>`;
  const byHand = attempt.by_hand ? html` ${badge(text('attemptByHand'))}` : '';
  const when = quiet(html`${momentOf(c, attempt.started_at)}, ${attempt.duration_ms} ms`);
  const asText = (shown: string): Markup => html`<pre tabindex="0">${shown}</pre>`;
  return card(
    title,
    html`<p><strong>${title}</strong> ${result}${byHand}<br>${when}</p>
${folded(text('request'), asText(headers.join('\n')))}
${attempt.response_start ? folded(text('answer'), asText(attempt.response_start)) : ''}`,
  );
}

const indented = (body: string): string => JSON.stringify(JSON.parse(body), null, 2);
