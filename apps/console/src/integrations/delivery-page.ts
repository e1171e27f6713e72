import { type Delivery, getDelivery, type LoggedAttempt } from '@dealkeep/core/delivering';
import { runAsUser } from '@dealkeep/core/operations';
import type { Hono } from 'hono';
import { html } from 'hono/html';
import { buttonForm } from '../auth/forgery.ts';
import { idIn, requireOwner } from '../auth/permitted.ts';
import type { ConsoleContext, ConsoleEnvironment } from '../context.ts';
import { page } from '../frame/page.ts';
import {
  badge,
  bar,
  button,
  card,
  choices,
  type Fact,
  factList,
  folded,
  linkButton,
  type Markup,
  quiet,
  trail,
} from '../markup.ts';
import { momentOf, numberOf } from '../values/shown-value.ts';
import { eventLabel, nameOf, webhooksPath } from '../values/webhook.ts';
import { agoOf } from './ago.ts';
import { deliveriesPath, deliveryPath, outcomeBadge, recordLink, resultOf } from './delivery-table.ts';
import { deliverySay } from './delivery-texts.ts';
import { adviceOf } from './failure-advice.ts';
import { doneNotice, integrationSay } from './texts.ts';

/** One delivery: what was sent, what each attempt was answered, and what to do where it failed. */
export function deliveryRoutes(app: Hono<ConsoleEnvironment>): void {
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

function deliveryPage(c: ConsoleContext, delivery: Delivery): Promise<Response> {
  const [language, text] = [c.get('language'), deliverySay(c.get('language'))];
  const of = integrationSay(language);
  const { webhook_id: id, webhook_name: name, target_url: target, body, record_id, log } = delivery;
  const title = eventLabel(c, delivery.event_type);
  const webhook =
    target === null
      ? quiet(of('webhookGone'))
      : html`<a href="${webhooksPath}/${id}">${nameOf({ name, target_url: target })}</a>`;
  const again =
    target === null || body === null
      ? ''
      : buttonForm(c, `${deliveryPath(delivery)}/resend`, button(of('resend')));
  const others =
    record_id === null
      ? ''
      : html`<br><a href="${deliveriesPath}?record_id=${record_id}">${text('othersOfRecord')}</a>`;
  const record = recordLink(c, delivery);
  const facts: Fact[] = [
    [text('record'), record === '' ? undefined : html`${record}${others}`],
    [text('webhook'), webhook],
    [of('occurred'), delivery.occurred_at === null ? undefined : momentOf(c, delivery.occurred_at)],
    [text('lastAttempt'), agoOf(c, delivery.last_attempt_at)],
    [text('latency'), `${numberOf(c, delivery.duration_ms)} ms`],
    [of('nextAttempt'), delivery.next_attempt_at === null ? undefined : agoOf(c, delivery.next_attempt_at)],
  ];
  const isTest = delivery.test ? html` ${badge(text('test'), 'info')}` : '';
  const heading = html`${title} ${outcomeBadge(language, delivery.outcome)}${isTest}`;
  const content = html`${trail(`${deliveriesPath}?webhook_id=${id}`, text('deliveries'))}
${bar(heading, again)}
${doneNotice(c)}
${whyFailed(c, delivery)}
${card(of('event'), factList(facts))}
<h2>${of('attempts')}</h2>
${log.toReversed().map((attempt) => attemptMarkup(c, attempt))}
<h2>${of('sentBody')}</h2>
${body === null ? html`<p class="quiet">${of('bodyGone')}</p>` : html`<pre tabindex="0">${indented(body)}</pre>`}`;
  return page(c, { title, content, scripts: ['deliveries.js'] });
}

/**
 * Of a delivery whose last attempt failed: why, in words, what it answered, and what to do; nothing of any other.
 */
function whyFailed(c: ConsoleContext, delivery: Delivery): Markup | string {
  const last = delivery.log.at(-1);
  if (delivery.outcome === 'delivered' || !last) return '';
  const [language, text] = [c.get('language'), deliverySay(c.get('language'))];
  const answer =
    last.status === null
      ? ''
      : html`<h3>${text('answerStart')}</h3>${
          last.response_start
            ? asText(last.response_start)
            : html`<p class="quiet">${text('emptyAnswer')}</p>`
        }`;
  // One that was made by hand is mended here, a REST hook where it was made.
  const edit =
    delivery.webhook_kind === 'manual'
      ? choices(linkButton(`${webhooksPath}/${delivery.webhook_id}/edit`, text('editWebhook'), 'secondary'))
      : '';
  return html`<section class="card trouble" aria-labelledby="why"><h2 id="why">${text('whyFailed')}</h2>
<p><strong class="bad">${resultOf(language, last)}</strong></p>
<p>${adviceOf(language, last)} ${whatNext(c, delivery)}</p>${answer}${edit}</section>`;
}

function whatNext(c: ConsoleContext, { outcome, next_attempt_at: next }: Delivery): Markup | string {
  const text = deliverySay(c.get('language'));
  if (outcome === 'held') return text('waitsForWebhook');
  if (next === null) return text('notTriedAgain');
  const [before = '', after = ''] = text('triedAgain', { moment: '\n' }).split('\n');
  return html`${before}${agoOf(c, next)}${after}`;
}

function attemptMarkup(c: ConsoleContext, attempt: LoggedAttempt): Markup {
  const [language, text] = [c.get('language'), integrationSay(c.get('language'))];
  const good = attempt.status !== null && attempt.status >= 200 && attempt.status < 300;
  const headers = Object.entries(attempt.request_headers).map(([name, value]) => `${name}: ${value}`);
  const title = text('attempt', { number: attempt.number });
  const result = html`<span class="${good ? 'good' : 'bad'}">${resultOf(language, attempt)}</span>`;
  const byHand = attempt.by_hand ? html` ${badge(text('attemptByHand'))}` : '';
  const when = quiet(html`${momentOf(c, attempt.started_at)}, ${numberOf(c, attempt.duration_ms)} ms`);
  return card(
    title,
    html`<p><strong>${title}</strong> ${result}${byHand}<br>${when}</p>
${folded(text('request'), asText(headers.join('\n')))}
${attempt.response_start ? unfoldedIf(!good, text('answer'), asText(attempt.response_start)) : ''}`,
  );
}

/** What a failing attempt was answered is what somebody came for. */
const unfoldedIf = (open: boolean, summary: string, content: Markup): Markup =>
  open ? html`<details open><summary>${summary}</summary>${content}</details>` : folded(summary, content);

const asText = (shown: string): Markup => html`<pre tabindex="0">${shown}</pre>`;

const indented = (body: string): string => JSON.stringify(JSON.parse(body), null, 2);
