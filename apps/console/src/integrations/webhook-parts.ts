import { events, isEventType } from '@dealkeep/contract';
import type { Webhook } from '@dealkeep/core';
import { html } from 'hono/html';
import type { ConsoleContext } from '../context.ts';
import type { Markup } from '../markup.ts';
import { integrationSay } from './texts.ts';

export const webhooksPath = '/integrations/webhooks';

/** Its name, or where it leads. */
export const nameOf = ({ name, target_url }: Pick<Webhook, 'name' | 'target_url'>): string =>
  name ?? new URL(target_url).host;

/** How a webhook does, at a glance: in words, coloured besides. */
export function healthBadge(c: ConsoleContext, webhook: Webhook): Markup {
  const text = integrationSay(c.get('language'));
  const { state, disabled_reason: reason, failing_since: failing, last_success_at: success } = webhook;
  if (state === 'disabled') {
    return html`<span class="badge bad">${text(reason === 'by_hand' ? 'disabledByHand' : reason === 'gone' ? 'disabledGone' : 'disabledFailing')}</span>`;
  }
  if (state !== 'active') return html`<span class="badge warning">${text(state)}</span>`;
  if (failing !== null) return html`<span class="badge bad">${text('failing')}</span>`;
  return success === null
    ? html`<span class="badge">${text('nothingSent')}</span>`
    : html`<span class="badge good">${text('healthy')}</span>`;
}

/** Who made it: a key, a connected application, or a person by hand. */
export function madeBy(c: ConsoleContext, { made_by: by }: Webhook): string {
  const text = integrationSay(c.get('language'));
  if (by === null) return text('byHand');
  return text(by.kind === 'api_key' ? 'byKey' : 'byApp', { name: by.name });
}

/** `Lead created`; an unknown type stays as it is. */
export const eventLabel = (c: ConsoleContext, type: string | null): string =>
  type === null ? '—' : isEventType(type) ? events[type].label[c.get('language')] : type;
