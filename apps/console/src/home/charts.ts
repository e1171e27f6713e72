import { html } from 'hono/html';
import { type ConsoleContext, sessionOf } from '../context.ts';
import type { Markup } from '../markup.ts';
import { numberOf } from '../values/value.ts';
import { barChart } from './bar-chart.ts';
import { homeSay } from './texts.ts';

const shownDays = 14;

/** What happened in the organization by day, and how its deliveries did; nothing where there is nothing to draw. */
export async function charts(c: ConsoleContext): Promise<Markup | string> {
  const [core, text] = [c.get('core'), homeSay(c.get('language'))];
  const counted = await core.dayCounts.last(core, sessionOf(c).organization, shownDays);
  if (counted.every(({ events, delivered, failed }) => events + delivered + failed === 0)) return '';
  const days = counted.map(({ day }) => day);
  const of = (name: 'events' | 'delivered' | 'failed') => ({
    name,
    label: text(name),
    counts: counted.map((count) => count[name]),
  });
  const total = (name: 'events' | 'delivered' | 'failed'): string =>
    numberOf(
      c,
      counted.reduce((sum, count) => sum + count[name], 0),
    );
  const events = barChart(c, {
    id: 'events-by-day',
    title: text('eventsByDay'),
    days,
    series: [of('events')],
    summary: text('eventsSummary', { count: total('events'), days: shownDays }),
  });
  const attempts = barChart(c, {
    id: 'attempts-by-day',
    title: text('attemptsByDay'),
    days,
    series: [of('delivered'), of('failed')],
    summary: text('attemptsSummary', {
      delivered: total('delivered'),
      failed: total('failed'),
      days: shownDays,
    }),
  });
  return html`<div class="cards">${events}${attempts}</div>`;
}
