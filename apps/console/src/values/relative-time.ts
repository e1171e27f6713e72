import { dayMs, dayOf } from '@dealkeep/core/foundations';
import { html } from 'hono/html';
import { type ConsoleContext, sessionOf } from '../context.ts';
import type { Markup } from '../markup.ts';
import { momentFormat, relativeFormat } from './formats.ts';
import { todayOf } from './local-time.ts';
import { momentText } from './shown-value.ts';

const minute = 60_000;
const hour = 60 * minute;

/**
 * How long ago it was or how soon it will be; the moment itself on hover, and alone when it is more than a week
 * away.
 */
export function relativeMoment(c: ConsoleContext, value: string): Markup {
  const away = Date.parse(value) - c.get('core').clock.now().getTime();
  const said = Math.abs(away) > 7 * dayMs ? dayText(c, value) : awayText(c, away);
  return html`<time datetime="${value}" title="${momentText(c, value)}">${said}</time>`;
}

function awayText(c: ConsoleContext, away: number): string {
  const format = relativeFormat(c.get('language'), { numeric: 'auto' });
  const size = Math.abs(away);
  if (size < minute) return format.format(0, 'second');
  if (size < hour) return format.format(Math.trunc(away / minute), 'minute');
  if (size < dayMs) return format.format(Math.trunc(away / hour), 'hour');
  return format.format(Math.trunc(away / dayMs), 'day');
}

/** A day of the calendar: today, tomorrow and their like by these words, any other one by its date. */
export function relativeDay(c: ConsoleContext, value: string): Markup {
  const away = daysUntil(c, value);
  const format = relativeFormat(c.get('language'), { numeric: 'auto' });
  const at = `${value}T00:00:00Z`;
  const said = Math.abs(away) <= 7 ? format.format(away, 'day') : shortDay(c, at, 'UTC');
  const whole = momentFormat(c.get('language'), { dateStyle: 'full', timeZone: 'UTC' });
  return html`<time datetime="${value}" title="${whole.format(new Date(at))}">${said}</time>`;
}

/** How many days it is until a day of the calendar, where the organization is; less than none when it has passed. */
export function daysUntil(c: ConsoleContext, value: string): number {
  return Math.round((Date.parse(value) - Date.parse(todayOf(c))) / dayMs);
}

/** A time that was arranged: the day and the hour, where the organization is. */
export function arrangedMoment(c: ConsoleContext, value: string): Markup {
  const { timeZone } = sessionOf(c).organization;
  const moment = new Date(value);
  const time = momentFormat(c.get('language'), { timeStyle: 'short', timeZone }).format(moment);
  const away = daysUntil(c, dayOf(value, timeZone));
  const format = relativeFormat(c.get('language'), { numeric: 'auto' });
  const on = Math.abs(away) <= 1 ? format.format(away, 'day') : dayText(c, value);
  return html`<time datetime="${value}" title="${momentText(c, value)}">${on} ${time}</time>`;
}

const dayText = (c: ConsoleContext, moment: string): string =>
  shortDay(c, moment, sessionOf(c).organization.timeZone);

/** Without the year where it is this one. */
function shortDay(c: ConsoleContext, moment: string, timeZone: string): string {
  const at = new Date(moment);
  const isThisYear = at.getUTCFullYear() === c.get('core').clock.now().getUTCFullYear();
  const year = isThisYear ? {} : ({ year: 'numeric' } as const);
  return momentFormat(c.get('language'), { day: 'numeric', month: 'short', ...year, timeZone }).format(at);
}
