import { platformOf, platforms, type Scope, scopes } from '@dealkeep/contract';
import type { ApiKey, OAuthConnection } from '@dealkeep/core/accounts';
import type { Webhook } from '@dealkeep/core/delivering';
import { html } from 'hono/html';
import type { ConsoleContext } from '../context.ts';
import { bulletList, folded, type Markup, quiet } from '../markup.ts';
import { momentOf } from '../values/shown-value.ts';
import { nameOf } from '../values/webhook.ts';
import { integrationSay } from './texts.ts';

/**
 * When a credential was last used, and with which program: a platform by its name, others as they introduce
 * themselves.
 */
export function lastUse(
  c: ConsoleContext,
  { last_used_at: at, last_used_by: by }: Pick<ApiKey | OAuthConnection, 'last_used_at' | 'last_used_by'>,
): Markup {
  const text = integrationSay(c.get('language'));
  if (at === null) return quiet(text('never'));
  if (by === null) return momentOf(c, at);
  const platform = platformOf(by);
  const program = platform === undefined ? by : platforms[platform].label;
  return html`${momentOf(c, at)}<br><span class="quiet program" title="${by}">${text('usedBy', { program })}</span>`;
}

/** The REST hooks that stop with a key or a connection. */
export function concernedHooks(c: ConsoleContext, hooks: readonly Webhook[]): Markup {
  const text = integrationSay(c.get('language'));
  if (hooks.length === 0) return html`<p>${text('noHookStops')}</p>`;
  return html`<p>${text('hooksStop')}</p>${bulletList(
    hooks.map((hook) => html`${nameOf(hook)} ${quiet(new URL(hook.target_url).host)}`),
  )}`;
}

/** How many scopes a credential has; which, for whoever asks. */
export function scopeList(c: ConsoleContext, granted: readonly Scope[]): Markup {
  const [language, text] = [c.get('language'), integrationSay(c.get('language'))];
  const named = granted.map((scope) => html`${scopes[scope][language]} <code>${scope}</code>`);
  return folded(text('scopeCount', { count: granted.length }), bulletList(named));
}
