import { type Lead, operations } from '@dealkeep/contract';
import { dayMs } from '@dealkeep/core/foundations';
import { permissionsFor } from '@dealkeep/core/identity';
import { html } from 'hono/html';
import { isPermitted } from '../../auth/permitted.ts';
import type { ConsoleContext } from '../../context.ts';
import { type Markup, unseen } from '../../markup.ts';
import { momentFormat, numberFormat } from '../../values/formats.ts';
import { initialsOf } from '../../values/initials.ts';
import { todayOf } from '../../values/local-time.ts';
import { momentText, moneyOf } from '../../values/shown-value.ts';
import { type AskedBoard, boardQuery } from './asked-board.ts';
import { boardSay } from './board-texts.ts';

/** What a lead is called on the board. */
export const nameOf = (c: ConsoleContext, { name, company }: Lead): string =>
  name || company?.name || boardSay(c.get('language'))('unnamed');

/** Draws the cards of a board: what is the same for all of them is found out once. */
export function cardsOf(c: ConsoleContext, board: AskedBoard): (lead: Lead) => Markup {
  const language = c.get('language');
  const text = boardSay(language);
  const now = c.get('core').clock.now();
  const today = todayOf(c);
  const back = new URLSearchParams({ back: `/leads/board?${boardQuery(board)}` });
  const isMovable = isPermitted(c, 'lead', { permissions: permissionsFor(operations['leads.move']) });
  const day = momentFormat(language, { day: 'numeric', month: 'short', timeZone: 'UTC' });
  const days = numberFormat(language, { style: 'unit', unit: 'day', unitDisplay: 'narrow' });

  const closing = ({ status, expected_close_date: date }: Lead): Markup | string => {
    if (!date || status !== 'open') return '';
    const shown = day.format(new Date(`${date}T00:00:00Z`));
    if (date < today)
      return html`<time class="overdue" datetime="${date}">${text('overdue')}: ${shown}</time>`;
    return html`<time datetime="${date}" title="${text('closes', { date: shown })}">${shown}</time>`;
  };
  const age = ({ stage_entered_at: since }: Lead): Markup | string => {
    const passed = since ? Math.floor((now.getTime() - Date.parse(since)) / dayMs) : 0;
    if (!since || passed < 1) return '';
    const shown = days.format(passed);
    return html`<span title="${momentText(c, since)}">${unseen(text('inStage', { time: '' }))}${shown}</span>`;
  };
  const initials = ({ owner }: Lead): Markup | string => {
    if (!owner) return '';
    const said = text('owner', { name: owner.name });
    return html`<span class="initials" title="${said}"><span aria-hidden="true">${initialsOf(owner.name)}</span>${unseen(said)}</span>`;
  };

  return (lead) => {
    const name = nameOf(c, lead);
    const menu = isMovable
      ? html`<a class="card-menu" href="/leads/${lead.id}/move?${back}" aria-label="${text('moveCard', { name })}">⋯</a>`
      : '';
    const company = lead.company && lead.company.name !== name ? lead.company.name : '';
    const worth = lead.value === null ? '' : html`<strong>${moneyOf(c, lead.value)}</strong>`;
    return html`<article class="lead-card" data-lead="${lead.id}"><h3><a href="/leads/${lead.id}" draggable="false">${name}</a></h3>${menu}
<p class="whose"><span>${company}</span>${initials(lead)}</p>
<p class="facts">${worth}${closing(lead)}${age(lead)}</p></article>`;
  };
}
