import { getWebhookWithHealth, listWebhooksWithHealth, searchDeliveries, type Webhook } from '@dealkeep/core';
import type { Hono } from 'hono';
import { html } from 'hono/html';
import { forgeryField } from '../auth/forgery.ts';
import { idIn, requireOwner } from '../auth/permitted.ts';
import type { ConsoleContext, ConsoleEnvironment } from '../context.ts';
import { page } from '../frame/page.ts';
import { type Fact, factList, type Markup } from '../markup.ts';
import { momentOf } from '../values/shown-value.ts';
import { eventLabel, healthBadge, madeBy, nameOf, webhookSay, webhooksPath } from '../values/webhook.ts';
import { deliveryTable } from './delivery-table.ts';
import { doneNotice, integrationSay } from './texts.ts';

const recentDeliveries = 10;

/** All webhooks at a glance, and one with all that is known of it. */
export function webhookRoutes(app: Hono<ConsoleEnvironment>): void {
  app.get(webhooksPath, webhooksPage);
  app.get(`${webhooksPath}/:id`, webhookPage);
}

async function webhooksPage(c: ConsoleContext): Promise<Response> {
  const { organization } = requireOwner(c);
  const text = integrationSay(c.get('language'));
  const webhooks = await listWebhooksWithHealth(c.get('core'), organization);
  const create = html`<a class="button" href="${webhooksPath}/new">${text('newWebhook')}</a>`;
  const content = html`<div class="bar"><h1>${text('webhooks')}</h1><div class="choices"><a class="button secondary" href="/integrations/deliveries">${text('log')}</a>${create}</div></div>
${doneNotice(c)}
${
  webhooks.length === 0
    ? html`<div class="card empty"><h2>${text('noWebhooks')}</h2><p>${text('webhooksTeach')}</p><p class="choices centered">${create}</p></div>`
    : html`<div class="scroll"><table><thead><tr><th scope="col">${text('name')}</th><th scope="col">${text('health')}</th><th scope="col">${text('events')}</th><th scope="col">${text('madeBy')}</th><th scope="col">${text('lastSuccess')}</th></tr></thead>
<tbody>${webhooks.map((webhook) => webhookRow(c, webhook))}</tbody></table></div>`
}`;
  return page(c, { title: text('webhooks'), content });
}

function webhookRow(c: ConsoleContext, webhook: Webhook): Markup {
  const [first = null, ...others] = webhook.events;
  const { last_success_at: success } = webhook;
  const text = integrationSay(c.get('language'));
  return html`<tr><th scope="row"><a href="${webhooksPath}/${webhook.id}">${nameOf(webhook)}</a><br><span class="quiet">${new URL(webhook.target_url).host}</span></th><td data-label="${text('health')}">${healthBadge(c, webhook)}</td>
<td data-label="${text('events')}"><span>${eventLabel(c, first)}${others.length > 0 ? html` <span class="quiet">+${others.length}</span>` : ''}</span></td><td data-label="${text('madeBy')}">${madeBy(c, webhook)}</td>
<td data-label="${text('lastSuccess')}">${success ? momentOf(c, success) : html`<span class="quiet">${text('never')}</span>`}</td></tr>`;
}

async function webhookPage(c: ConsoleContext): Promise<Response> {
  const { organization } = requireOwner(c);
  const [core, id, text] = [c.get('core'), idIn(c), integrationSay(c.get('language'))];
  const webhook = await getWebhookWithHealth(core, organization, id);
  const recent = await searchDeliveries(core, organization, { webhook_id: id, limit: recentDeliveries });
  const title = nameOf(webhook);
  const content = html`<p class="trail"><a href="${webhooksPath}">${text('webhooks')}</a></p>
<div class="bar"><h1>${title} ${healthBadge(c, webhook)}</h1><div class="choices" role="group" aria-label="${text('steps')}">${steps(c, webhook)}${webhook.kind === 'hand_made' ? html`<a class="button" href="${webhooksPath}/${id}/edit">${text('edit')}</a>` : ''}</div></div>
${doneNotice(c)}
<section class="card" aria-label="${text('health')}">${factList(facts(c, webhook))}</section>
${testForm(c, webhook)}
<div class="bar"><h2>${text('recent')}</h2><a href="/integrations/deliveries?webhook_id=${id}">${text('wholeLog')}</a></div>
${recent.data.length > 0 ? deliveryTable(c, recent.data) : html`<div class="card empty"><p>${webhookSay(c.get('language'))('nothingSent')}</p></div>`}`;
  return page(c, { title, content });
}

function facts(c: ConsoleContext, webhook: Webhook): Fact[] {
  const text = integrationSay(c.get('language'));
  const moment = (value: string | null): Markup | undefined =>
    value === null ? undefined : momentOf(c, value);
  const known: [Parameters<typeof text>[0], Markup | string | undefined][] = [
    ['target', html`<code>${webhook.target_url}</code>`],
    ['events', webhook.events.map((type) => eventLabel(c, type)).join(', ')],
    ['madeBy', madeBy(c, webhook)],
    ['madeAt', momentOf(c, webhook.created_at)],
    ['lastSuccess', moment(webhook.last_success_at) ?? text('never')],
    ['failingSince', moment(webhook.failing_since)],
    ['disabledAt', moment(webhook.disabled_at)],
    ['held', webhook.held_events > 0 ? String(webhook.held_events) : undefined],
    ['dropped', webhook.dropped_events > 0 ? String(webhook.dropped_events) : undefined],
    ['previousSecret', moment(webhook.previous_secret_until)],
  ];
  return known.map(([name, value]) => [text(name), value]);
}

/** What can be done with a webhook. A REST hook is managed by the program that made it; here it can only be ended. */
function steps(c: ConsoleContext, { id, kind, disabled_reason: reason }: Webhook): Markup[] {
  const text = integrationSay(c.get('language'));
  const link = (name: string, label: string): Markup =>
    html`<a class="button secondary" href="${webhooksPath}/${id}/${name}">${label}</a>`;
  const enable = html`<form class="in-line" method="post" action="${webhooksPath}/${id}/enable">${forgeryField(c)}<button>${text('enable')}</button></form>`;
  const ofManual =
    kind === 'hand_made'
      ? [reason === null ? link('disable', text('disable')) : enable, link('rotate', text('rotate'))]
      : [];
  return [link('replay', text('replay')), ...ofManual, link('remove', text('remove'))];
}

function testForm(c: ConsoleContext, { id, kind, events }: Webhook): Markup | string {
  if (kind !== 'hand_made') return '';
  const text = integrationSay(c.get('language'));
  return html`<form class="filters" method="post" action="${webhooksPath}/${id}/test">${forgeryField(c)}
<div class="field"><label for="event">${text('testEvent')}</label><select id="event" name="event">${events.map((type) => html`<option value="${type}">${eventLabel(c, type)}</option>`)}</select></div><button class="secondary">${text('sendTest')}</button></form>`;
}
