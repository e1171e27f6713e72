import { html } from 'hono/html';
import type { ConsoleContext } from '../context.ts';
import type { Markup } from '../markup.ts';
import type { QueryPairs, ShownPage } from '../values/shown-record.ts';
import { numberOf } from '../values/shown-value.ts';
import { recordSay } from './texts.ts';

/**
 * A page of a list that one has come by: the number of its first record, and the cursor; the first page has none.
 */
interface Stop {
  readonly from: number;
  readonly cursor: string;
}

/**
 * Which page of a list an address asks for. A cursor leads forward only, so the address also holds those of the
 * pages before: nothing is kept on the server, and the browser's own way back works as well.
 */
export interface Place extends Stop {
  /** The pages before, as far back as the address holds them. */
  readonly trail: readonly Stop[];
}

/** The parameters that say which page it is; whatever else changes begins the list anew. */
export const placeParameters: readonly string[] = ['cursor', 'from', 'trail'];

/** So long an address may become by the pages before; they are dozens. */
const longestTrail = 4000;

/** Whatever stands in the address: what is no place of ours is the first page, or has no way back. */
export function placeOf(c: ConsoleContext): Place {
  const cursor = c.req.query('cursor') ?? '';
  if (cursor === '') return { from: 1, cursor: '', trail: [] };
  const trail = (c.req.query('trail') ?? '').split('.').flatMap((text): Stop[] => {
    const [, from, before] = /^(\d{1,9})\*([\w-]*)$/.exec(text) ?? [];
    return from === undefined || before === undefined ? [] : [{ from: Number(from), cursor: before }];
  });
  const [, from = '1'] = /^(\d{1,9})$/.exec(c.req.query('from') ?? '') ?? [];
  return { from: Number(from), cursor, trail };
}

const textOf = ({ from, cursor }: Stop): string => `${from}*${cursor}`;

function pairsOf({ from, cursor, trail }: Place): QueryPairs {
  if (cursor === '') return [];
  const kept = trail.map(textOf);
  while (kept.join('.').length > longestTrail) kept.shift();
  return [
    ['cursor', cursor],
    ['from', String(from)],
    ['trail', kept.join('.')],
  ];
}

const following = (place: Place, shown: ShownPage, next: string): Place => ({
  from: place.from + shown.data.length,
  cursor: next,
  trail: [...place.trail, { from: place.from, cursor: place.cursor }],
});

/** How many records a list has in all; `more` when they are more than are counted. */
export interface Total {
  readonly count: number;
  readonly more: boolean;
}

/** `1,234`, or `10,000+` where nobody counts further. */
export const totalText = (c: ConsoleContext, { count, more }: Total): string =>
  `${numberOf(c, count)}${more ? '+' : ''}`;

/** Which records of how many are shown, and the ways to those before and after. */
export function pager(
  c: ConsoleContext,
  place: Place,
  {
    shown,
    total,
    label,
    addressOf,
  }: {
    shown: ShownPage;
    total: Total;
    label: string;
    addressOf: (pairs: QueryPairs) => string;
  },
): Markup {
  const text = recordSay(c.get('language'));
  const before = place.trail.at(-1);
  const back = before && { ...before, trail: place.trail.slice(0, -1) };
  const isFar = place.cursor !== '' && (back === undefined || back.cursor !== '');
  const first = isFar ? html`<a href="${addressOf([])}">${text('firstPage')}</a>` : '';
  const previous = back
    ? html`<a rel="prev" href="${addressOf(pairsOf(back))}">${text('previousPage')}</a>`
    : '';
  const next = shown.next_cursor
    ? html`<a rel="next" href="${addressOf(pairsOf(following(place, shown, shown.next_cursor)))}">${text('nextPage')}</a>`
    : '';
  const range = {
    from: numberOf(c, place.from),
    to: numberOf(c, place.from + shown.data.length - 1),
    total: numberOf(c, total.count),
  };
  const where = html`<p class="quiet">${text(total.more ? 'rangeOfMore' : 'range', range)}</p>`;
  return html`<nav class="pages" aria-label="${label}">${where}${first}${previous}${next}</nav>`;
}
