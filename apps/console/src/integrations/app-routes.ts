import { scopes } from '@dealkeep/contract';
import {
  disconnect,
  listConnections,
  listWebhooksWithHealth,
  notFound,
  type OAuthConnection,
} from '@dealkeep/core';
import type { Hono } from 'hono';
import { html } from 'hono/html';
import { idIn } from '../auth/permitted.ts';
import { type ConsoleContext, type ConsoleEnvironment, sessionOf } from '../context.ts';
import { formPage } from '../forms/form-page.ts';
import { beginningWith } from '../forms/send.ts';
import { page } from '../frame/page.ts';
import type { Markup } from '../markup.ts';
import { momentOf } from '../values/shown-value.ts';
import { concernedHooks, lastUse } from './credentials.ts';
import { doneNotice, integrationSay } from './texts.ts';

const path = '/integrations/apps';

/** Applications that people connected to their accounts: everybody's own, for owners all. */
export function appRoutes(app: Hono<ConsoleEnvironment>): void {
  app.get(path, appsPage);
  app.get(`${path}/:id/disconnect`, disconnectPage);
  app.post(`${path}/:id/disconnect`, async (c) => {
    const { id } = await connectionIn(c);
    await disconnect(c.get('core'), { organization: sessionOf(c).organization.id, id });
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
  const content = html`<h1>${text('apps')}</h1>
${doneNotice(c)}
${
  connections.length === 0
    ? html`<div class="card empty"><h2>${text('noApps')}</h2><p>${text('appsTeach')}</p></div>`
    : html`<div class="scroll"><table><thead><tr><th scope="col">${text('app')}</th><th scope="col">${text('person')}</th><th scope="col">${text('access')}</th><th scope="col">${text('madeAt')}</th><th scope="col">${text('lastUse')}</th><th scope="col"><span class="visually-hidden">${text('actions')}</span></th></tr></thead>
<tbody>${connections.map((connection) => connectionRow(c, connection))}</tbody></table></div>`
}`;
  return page(c, { title: text('apps'), content });
}

function connectionRow(c: ConsoleContext, connection: OAuthConnection): Markup {
  const [language, text] = [c.get('language'), integrationSay(c.get('language'))];
  const { id, app, user, scopes: granted } = connection;
  return html`<tr><th scope="row">${app.name}</th><td data-label="${text('person')}">${user.name}</td>
<td data-label="${text('access')}"><details><summary>${text('scopeCount', { count: granted.length })}</summary><ul>${granted.map((scope) => html`<li>${scopes[scope][language]} <code>${scope}</code></li>`)}</ul></details></td>
<td data-label="${text('madeAt')}">${momentOf(c, connection.created_at)}</td><td data-label="${text('lastUse')}">${lastUse(c, connection)}</td>
<td><a href="${path}/${id}/disconnect">${text('disconnect')}<span class="visually-hidden"> (${app.name}, ${user.name})</span></a></td></tr>`;
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
