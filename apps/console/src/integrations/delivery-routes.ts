import { type FieldFacts, fieldsOf, SearchDeliveries } from '@dealkeep/contract';
import {
  type Delivery,
  type DeliverySearch,
  getDelivery,
  type LoggedAttempt,
  listWebhooksWithHealth,
  Problem,
  resendDelivery,
  searchDeliveries,
} from '@dealkeep/core';
import type { Hono } from 'hono';
import { html } from 'hono/html';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { forgeryField } from '../auth/forgery.ts';
import { idIn, requireOwner, requirePayingOwner } from '../auth/permitted.ts';
import type { ConsoleContext, ConsoleEnvironment } from '../context.ts';
import { bodyOf } from '../forms/body.ts';
import { fieldsMarkup } from '../forms/field-markup.ts';
import { explain } from '../forms/received.ts';
import { firstOf, readingOf, type Typed } from '../forms/typed.ts';
import { page } from '../frame/page.ts';
import { factList, type Markup } from '../markup.ts';
import { choiceLabel } from '../values/field-words.ts';
import { momentOf } from '../values/shown-value.ts';
import { eventLabel, nameOf, webhooksPath } from '../values/webhook.ts';
import { deliveryPath, deliveryTable, outcomeBadge, resultOf } from './delivery-table.ts';
import { doneNotice, integrationSay } from './texts.ts';
import { withEventChoices } from './webhook-edit-routes.ts';

const path = '/integrations/deliveries';

/** The delivery log, and one delivery with each of its attempts. */
export function deliveryRoutes(app: Hono<ConsoleEnvironment>): void {
  app.get(path, logPage);
  app.get(`${webhooksPath}/:id/deliveries/:event`, async (c) => {
    const { organization } = requireOwner(c);
    return deliveryPage(c, await getDelivery(c.get('core'), organization, deliveryIn(c)));
  });
  app.post(`${webhooksPath}/:id/deliveries/:event/resend`, async (c) => {
    const { organization } = requirePayingOwner(c);
    await resendDelivery(c.get('core'), organization, deliveryIn(c));
    return c.redirect(`${deliveryPath(deliveryIn(c))}?done=resent`, 303);
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
    const table =
      data.length > 0
        ? deliveryTable(c, data, webhooksIn(c, fields))
        : html`<div class="card empty"><p>${text('nothingInLog')}</p></div>`;
    const more = next
      ? html`<nav class="pages" aria-label="${text('log')}"><a rel="next" href="${addressOf(c, next)}">${integrationSay(c.get('language'))('nextPage')}</a></nav>`
      : '';
    return showLog(c, { fields, typed, problems: new Map() }, html`${table}${more}`);
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
  return page(
    c,
    {
      title,
      content: html`<p class="trail"><a href="${webhooksPath}">${text('webhooks')}</a></p><h1>${title}</h1><p class="quiet">${text('logAbout')}</p>
<form class="filter-form" action="${path}" role="search" aria-label="${text('filter')}"><div class="filters">${await fieldsMarkup(c, shown)}<button class="secondary">${text('filter')}</button><a href="${path}">${text('clearFilters')}</a></div></form>
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
      ? html`<span class="quiet">${text('webhookGone')}</span>`
      : html`<a href="${webhooksPath}/${id}">${nameOf({ name, target_url: target })}</a>`;
  const moment = (value: string | null): Markup | undefined =>
    value === null ? undefined : momentOf(c, value);
  const again =
    target === null || body === null
      ? ''
      : html`<form class="in-line" method="post" action="${deliveryPath(delivery)}/resend">${forgeryField(c)}<button>${text('resend')}</button></form>`;
  const content = html`<p class="trail"><a href="/integrations/deliveries?webhook_id=${id}">${text('log')}</a></p>
<div class="bar"><h1>${title} ${outcomeBadge(language, delivery.outcome)}</h1>${again}</div>
${doneNotice(c)}
<section class="card" aria-label="${text('event')}">${factList([
    [text('webhook'), webhook],
    [text('eventId'), html`<code>${event_id}</code>`],
    [text('occurred'), moment(delivery.occurred_at)],
    [text('nextAttempt'), moment(delivery.next_attempt_at)],
  ])}</section>
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
  return html`<section class="card" aria-label="${text('attempt', { number: attempt.number })}"><p><strong>${text('attempt', { number: attempt.number })}</strong> <span class="${good ? 'good' : 'bad'}">${resultOf(language, attempt)}</span>${attempt.by_hand ? html` <span class="badge">${text('attemptByHand')}</span>` : ''}<br><span class="quiet">${momentOf(c, attempt.started_at)}, ${attempt.duration_ms} ms</span></p>
<details><summary>${text('request')}</summary><pre tabindex="0">${headers.join('\n')}</pre></details>
${attempt.response_start ? html`<details><summary>${text('answer')}</summary><pre tabindex="0">${attempt.response_start}</pre></details>` : ''}</section>`;
}

const indented = (body: string): string => JSON.stringify(JSON.parse(body), null, 2);
