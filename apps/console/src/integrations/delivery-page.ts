import type { Delivery, LoggedAttempt } from '@dealkeep/core';
import { html } from 'hono/html';
import { forgeryField } from '../auth/forgery.ts';
import type { ConsoleContext } from '../context.ts';
import { factList } from '../fact-list.ts';
import { page } from '../frame/page.ts';
import type { Markup } from '../markup.ts';
import { momentOf } from '../values/value.ts';
import { eventLabel, nameOf, webhooksPath } from '../values/webhook.ts';
import { deliveryPath, outcomeBadge, resultOf } from './delivery-table.ts';
import { doneNotice, integrationSay } from './texts.ts';

/** One delivery: what was sent, and what each attempt was answered. */
export function deliveryPage(c: ConsoleContext, delivery: Delivery): Promise<Response> {
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
