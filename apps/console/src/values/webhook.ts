import { events, isEventType, type Text, text } from '@dealkeep/contract';
import type { Webhook } from '@dealkeep/core';
import type { ConsoleContext } from '../context.ts';
import { badge, type Markup } from '../markup.ts';
import { sayFrom } from '../texts.ts';

export const webhooksPath = '/integrations/webhooks';

/** The texts of webhooks that several pages show. */
export const webhookSay = sayFrom({
  healthy: text('Healthy', 'V poriadku'),
  failing: text('Failing', 'Zlyháva'),
  paused: text('Paused', 'Pozastavený'),
  ended: text('Ended', 'Ukončený'),
  nothingSent: text('Nothing was sent yet', 'Zatiaľ sa nič neposlalo'),
  disabledByHand: text('Disabled', 'Vypnutý'),
  disabledGone: text('Disabled: the receiver said it is gone', 'Vypnutý: príjemca oznámil, že skončil'),
  disabledFailing: text('Disabled: it kept failing', 'Vypnutý: stále zlyhával'),
  byHand: text('By hand', 'Ručne'),
  byKey: text('API key: {name}', 'API kľúč: {name}'),
  byApp: text('Connected app: {name}', 'Pripojená aplikácia: {name}'),
} as const satisfies Record<string, Text>);

/** Its name, or where it leads. */
export const nameOf = ({ name, target_url }: Pick<Webhook, 'name' | 'target_url'>): string =>
  name ?? new URL(target_url).host;

/** How a webhook does, at a glance: in words, coloured besides. */
export function healthBadge(c: ConsoleContext, webhook: Webhook): Markup {
  const say = webhookSay(c.get('language'));
  const { state, disabled_reason: reason, failing_since: failing, last_success_at: success } = webhook;
  if (state === 'disabled') {
    const why =
      reason === 'by_hand' ? 'disabledByHand' : reason === 'gone' ? 'disabledGone' : 'disabledFailing';
    return badge(say(why), 'bad');
  }
  if (state !== 'active') return badge(say(state), 'warning');
  if (failing !== null) return badge(say('failing'), 'bad');
  return success === null ? badge(say('nothingSent')) : badge(say('healthy'), 'good');
}

/** Who made it: a key, a connected application, or a person by hand. */
export function madeBy(c: ConsoleContext, { made_by: by }: Webhook): string {
  const say = webhookSay(c.get('language'));
  if (by === null) return say('byHand');
  return say(by.kind === 'api_key' ? 'byKey' : 'byApp', { name: by.name });
}

/** `Lead created`; an unknown type stays as it is. */
export const eventLabel = (c: ConsoleContext, type: string | null): string =>
  type === null ? '—' : isEventType(type) ? events[type].label[c.get('language')] : type;
