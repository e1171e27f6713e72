import { limits } from '@dealkeep/contract';
import { listWebhooksWithHealth, type NotifiedUser, usersToNotify, type Webhook } from '@dealkeep/core';
import type { Hono } from 'hono';
import { html } from 'hono/html';
import { requireOwner } from '../auth/permitted.ts';
import type { ConsoleContext, ConsoleEnvironment } from '../context.ts';
import { page } from '../frame/page.ts';
import type { Markup } from '../markup.ts';
import { healthBadge, nameOf, webhooksPath } from '../values/webhook.ts';
import { settingsSay } from './texts.ts';

const path = '/settings/notifications';

const reasons = { chosen: 'becauseChosen', maker: 'becauseMaker', owner: 'becauseOwner' } as const;

/** Who is told when a webhook fails, webhook by webhook. */
export function notificationRoutes(app: Hono<ConsoleEnvironment>): void {
  app.get(path, notificationsPage);
}

async function notificationsPage(c: ConsoleContext): Promise<Response> {
  const { organization } = requireOwner(c);
  const [core, text] = [c.get('core'), settingsSay(c.get('language'))];
  const webhooks = await listWebhooksWithHealth(core, organization);
  const told = await usersToNotify(core.sql, { organization: organization.id });
  const toldOf = Map.groupBy(told, (person) => person.webhook_id);
  const content = html`<h1>${text('notifications')}</h1>
<p>${text('notificationsAbout', { hours: limits.failingMailHours, end: limits.failingEndHours })}</p>
${
  webhooks.length === 0
    ? html`<div class="card empty"><h2>${text('noWebhooks')}</h2><p>${text('noWebhooksTeach')}</p><p class="choices centered"><a class="button secondary" href="${webhooksPath}">${text('webhooks')}</a></p></div>`
    : html`<div class="scroll"><table><thead><tr><th scope="col">${text('webhook')}</th><th scope="col">${text('told')}</th><th scope="col"><span class="visually-hidden">${text('actions')}</span></th></tr></thead>
<tbody>${webhooks.map((webhook) => webhookRow(c, webhook, toldOf.get(webhook.id) ?? []))}</tbody></table></div>`
}`;
  return page(c, { title: text('notifications'), content });
}

function webhookRow(c: ConsoleContext, webhook: Webhook, told: readonly NotifiedUser[]): Markup {
  const text = settingsSay(c.get('language'));
  const [first] = told;
  const name = nameOf(webhook);
  const choose =
    webhook.kind === 'hand_made'
      ? html`<a href="${webhooksPath}/${webhook.id}/edit">${text('chooseUsers')}<span class="visually-hidden"> (${name})</span></a>`
      : '';
  return html`<tr><th scope="row"><a href="${webhooksPath}/${webhook.id}">${name}</a> ${healthBadge(c, webhook)}</th>
<td data-label="${text('told')}">${first ? html`<span>${told.map((person) => person.name).join(', ')}<br><span class="quiet">${text(reasons[first.because])}</span></span>` : html`<span class="bad">${text('toldNobody')}</span>`}</td><td>${choose}</td></tr>`;
}
