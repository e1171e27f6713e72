import { disconnect, listConnections, type OAuthConnection } from '@dealkeep/core/accounts';
import { listWebhooksWithHealth } from '@dealkeep/core/delivering';
import { notFound } from '@dealkeep/core/foundations';
import type { Hono } from 'hono';
import { html } from 'hono/html';
import { idIn } from '../auth/permitted.ts';
import { registerAssistantPath } from '../auth/unregistered-page.ts';
import { type ConsoleContext, type ConsoleEnvironment, sessionOf } from '../context.ts';
import { formPage } from '../forms/form-page.ts';
import { beginningWith } from '../forms/send.ts';
import { page } from '../frame/page.ts';
import { bar, type Column, choices, emptyState, linkButton, table, unseen } from '../markup.ts';
import { momentOf } from '../values/shown-value.ts';
import { concernedHooks, lastUse, scopeList } from './credentials.ts';
import { registeredAssistants } from './registered-assistant-routes.ts';
import { doneNotice, integrationSay } from './texts.ts';

const path = '/integrations/apps';

const isOwner = (c: ConsoleContext): boolean => sessionOf(c).user.permissions === 'owner';

/** Applications that people connected to their accounts: everybody's own, for owners all. */
export function appRoutes(app: Hono<ConsoleEnvironment>): void {
  app.get(path, appsPage);
  app.get(`${path}/:id/disconnect`, disconnectPage);
  app.post(`${path}/:id/disconnect`, async (c) => {
    const { id } = await connectionIn(c);
    const { organization, user, from } = sessionOf(c);
    const by = { kind: 'user', user, via: 'console', from } as const;
    await disconnect(c.get('core'), { organization: organization.id, id }, by);
    return c.redirect(`${path}?done=disconnected`, 303);
  });
}

function connectionsOf(c: ConsoleContext): Promise<OAuthConnection[]> {
  const { user, organization } = sessionOf(c);
  const own = user.permissions === 'owner' ? {} : { user: user.id };
  return listConnections(c.get('core').sql, { organization: organization.id, ...own });
}

/** The connection of the path. Raises NOT_FOUND, also for one of somebody else, unless an owner asks. */
async function connectionIn(c: ConsoleContext): Promise<OAuthConnection> {
  const id = idIn(c);
  const connection = (await connectionsOf(c)).find((each) => each.id === id);
  if (!connection) throw notFound();
  return connection;
}

async function appsPage(c: ConsoleContext): Promise<Response> {
  const text = integrationSay(c.get('language'));
  const connections = await connectionsOf(c);
  const register = isOwner(c) ? choices(linkButton(registerAssistantPath, text('registerAssistant'))) : '';
  const content = html`${bar(text('apps'), register)}
${doneNotice(c)}
${
  connections.length === 0
    ? emptyState(text('appsTeach'), { title: text('noApps') })
    : table(columns(c), connections)
}
${await registeredAssistants(c)}`;
  return page(c, { title: text('apps'), content });
}

function columns(c: ConsoleContext): Column<OAuthConnection>[] {
  const text = integrationSay(c.get('language'));
  return [
    { label: text('app'), cell: ({ app }) => app.name },
    { label: text('person'), cell: ({ user }) => user.name },
    { label: text('access'), cell: ({ scopes }) => scopeList(c, scopes) },
    { label: text('madeAt'), cell: (connection) => momentOf(c, connection.created_at) },
    { label: text('lastUse'), cell: (connection) => lastUse(c, connection) },
    {
      label: text('actions'),
      holds: 'steps',
      cell: ({ id, app, user }) => {
        const label = html`${text('disconnect')}${unseen(` (${app.name}, ${user.name})`)}`;
        return html`<a href="${path}/${id}/disconnect">${label}</a>`;
      },
    },
  ];
}

async function disconnectPage(c: ConsoleContext): Promise<Response> {
  const { id, app, user } = await connectionIn(c);
  const text = integrationSay(c.get('language'));
  const webhooks = await listWebhooksWithHealth(c.get('core'), sessionOf(c).organization);
  return formPage(c, {
    title: text('disconnectTitle', { app: app.name }),
    about: text('disconnectAbout', { app: app.name, person: user.name }),
    concerned: concernedHooks(
      c,
      webhooks.filter(({ made_by: by }) => by?.id === id),
    ),
    action: `${path}/${id}/disconnect`,
    back: path,
    button: text('disconnect'),
    danger: true,
    state: beginningWith([]),
  });
}
