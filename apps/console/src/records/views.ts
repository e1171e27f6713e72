import { type FieldFacts, fieldsOf, resources } from '@dealkeep/contract';
import type { ResultOf } from '@dealkeep/core/change';
import { runAsUser } from '@dealkeep/core/operations';
import { html } from 'hono/html';
import { type ConsoleContext, sessionOf } from '../context.ts';
import { choicesOf, findChoice, formerChoice, isSearched, stillListed } from '../forms/choices.ts';
import { type Markup, quiet } from '../markup.ts';
import { fieldLabel } from '../values/field-words.ts';
import type { QueryPairs } from '../values/shown-record.ts';
import type { RecordKind } from './record-kind.ts';
import { viewNotice, viewSay } from './view-texts.ts';

export type SavedView = ResultOf<'views.list'>[number];

/** Those that a user has saved and those that are shared, of one list. */
export const savedViewsOf = (
  c: ConsoleContext,
  { resource }: Pick<RecordKind, 'resource'>,
): Promise<SavedView[]> =>
  runAsUser(c.get('core'), sessionOf(c), 'views.list', { query: [['kind', resource]] });

/** The filters and the sort of a list in one order and writing, by which two views are the same. */
export function viewQuery({ query: asked }: Pick<RecordKind, 'query'>, pairs: QueryPairs): string {
  const known = new Set(Object.keys(asked.shape));
  const kept = pairs
    .filter(([name, value]) => known.has(name) && value !== '' && name !== 'cursor' && name !== 'limit')
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
  const query = new URLSearchParams();
  for (const [name, value] of kept) query.append(name, value);
  return query.toString();
}

export const pairsIn = (query: string): QueryPairs => [...new URLSearchParams(query)];

/** Where a list is shown with a view's filters. */
export const addressOfView = ({ path }: Pick<RecordKind, 'path'>, query: string): string =>
  query === '' ? path : `${path}?${query}`;

/** So many stand side by side; the rest are folded away. */
const viewsAtHand = 6;

interface Tab {
  readonly query: string;
  readonly name: string;
  /** Who shares it. */
  readonly by?: string | undefined;
}

/**
 * What stands above a list: its views, the one that is shown marked, the way to save what is shown when it is none
 * of them, and what is wrong with the one that is shown.
 *
 * @param pairs the filters and the sort as the address holds them, `today` and the like as such
 */
export async function viewsAbove(c: ConsoleContext, kind: RecordKind, pairs: QueryPairs): Promise<Markup> {
  const [language, text] = [c.get('language'), viewSay(c.get('language'))];
  const saved = await savedViewsOf(c, kind);
  const tabs: Tab[] = [
    { query: '', name: text('all') },
    ...(kind.views ?? []).map(({ name, query }) => ({ query, name: name[language] })),
    ...saved.map(({ name, query, own, made_by: by }) => ({ query, name, by: own ? undefined : by })),
  ].map((tab) => ({ ...tab, query: viewQuery(kind, pairsIn(tab.query)) }));
  const shown = viewQuery(kind, pairs);
  const current = tabs.findIndex(({ query }) => query === shown);
  const near = tabs.filter((_, index) => index < viewsAtHand || index === current);
  const far = tabs.filter((tab) => !near.includes(tab));
  const link = (tab: Tab): Markup => {
    const mark = tab.query === shown ? html` aria-current="page"` : '';
    const by = tab.by === undefined ? '' : html` title="${text('sharedBy', { name: tab.by })}"`;
    return html`<li><a href="${addressOfView(kind, tab.query)}"${mark}${by}>${tab.name}</a></li>`;
  };
  const more =
    far.length > 0
      ? html`<details><summary>${text('moreViews')} ${quiet(far.length)}</summary><ul>${far.map(link)}</ul></details>`
      : '';
  const asked = new URLSearchParams({ kind: kind.resource });
  const manage =
    saved.length > 0 ? html`<a class="beside" href="/views?${asked}">${text('manageViews')}</a>` : '';
  const save =
    current === -1
      ? html`<a class="beside" href="/views/new?${new URLSearchParams({ kind: kind.resource, query: shown })}">${text('saveView')}</a>`
      : '';
  const view = saved.find(({ query }) => viewQuery(kind, pairsIn(query)) === shown);
  const label = text('views', { what: resources[kind.resource].plural[language] });
  return html`${viewNotice(c)}<nav class="views" aria-label="${label}"><ul>${near.map(link)}</ul>${more}${save}${manage}</nav>
${view ? await goneNotices(c, kind, pairs) : ''}`;
}

/** What a saved view filters by and is there no more: a person sees an empty list, and would not know why. */
async function goneNotices(c: ConsoleContext, kind: RecordKind, pairs: QueryPairs): Promise<Markup[]> {
  const [language, text] = [c.get('language'), viewSay(c.get('language'))];
  const fields = new Map(fieldsOf(kind.query).map((field) => [field.name, field]));
  const notices: Markup[] = [];
  for (const [name, value] of pairs) {
    const field = fields.get(name);
    if (!field || (await isThere(c, field, value))) continue;
    const without = viewQuery(
      kind,
      pairs.filter(([other]) => other !== name),
    );
    notices.push(html`<div class="held" role="status"><p>${text('gone', { field: fieldLabel(language, field) })}
<a href="${addressOfView(kind, without)}">${text('takeOut')}</a></p></div>`);
  }
  return notices;
}

async function isThere(c: ConsoleContext, field: FieldFacts, value: string): Promise<boolean> {
  const { reference, description } = field;
  for (const each of value.split(',')) {
    if (reference === undefined) {
      const nameOf = description?.nameOf;
      if (nameOf !== undefined && !(await stillListed(c, { nameOf }, value))) return false;
    } else if (!(reference === 'user' && each === 'me') && !(await isNamed(c, reference, each))) {
      return false;
    }
  }
  return true;
}

async function isNamed(
  c: ConsoleContext,
  reference: NonNullable<FieldFacts['reference']>,
  id: string,
): Promise<boolean> {
  if (isSearched(reference)) return (await findChoice(c, reference, id)) !== undefined;
  const listed = (await choicesOf(c, reference)).some(
    ({ heading, choices }) => heading?.id === id || choices.some((choice) => choice.id === id),
  );
  return listed || (await formerChoice(c, reference, id)) !== undefined;
}
