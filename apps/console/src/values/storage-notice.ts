import { text } from '@dealkeep/contract';
import { html } from 'hono/html';
import { type ConsoleContext, sessionOf } from '../context.ts';
import type { Markup } from '../markup.ts';
import { sayFrom } from '../texts.ts';

const say = sayFrom({
  near: text(
    'The storage of your organization is almost used up. When it is, nothing new can be made; what is there can still be changed and deleted. It is measured every hour.',
    'Úložisko vašej organizácie je takmer vyčerpané. Potom sa nebude dať vytvoriť nič nové; čo existuje, sa bude dať naďalej meniť a mazať. Meria sa každú hodinu.',
  ),
  full: text(
    'The storage of your organization is used up, so nothing new can be made. Delete what is no longer needed, or ask whoever operates this installation for more. It is measured every hour.',
    'Úložisko vašej organizácie je vyčerpané, preto sa nedá vytvoriť nič nové. Zmažte, čo už nepotrebujete, alebo požiadajte správcu tejto inštalácie o viac. Meria sa každú hodinu.',
  ),
  over: text(
    'The storage of your organization is used up, and a quarter more, so nothing can be made or changed. Delete what is no longer needed, or ask whoever operates this installation for more. It is measured every hour.',
    'Úložisko vašej organizácie je vyčerpané a štvrtina navyše tiež, preto sa nedá nič vytvoriť ani zmeniť. Zmažte, čo už nepotrebujete, alebo požiadajte správcu tejto inštalácie o viac. Meria sa každú hodinu.',
  ),
});

/** What is to be done about a storage that is used up, or nearly; nothing where there is room. */
export function storageNotice(c: ConsoleContext): Markup | string {
  const { storage } = sessionOf(c).organization;
  if (storage === undefined) return '';
  return html`<div class="${storage === 'near' ? 'held' : 'problem'}"><p>${say(c.get('language'))(storage)}</p></div>`;
}
