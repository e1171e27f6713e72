import { canBeSeen, limits, resources } from '@dealkeep/contract';
import { runAsUser } from '@dealkeep/core';
import { html } from 'hono/html';
import { type ConsoleContext, sessionOf } from '../context.ts';
import { page } from '../frame/page.ts';
import { badge, choices, emptyState, type Markup, quiet, table } from '../markup.ts';
import { kindOf } from './record-kinds.ts';
import { recordSay } from './texts.ts';

const longestQuery = 200;

/** What a search finds among all records that the user may see, best first; `types` leaves only some kinds. */
export async function searchPage(c: ConsoleContext): Promise<Response> {
  const text = recordSay(c.get('language'));
  const typed = (c.req.query('q') ?? '').toWellFormed().replaceAll('\0', '').trim();
  const q = [...typed].slice(0, longestQuery).join('');
  if (!canBeSeen(q)) {
    const title = text('searchTitle');
    return page(c, { title, content: html`<h1>${title}</h1>${emptyState(text('searchHint'))}` });
  }
  const types = (c.req.query('types') ?? '').split(',').filter((name) => kindOf(name) !== undefined);
  const query: [string, string][] = [['q', q]];
  if (types.length > 0) query.push(['types', types.join(',')]);
  const found = await runAsUser(c.get('core'), sessionOf(c), 'search.all', { query });
  const title = text('searchTitleFor', { q });
  const content = html`<h1>${title}</h1>${
    found.length === 0 ? emptyState(text('nothingFound'), { more: text('searchHint') }) : results(c, found)
  }${narrower(c, { q, types, found })}`;
  return page(c, { title, content });
}

type Found = Awaited<ReturnType<typeof runAsUser<'search.all'>>>;

const labelOf = (c: ConsoleContext, type: string, form: 'label' | 'plural'): string => {
  const kind = kindOf(type);
  return kind ? resources[kind.resource][form][c.get('language')] : type;
};

function results(c: ConsoleContext, found: Found): Markup {
  const text = recordSay(c.get('language'));
  return table(
    [
      {
        label: text('searchResult'),
        // Without the origin, because the console may be reached by another one.
        cell: ({ title, app_url }) =>
          html`<a href="${new URL(app_url).pathname}">${title === null || title === '' ? text('unnamed') : title}</a>`,
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
  const link = (to: string, said: string): Markup => html`<a href="${to}">${said}</a>`;
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
  return links.length === 0 ? '' : choices(...links);
}
