import { type Text, text } from '@dealkeep/contract';
import { deliveryHold } from '@dealkeep/core';
import { html } from 'hono/html';
import { type ConsoleContext, sessionOf } from '../context.ts';
import type { Markup } from '../markup.ts';
import { sayFrom } from '../say-from.ts';
import { momentText } from '../values/value.ts';

const say = sayFrom({
  nothingIsSent: text('Nothing is sent at the moment.', 'Momentálne sa nič neodosiela.'),
  paused: text(
    'Whoever runs this Dealkeep has paused all webhooks and mails since {moment}. What happens meanwhile waits.',
    'Prevádzkovateľ tohto Dealkeepu pozastavil všetky webhooky a e-maily, od {moment}. Čo sa zatiaľ stane, čaká.',
  ),
  held: text(
    'Whoever runs this Dealkeep holds back all webhooks and mails, as after a restore. What happens meanwhile waits.',
    'Prevádzkovateľ tohto Dealkeepu zadržiava všetky webhooky a e-maily, napríklad po obnove zo zálohy. Čo sa zatiaľ stane, čaká.',
  ),
} as const satisfies Record<string, Text>);

/** Says on every page of those who see webhooks that none is sent, and why; nothing while they are sent. */
export async function holdBanner(c: ConsoleContext): Promise<Markup | string> {
  if (sessionOf(c).user.permissions !== 'owner') return '';
  const hold = await deliveryHold(c.get('core'));
  if (!hold) return '';
  const words = say(c.get('language'));
  const why = hold.since === null ? words('held') : words('paused', { moment: momentText(c, hold.since) });
  return html`<div class="held" role="status"><p><strong>${words('nothingIsSent')}</strong> ${why}</p></div>`;
}
