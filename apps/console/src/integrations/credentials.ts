import { platformOf, platforms } from '@dealkeep/contract';
import type { ApiKey, OAuthConnection, Webhook } from '@dealkeep/core';
import { html } from 'hono/html';
import type { ConsoleContext } from '../context.ts';
import type { Markup } from '../markup.ts';
import { momentOf } from '../values/shown-value.ts';
import { nameOf } from '../values/webhook.ts';
import { integrationSay } from './texts.ts';

/** When a credential was last used, and with which program: a platform by its name, others as they introduce themselves. */
export function lastUse(
  c: ConsoleContext,
  { last_used_at: at, last_used_by: by }: Pick<ApiKey | OAuthConnection, 'last_used_at' | 'last_used_by'>,
): Markup {
  const text = integrationSay(c.get('language'));
  if (at === null) return html`<span class="quiet">${text('never')}</span>`;
  if (by === null) return momentOf(c, at);
  const platform = platformOf(by);
  const program = platform === undefined ? by : platforms[platform].label;
  return html`${momentOf(c, at)}<br><span class="quiet program" title="${by}">${text('usedBy', { program })}</span>`;
}

/** The REST hooks that stop with a key or a connection. */
export function concernedHooks(c: ConsoleContext, hooks: readonly Webhook[]): Markup {
  const text = integrationSay(c.get('language'));
  if (hooks.length === 0) return html`<p>${text('noHookStops')}</p>`;
  return html`<p>${text('hooksStop')}</p><ul>${hooks.map((hook) => html`<li>${nameOf(hook)} <span class="quiet">${new URL(hook.target_url).host}</span></li>`)}</ul>`;
}
