import type { Language } from '@dealkeep/contract';
import { html } from 'hono/html';
import type { ConsoleContext } from '../context.ts';
import type { Markup } from '../markup.ts';
import { relativeFormat } from '../values/formats.ts';
import { momentText } from '../values/shown-value.ts';

const [minute, hour, day] = [60, 3600, 86_400];

/**
 * How long ago something was, to the second, or in how long it will be; the moment itself stands in the title.
 * `deliveries.js` counts on.
 */
export function agoOf(c: ConsoleContext, value: string): Markup {
  const now = c.get('core').clock.now().getTime();
  const said = agoText(c.get('language'), (Date.parse(value) - now) / 1000);
  return html`<time datetime="${value}" title="${momentText(c, value)}" data-ago>${said}</time>`;
}

function agoText(language: Language, seconds: number): string {
  const format = relativeFormat(language, { style: 'short' });
  const size = Math.abs(seconds);
  if (size < minute) return format.format(Math.round(seconds), 'second');
  if (size < hour) return format.format(Math.trunc(seconds / minute), 'minute');
  if (size < day) return format.format(Math.trunc(seconds / hour), 'hour');
  return format.format(Math.trunc(seconds / day), 'day');
}
