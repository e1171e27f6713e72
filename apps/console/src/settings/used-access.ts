import {
  type ApiKey,
  listApiKeysOf,
  listConnections,
  listWebhooksWithHealth,
  type Member,
  type OAuthConnection,
  type Webhook,
} from '@dealkeep/core';
import { html } from 'hono/html';
import { type ConsoleContext, sessionOf } from '../context.ts';
import type { Markup } from '../markup.ts';
import { nameOf } from '../values/webhook.ts';
import { settingsSay } from './texts.ts';

/** The programs that act for somebody, with their REST hooks. */
export interface UsedAccess {
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
    items.length === 0 ? '' : html`<p>${ends ? text(said) : `${text(name)}:`}</p><ul>${items}</ul>`;
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
  html`<li>${name}${hooks.length > 0 ? html` <span class="quiet">${hooks.map(nameOf).join(', ')}</span>` : ''}</li>`;
