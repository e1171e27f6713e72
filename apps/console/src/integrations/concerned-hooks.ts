import type { Webhook } from '@dealkeep/core';
import { html } from 'hono/html';
import type { ConsoleContext } from '../context.ts';
import type { Markup } from '../markup.ts';
import { nameOf } from '../values/webhook.ts';
import { integrationSay } from './texts.ts';

/** The REST hooks that stop with a key or a connection. */
export function concernedHooks(c: ConsoleContext, hooks: readonly Webhook[]): Markup {
  const text = integrationSay(c.get('language'));
  if (hooks.length === 0) return html`<p>${text('noHookStops')}</p>`;
  return html`<p>${text('hooksStop')}</p><ul>${hooks.map((hook) => html`<li>${nameOf(hook)} <span class="quiet">${new URL(hook.target_url).host}</span></li>`)}</ul>`;
}
