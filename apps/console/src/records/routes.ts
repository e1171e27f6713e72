import { resources } from '@dealkeep/contract';
import type { Hono } from 'hono';
import { html } from 'hono/html';
import { isPermitted } from '../auth/permitted.ts';
import type { ConsoleContext, ConsoleEnvironment } from '../context.ts';
import { page } from '../frame/page.ts';
import { textIn } from '../values/shown-record.ts';
import { boardPage } from './board.ts';
import { detailPage } from './detail-page.ts';
import { editRoutes } from './edit-routes.ts';
import { listPage } from './list-page.ts';
import { recordKinds } from './record-kinds.ts';
import { stepRoutes } from './step-routes.ts';
import { recordSay } from './texts.ts';

/** Lists, pages, forms and steps of all records, the board of leads, and the search. */
export function recordRoutes(app: Hono<ConsoleEnvironment>): void {
  app.get('/search', (c) => searchPage(c));
  for (const kind of recordKinds) {
    app.get(kind.path, (c) => listPage(c, kind));
    if (kind.resource === 'lead') app.get('/leads/board', (c) => boardPage(c, kind));
    editRoutes(app, kind);
    app.get(`${kind.path}/:id`, (c) => detailPage(c, kind, c.req.param('id')));
    stepRoutes(app, kind);
  }
}

const shownOfEach = 5;
const longestSearch = 200;

/** What a search finds among all records that the person may see. */
async function searchPage(c: ConsoleContext): Promise<Response> {
  const language = c.get('language');
  const text = recordSay(language);
  const q = (c.req.query('q') ?? '').replaceAll('\0', '').trim().slice(0, longestSearch);
  if (q === '') {
    const title = text('searchTitle');
    return page(c, { title, content: html`<h1>${title}</h1><p>${text('searchHint')}</p>` });
  }
  const kinds = recordKinds.filter((kind) => isPermitted(c, kind.resource, kind));
  const found = await Promise.all(
    kinds.map(async (kind) => {
      const limit = String(shownOfEach);
      return {
        kind,
        shown: await kind.list(c, [
          ['q', q],
          ['limit', limit],
        ]),
      };
    }),
  );
  const sections = found
    .filter(({ shown }) => shown.data.length > 0)
    .map(({ kind, shown }) => {
      const plural = resources[kind.resource].plural[language];
      const items = shown.data.map((record) => {
        const name = kind.titleOf(record) || recordSay(language)('unnamed');
        return html`<li><a href="${kind.path}/${textIn(record, kind.idField)}">${name}</a></li>`;
      });
      const all = shown.has_more
        ? html`<p><a href="${kind.path}?${new URLSearchParams({ q })}">${text('allResults', { what: plural })}</a></p>`
        : '';
      return html`<section class="card"><h2>${plural}</h2><ul>${items}</ul>${all}</section>`;
    });
  const title = text('searchTitleFor', { q });
  const content = html`<h1>${title}</h1>${sections.length > 0 ? sections : html`<p>${text('nothingFound')}</p>`}`;
  return page(c, { title, content });
}
