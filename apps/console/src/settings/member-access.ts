import {
  type ApiKey,
  listApiKeysOf,
  listConnections,
  type Member,
  type OAuthConnection,
} from '@dealkeep/core/accounts';
import { listWebhooksWithHealth, type Webhook } from '@dealkeep/core/delivering';
import { Problem } from '@dealkeep/core/foundations';
import { runAsUser } from '@dealkeep/core/operations';
import type { Hono } from 'hono';
import { html } from 'hono/html';
import { idIn, requireOwner } from '../auth/permitted.ts';
import { type ConsoleContext, type ConsoleEnvironment, sessionOf } from '../context.ts';
import { formPage } from '../forms/form-page.ts';
import { beginningWith, stepConflictPage } from '../forms/send.ts';
import { bulletList, type Markup, quiet } from '../markup.ts';
import { nameOf } from '../values/webhook.ts';
import { isSelf, memberOf, membersPath } from './member-parts.ts';
import { settingsSay } from './texts.ts';

/** The end of somebody's access to the organization, and its return. */
export function memberAccessRoutes(app: Hono<ConsoleEnvironment>): void {
  const one = `${membersPath}/:id`;
  app.get(`${one}/deactivate`, async (c) => deactivatePage(c, await memberOf(c)));
  app.post(`${one}/deactivate`, deactivate);
  app.post(`${one}/activate`, async (c) => {
    await runAsUser(c.get('core'), requireOwner(c), 'members.activate', { path: { id: idIn(c) } });
    return c.redirect(`${membersPath}/${idIn(c)}?done=activated`, 303);
  });
}

async function deactivatePage(c: ConsoleContext, member: Member): Promise<Response> {
  const text = settingsSay(c.get('language'));
  const { id, name } = member;
  const back = `${membersPath}/${id}`;
  if (!member.active) return stepConflictPage(c, { back });
  const used = await usedAccessOf(c, member);
  const about = isSelf(c) ? `${text('yourself')} ${text('deactivateAbout')}` : text('deactivateAbout');
  return formPage(c, {
    title: text('deactivateTitle', { name }),
    about,
    concerned: usedAccess(c, used, 'ends'),
    action: `${back}/deactivate`,
    back,
    button: text('deactivate'),
    danger: true,
    state: beginningWith([]),
  });
}

async function deactivate(c: ConsoleContext): Promise<Response> {
  const session = requireOwner(c);
  const back = `${membersPath}/${idIn(c)}`;
  try {
    await runAsUser(c.get('core'), session, 'members.deactivate', { path: { id: idIn(c) } });
    return c.redirect(`${back}?done=deactivated`, 303);
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'CONFLICT') throw error;
    return stepConflictPage(c, { back, problem: error });
  }
}

/** The programs that act for somebody, with their REST hooks. */
interface UsedAccess {
  readonly keys: readonly { readonly key: ApiKey; readonly hooks: readonly Webhook[] }[];
  readonly apps: readonly { readonly app: OAuthConnection; readonly hooks: readonly Webhook[] }[];
}

export async function usedAccessOf(c: ConsoleContext, { id, email }: Member): Promise<UsedAccess> {
  const [core, { organization }] = [c.get('core'), sessionOf(c)];
  const keys = (await listApiKeysOf(core, organization)).filter(({ owner }) => owner === email);
  const apps = await listConnections(core.sql, { organization: organization.id, user: id });
  const hooks = Map.groupBy(await listWebhooksWithHealth(core, organization), ({ made_by: by }) => by?.id);
  return {
    keys: keys.map((key) => ({ key, hooks: hooks.get(key.id) ?? [] })),
    apps: apps.map((app) => ({ app, hooks: hooks.get(app.id) ?? [] })),
  };
}

/** Which programs act for somebody; where their access ends, also what becomes of these. */
export function usedAccess(c: ConsoleContext, { keys, apps }: UsedAccess, ends?: 'ends'): Markup {
  const text = settingsSay(c.get('language'));
  if (keys.length === 0 && apps.length === 0) {
    return html`<p${ends ? '' : html` class="quiet"`}>${text(ends ? 'nothingStops' : 'none')}</p>`;
  }
  const part = (items: Markup[], name: 'keys' | 'apps', said: 'keysStop' | 'appsEnd'): Markup | string =>
    items.length === 0 ? '' : html`<p>${ends ? text(said) : `${text(name)}:`}</p>${bulletList(items)}`;
  return html`${part(
    keys.map(({ key, hooks }) => item(key.name, hooks)),
    'keys',
    'keysStop',
  )}${part(
    apps.map(({ app, hooks }) => item(app.app.name, hooks)),
    'apps',
    'appsEnd',
  )}`;
}

const item = (name: string, hooks: readonly Webhook[]): Markup =>
  html`${name}${hooks.length > 0 ? html` ${quiet(hooks.map(nameOf).join(', '))}` : ''}`;
