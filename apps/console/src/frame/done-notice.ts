import type { Text } from '@dealkeep/contract';
import { html } from 'hono/html';
import type { ConsoleContext } from '../context.ts';
import type { Markup } from '../markup.ts';
import { sayFrom } from '../say-from.ts';

/** Says what was done, where the address of a page names it: `?done=saved`, and `count` for a text with a number. */
export const doneNoticeFrom = (texts: Readonly<Record<string, Text>>) => {
  const say = sayFrom(texts);
  return (c: ConsoleContext): Markup | string => {
    const done = c.req.query('done');
    if (done === undefined || !Object.hasOwn(texts, done)) return '';
    const count = Number.parseInt(c.req.query('count') ?? '0', 10) || 0;
    return html`<p class="notice" role="status">${say(c.get('language'))(done, { count })}</p>`;
  };
};
