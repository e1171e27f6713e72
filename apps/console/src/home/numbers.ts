import { addDays } from '@dealkeep/core/foundations';
import { reachFor, runAsUser } from '@dealkeep/core/operations';
import { html } from 'hono/html';
import { type ConsoleContext, sessionOf } from '../context.ts';
import { type Markup, quiet } from '../markup.ts';
import { momentFormat } from '../values/formats.ts';
import { printMoney } from '../values/numbers.ts';
import { moneyOf, numberOf } from '../values/shown-value.ts';
import { homeSay } from './texts.ts';
import { trendLine } from './trend-line.ts';

/**
 * How business does, each number with the way to the records that it counts; what the role does not show is not
 * there.
 */
export async function numbersSection(c: ConsoleContext): Promise<Markup | string> {
  const [sales, overdue] = await Promise.all([salesCards(c), overdueCard(c)]);
  const cards = [...sales, ...overdue];
  return cards.length === 0 ? '' : html`<div class="numbers">${cards}</div>`;
}

/** A number with what it means; both lead to its records. */
const numberCard = (name: string, address: string, title: string, content: Markup): Markup =>
  html`<section class="card number-card" aria-labelledby="${name}"><h2 id="${name}"><a href="${address}">${title}</a></h2>
${content}</section>`;

async function salesCards(c: ConsoleContext): Promise<Markup[]> {
  if (reachFor(sessionOf(c), 'leads.overview') === undefined) return [];
  const text = homeSay(c.get('language'));
  const overview = await runAsUser(c.get('core'), sessionOf(c), 'leads.overview');
  const { open, weeks, won, won_last_month: before, month } = overview;
  const values = [...weeks.map(({ value }) => value), open.value];
  const trend = text('pipelineTrendAbout', {
    first: moneyOf(c, values[0] ?? 0),
    last: moneyOf(c, open.value),
    least: moneyOf(c, Math.min(...values)),
    most: moneyOf(c, Math.max(...values)),
  });
  const past = text('wonBefore', { value: moneyOf(c, before.value), count: numberOf(c, before.leads) });
  return [
    numberCard(
      'pipeline',
      '/leads?status=open&archived=false',
      text('pipeline'),
      html`<p class="big">${moneyOf(c, open.value)}</p><p class="quiet">${text('pipelineCount', { count: numberOf(c, open.leads) })}</p>
${trendLine('pipeline-trend', { title: text('pipelineTrend'), about: trend }, values)}`,
    ),
    numberCard(
      'won',
      `/leads?won_after=${encodeURIComponent(`${addDays(month, -1)}T23:59`)}&sort=-value`,
      text('won'),
      html`<p class="big${won.value > before.value ? ' good' : ''}">${moneyOf(c, won.value)}</p>
<p class="quiet">${text('wonCount', { count: numberOf(c, won.leads) })}<br>${past}</p>`,
    ),
  ];
}

async function overdueCard(c: ConsoleContext): Promise<Markup[]> {
  if (reachFor(sessionOf(c), 'invoices.overview') === undefined) return [];
  const [language, text] = [c.get('language'), homeSay(c.get('language'))];
  const { overdue, oldest } = await runAsUser(c.get('core'), sessionOf(c), 'invoices.overview');
  const address = '/invoices?is_overdue=true&sort=due_date';
  if (overdue.length === 0) {
    return [
      numberCard('overdue', address, text('overdue'), html`<p class="quiet">${text('overdueNone')}</p>`),
    ];
  }
  const sums = overdue.map(
    ({ currency, amount }) => html`<p class="big bad">${printMoney(language, String(amount), currency)}</p>`,
  );
  const count = overdue.reduce((sum, { invoices }) => sum + invoices, 0);
  const day = momentFormat(language, { day: 'numeric', month: 'short', timeZone: 'UTC' });
  const items = oldest.map(({ id, number, name, due_date, currency, amount }) => {
    const due = text('dueSince', { day: day.format(new Date(`${due_date}T00:00:00Z`)) });
    const what = [number ?? text('unnamed'), name].filter((each) => each !== null).join(' · ');
    return html`<li><a href="/invoices/${id}">${what}</a> ${quiet(`${printMoney(language, String(amount), currency)}, ${due}`)}</li>`;
  });
  return [
    numberCard(
      'overdue',
      address,
      text('overdue'),
      html`${sums}<p class="quiet">${text('overdueCount', { count: numberOf(c, count) })}</p><ul class="short">${items}</ul>`,
    ),
  ];
}
