import { limits } from '@dealkeep/contract';
import { type NotifiedUser, usersToNotify } from '@dealkeep/core/change';
import { listWebhooksWithHealth, type Webhook } from '@dealkeep/core/delivering';
import type { Hono } from 'hono';
import { html } from 'hono/html';
import { requireOwner } from '../auth/permitted.ts';
import type { ConsoleContext, ConsoleEnvironment } from '../context.ts';
import { page } from '../frame/page.ts';
import { type Column, emptyState, linkButton, type Markup, quiet, table, unseen } from '../markup.ts';
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
  const toldOf = Map.groupBy(told, (user) => user.webhook_id);
  const content = html`<h1>${text('notifications')}</h1>
<p>${text('notificationsAbout', { hours: limits.failingMailHours, end: limits.failingEndHours })}</p>
${
  webhooks.length === 0
    ? emptyState(text('noWebhooksTeach'), {
        title: text('noWebhooks'),
        steps: linkButton(webhooksPath, text('webhooks'), 'secondary'),
      })
    : table(columns(c, toldOf), webhooks)
}`;
  return page(c, { title: text('notifications'), content });
}

function columns(c: ConsoleContext, toldOf: ReadonlyMap<string, readonly NotifiedUser[]>): Column<Webhook>[] {
  const text = settingsSay(c.get('language'));
  const told = ({ id }: Webhook): Markup => {
    const users = toldOf.get(id) ?? [];
    const [first] = users;
    if (!first) return html`<span class="bad">${text('toldNobody')}</span>`;
    const names = users.map((user) => user.name).join(', ');
    return html`<span>${names}<br>${quiet(text(reasons[first.because]))}</span>`;
  };
  const choose = (webhook: Webhook): Markup => {
    const label = html`${text('chooseUsers')}${unseen(` (${nameOf(webhook)})`)}`;
    return html`<a href="${webhooksPath}/${webhook.id}/edit">${label}</a>`;
  };
  return [
    {
      label: text('webhook'),
      cell: (webhook) =>
        html`<a href="${webhooksPath}/${webhook.id}">${nameOf(webhook)}</a> ${healthBadge(c, webhook)}`,
    },
    { label: text('told'), cell: told },
    {
      label: text('actions'),
      holds: 'steps',
      cell: (webhook) => (webhook.kind === 'manual' ? choose(webhook) : ''),
    },
  ];
}
