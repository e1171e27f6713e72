import { html } from 'hono/html';
import { type ConsoleContext, sessionOf } from '../context.ts';
import { folded, type Markup } from '../markup.ts';
import { momentFormat } from '../values/formats.ts';
import { numberOf } from '../values/shown-value.ts';
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

interface Series {
  readonly label: string;
  /** Its class, which colours it. */
  readonly name: 'events' | 'delivered' | 'failed';
  readonly counts: readonly number[];
}

interface BarChart {
  readonly id: string;
  readonly title: string;
  /** What it shows, in a sentence. */
  readonly summary: string;
  /** YYYY-MM-DD */
  readonly days: readonly string[];
  /** Stacked from below. */
  readonly series: readonly Series[];
}

const [width, height, top, bottom] = [330, 132, 16, 18];
const room = height - top - bottom;

/** Bars by day as an image with a description, and the same as a table. */
function barChart(c: ConsoleContext, { id, title, summary, days, series }: BarChart): Markup {
  const text = homeSay(c.get('language'));
  const totals = days.map((_, day) => series.reduce((sum, { counts }) => sum + (counts[day] ?? 0), 0));
  const most = Math.max(1, ...totals);
  // The name of the last day stands out a little.
  const step = (width - 6) / days.length;
  const shownDay = momentFormat(c.get('language'), {
    day: 'numeric',
    month: 'numeric',
    timeZone: 'UTC',
  });
  const dayName = (day: string): string => shownDay.format(new Date(`${day}T00:00:00Z`));
  const bars = days.map((day, index) => {
    let base = height - bottom;
    const parts = series.map(({ name, counts }) => {
      const size = ((counts[index] ?? 0) / most) * room;
      base -= size;
      return size > 0
        ? html`<rect class="${name}" x="${index * step + 3}" y="${round(base)}" width="${round(step - 6)}" height="${round(size)}" rx="1.5"/>`
        : '';
    });
    // Every third has room for its name; the last one is today.
    const named = (days.length - 1 - index) % 3 === 0;
    const [x, y] = [round(index * step + step / 2), height - 5];
    const name = named ? html`<text x="${x}" y="${y}" text-anchor="middle">${dayName(day)}</text>` : '';
    return html`${parts}${name}`;
  });
  const headings = series.map(({ label }) => html`<th scope="col" class="number">${label}</th>`);
  const rows = days.map((day, index) => {
    const cells = series.map(
      ({ counts }) => html`<td class="number">${numberOf(c, counts[index] ?? 0)}</td>`,
    );
    return html`<tr><th scope="row">${dayName(day)}</th>${cells}</tr>`;
  });
  const table = html`<table><thead><tr><th scope="col">${text('day')}</th>${headings}</tr></thead>
<tbody>${rows}</tbody></table>`;
  const named = html`<title id="${id}-title">${title}</title><desc id="${id}-summary">${summary}</desc>`;
  return html`<section class="card chart" aria-labelledby="${id}"><h2 id="${id}">${title}</h2><p class="quiet">${summary}</p>
<svg viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="${id}-title ${id}-summary">${named}
${lineAt(top)}<text x="0" y="${top - 4}">${numberOf(c, most)}</text>${lineAt(height - bottom)}
${bars}</svg>
${series.length > 1 ? html`<ul class="legend">${series.map(({ name, label }) => html`<li class="${name}">${label}</li>`)}</ul>` : ''}
${folded(text('asTable'), table)}</section>`;
}

const lineAt = (y: number): Markup => html`<line x1="0" x2="${width}" y1="${y}" y2="${y}"/>`;

const round = (value: number): number => Math.round(value * 10) / 10;
