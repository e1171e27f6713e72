import { canBeSeen, limits, resources } from '@dealkeep/contract';
import { runAsUser } from '@dealkeep/core/operations';
import { html } from 'hono/html';
import { type ConsoleContext, sessionOf } from '../context.ts';
import { icon } from '../frame/icons.ts';
import { page } from '../frame/page.ts';
import { badge, choices, emptyState, linkButton, type Markup, quiet, table } from '../markup.ts';
import { presentationOf } from './presentation-of.ts';
import { kindOf } from './record-kinds.ts';
import { recordSay } from './texts.ts';

const longestQuery = 200;

/** What somebody typed into the search. */
export function searchedText(c: ConsoleContext): string {
  const typed = (c.req.query('q') ?? '').toWellFormed().replaceAll('\0', '').trim();
  return [...typed].slice(0, longestQuery).join('');
}

/** The best records that the user may see, of all kinds or of some. */
export function findRecords(
  c: ConsoleContext,
  { q, types = [] }: { q: string; types?: readonly string[] },
): Promise<Found> {
  const query: [string, string][] = [['q', q]];
  if (types.length > 0) query.push(['types', types.join(',')]);
  return runAsUser(c.get('core'), sessionOf(c), 'search.all', { query });
}

/** What a search finds among all records that the user may see, best first; `types` leaves only some kinds. */
export async function searchPage(c: ConsoleContext): Promise<Response> {
  const text = recordSay(c.get('language'));
  const q = searchedText(c);
  if (!canBeSeen(q)) {
    const title = text('searchTitle');
    return page(c, { title, content: html`<h1>${title}</h1>${emptyState(text('searchHint'))}` });
  }
  const types = (c.req.query('types') ?? '').split(',').filter((name) => kindOf(name) !== undefined);
  const found = await findRecords(c, { q, types });
  const title = text('searchTitleFor', { q });
  const content = html`<h1>${title}</h1>${narrower(c, { q, types, found })}${
    found.length === 0 ? emptyState(text('nothingFound'), { more: text('searchHint') }) : results(c, found)
  }`;
  return page(c, { title, content });
}

type Found = Awaited<ReturnType<typeof runAsUser<'search.all'>>>;

const labelOf = (c: ConsoleContext, type: string, form: 'label' | 'plural'): string => {
  const kind = kindOf(type);
  return kind ? resources[kind.resource][form][c.get('language')] : type;
};

function kindIcon(type: string): Markup | string {
  const kind = kindOf(type);
  return kind ? icon(presentationOf(kind.resource).icon) : '';
}

function results(c: ConsoleContext, found: Found): Markup {
  const text = recordSay(c.get('language'));
  return table(
    [
      {
        label: text('searchResult'),
        // Without the origin, because the console may be reached by another one.
        cell: ({ type, title, app_url }) =>
          html`<a class="found" href="${new URL(app_url).pathname}">${kindIcon(type)}<span>${title || text('unnamed')}</span></a>`,
      },
      { label: text('searchKind'), cell: ({ type }) => badge(labelOf(c, type, 'label')) },
      // Nothing at all where there are none: on a phone such a line is left out.
      { label: text('searchDetails'), cell: ({ subtitle }) => (subtitle === null ? '' : quiet(subtitle)) },
    ],
    found,
  );
}

/** Ways to see more: one kind alone, its whole list, or everything again. */
function narrower(
  c: ConsoleContext,
  { q, types, found }: { q: string; types: readonly string[]; found: Found },
): Markup | string {
  const text = recordSay(c.get('language'));
  const address = (path: string, more: Readonly<Record<string, string>> = {}): string =>
    `${path}?${new URLSearchParams({ q, ...more })}`;
  const link = (to: string, said: string): Markup => linkButton(to, said, 'secondary');
  const links: Markup[] = [];
  const kinds = [...new Set(found.map(({ type }) => type))];
  if (types.length > 0) links.push(link(address('/search'), text('searchEverything')));
  if (kinds.length > 1) {
    for (const type of kinds) {
      const what = labelOf(c, type, 'plural');
      links.push(link(address('/search', { types: type }), text('searchOnly', { what })));
    }
  } else if (found.length === limits.searchResults) {
    for (const type of kinds) {
      const what = labelOf(c, type, 'plural');
      links.push(link(address(kindOf(type)?.path ?? '/search'), text('allResults', { what })));
    }
  }
  return links.length === 0 ? '' : html`<div class="narrower">${choices(...links)}</div>`;
}
