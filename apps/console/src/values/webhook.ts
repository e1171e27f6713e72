import { events, isEventType, type Text, text } from '@dealkeep/contract';
import type { Webhook } from '@dealkeep/core/delivering';
import type { ConsoleContext } from '../context.ts';
import { badge, type Markup } from '../markup.ts';
import { sayFrom } from '../texts.ts';
import { momentText } from './shown-value.ts';

export const webhooksPath = '/integrations/webhooks';

/** The texts of webhooks that several pages show. */
export const webhookSay = sayFrom({
  healthy: text('Healthy', 'V poriadku'),
  failing: text('Failing', 'Zlyháva'),
  paused: text('Paused', 'Pozastavený'),
  pausedByOperator: text('Paused by the operator', 'Pozastavený prevádzkovateľom'),
  pausedWebhook: text(
    'Whoever runs this Dealkeep has paused this webhook since {moment}. What happens meanwhile waits, and is sent when it goes on.',
    'Prevádzkovateľ tohto Dealkeepu pozastavil tento webhook, od {moment}. Čo sa zatiaľ stane, čaká a po obnovení sa odošle.',
  ),
  pausedHost: text(
    'Whoever runs this Dealkeep has paused all webhooks to {host} since {moment}. What happens meanwhile waits, and is sent when they go on.',
    'Prevádzkovateľ tohto Dealkeepu pozastavil všetky webhooky na {host}, od {moment}. Čo sa zatiaľ stane, čaká a po obnovení sa odošle.',
  ),
  pausedOrganization: text(
    'Whoever runs this Dealkeep has paused the webhooks of this organization since {moment}. What happens meanwhile waits, and is sent when they go on.',
    'Prevádzkovateľ tohto Dealkeepu pozastavil webhooky tejto organizácie, od {moment}. Čo sa zatiaľ stane, čaká a po obnovení sa odošle.',
  ),
  paced: text('Waits for its pace', 'Čaká na svoje tempo'),
  reason: text('Reason: {reason}', 'Dôvod: {reason}'),
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

/** What the operator said about a pause; nothing when that was nothing. */
export const operatorSaid = (c: ConsoleContext, reason: string | null): string =>
  reason === null ? '' : webhookSay(c.get('language'))('reason', { reason });

/** Why the operator has nothing sent to a webhook; undefined while it is sent. */
export function pauseText(
  c: ConsoleContext,
  { operator_pause: pause, target_url }: Webhook,
): string | undefined {
  if (pause === null) return undefined;
  const texts = { webhook: 'pausedWebhook', host: 'pausedHost', organization: 'pausedOrganization' } as const;
  const values = { moment: momentText(c, pause.paused_at), host: new URL(target_url).host };
  return webhookSay(c.get('language'))(texts[pause.kind], values);
}

/** How a webhook does, at a glance: in words, coloured besides. */
export function healthBadge(c: ConsoleContext, webhook: Webhook): Markup {
  const say = webhookSay(c.get('language'));
  const { state, disabled_reason: reason, failing_since: failing, last_success_at: success } = webhook;
  if (state === 'disabled') {
    const why =
      reason === 'by_hand' ? 'disabledByHand' : reason === 'gone' ? 'disabledGone' : 'disabledFailing';
    return badge(say(why), 'bad');
  }
  if (webhook.operator_pause !== null) return badge(say('pausedByOperator'), 'warning');
  if (state !== 'active') return badge(say(state), 'warning');
  if (failing !== null) return badge(say('failing'), 'bad');
  if (webhook.paced_deliveries > 0) return badge(say('paced'), 'warning');
  return success === null ? badge(say('nothingSent')) : badge(say('healthy'), 'good');
}

/** Who made it: a key, a connected application, or a user by hand. */
export function madeBy(c: ConsoleContext, { made_by: by }: Webhook): string {
  const say = webhookSay(c.get('language'));
  if (by === null) return say('byHand');
  return say(by.kind === 'api_key' ? 'byKey' : 'byApp', { name: by.name });
}

/** `Lead created`; an unknown type stays as it is. */
export const eventLabel = (c: ConsoleContext, type: string | null): string =>
  type === null ? '—' : isEventType(type) ? events[type].label[c.get('language')] : type;
