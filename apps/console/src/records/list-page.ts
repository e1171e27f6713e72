import { resources } from '@dealkeep/contract';
import { Problem } from '@dealkeep/core/foundations';
import { isImportKind } from '@dealkeep/core/operations';
import { html } from 'hono/html';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { isPermitted, requirePermitted } from '../auth/permitted.ts';
import { type ConsoleContext, sessionOf } from '../context.ts';
import type { FormState } from '../forms/labelled-control.ts';
import { page } from '../frame/page.ts';
import {
  bar,
  type Column,
  choices,
  denseTable,
  emptyState,
  linkButton,
  type Markup,
  quiet,
} from '../markup.ts';
import { fieldWords, problemWords } from '../problem-words.ts';
import { fieldLabel, isNumberField } from '../values/field-words.ts';
import { type QueryPairs, type ShownPage, type ShownRecord, textIn } from '../values/shown-record.ts';
import { askedOf } from './asked-list.ts';
import { bulkBar, selectBox, selectPageBox } from './bulk.ts';
import { bulkNotice } from './bulk-routes.ts';
import { exportName } from './export-list.ts';
import { importPath } from './import-path.ts';
import { listCell, wholeText, widthOf } from './list-cells.ts';
import { filterBar, filterChips } from './list-filters.ts';
import { type Place, pager, placeOf, placeParameters, type Total, totalText } from './list-place.ts';
import { type Sorted, sortedBy, sortHeading, sortMenu } from './list-sort.ts';
import type { RecordKind } from './record-kind.ts';
import { recordSay } from './texts.ts';
import { viewsAbove } from './views.ts';

const rowsOfPage = 50;
/** What an address of a list holds besides its filters and its order. */
const besideFilters: readonly string[] = [...placeParameters, 'language', 'done', 'count'];
const noPage: ShownPage = { data: [], next_cursor: null, has_more: false };

/** The records of a kind, page by page, filtered and sorted as the list operation allows. */
export async function listPage(c: ConsoleContext, kind: RecordKind): Promise<Response> {
  requirePermitted(c, kind.resource, kind);
  const { pairs, problems, state } = await askedOf(c, kind);
  // A filter that is not decided yet shows nothing rather than everything.
  if (problems.size > 0) return show(c, kind, { state, pairs, shown: noPage }, 422);
  const place = placeOf(c);
  try {
    const shown = await kind.list(c, [
      ...pairs,
      ['limit', String(rowsOfPage)],
      ...(place.cursor === '' ? [] : [['cursor', place.cursor] as const]),
    ]);
    return show(c, kind, { state, pairs, shown });
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    if (error.code === 'INVALID_CURSOR') return c.redirect(addressOf(kind, pairs), 303);
    if (error.code !== 'INVALID_PARAMETER') throw error;
    const problems = new Map([
      [
        String(error.detail?.['parameter']),
        error.reason ? fieldWords(c.get('language'), error.reason) : problemWords(c.get('language'), error),
      ],
    ]);
    return show(c, kind, { state: { ...state, problems }, pairs, shown: noPage }, 400);
  }
}

const addressOf = ({ path }: Pick<RecordKind, 'path'>, pairs: QueryPairs, more: QueryPairs = []): string => {
  const query = new URLSearchParams();
  for (const [name, value] of [...pairs, ...more]) query.append(name, value);
  return query.size > 0 ? `${path}?${query}` : path;
};

/** What the address says besides the page, and what was found of what was typed there. */
function keptOf(c: ConsoleContext, pairs: QueryPairs): QueryPairs {
  // A moment filter is shown as the clock does, but goes on as it was typed.
  const typed = [...new URL(c.req.url).searchParams].filter(
    ([name, value]) => value !== '' && !name.endsWith('.find') && !besideFilters.includes(name),
  );
  return [...typed, ...pairs.filter(([name]) => !typed.some(([each]) => each === name))];
}

interface Shown {
  readonly state: FormState;
  readonly pairs: QueryPairs;
  readonly shown: ShownPage;
}

async function show(
  c: ConsoleContext,
  kind: RecordKind,
  { state, pairs, shown }: Shown,
  status?: ContentfulStatusCode,
): Promise<Response> {
  const language = c.get('language');
  const { plural } = resources[kind.resource];
  const place = placeOf(c);
  const kept = keptOf(c, pairs);
  const total = await totalOf(c, kind, { place, pairs, shown });
  const sort = pairs.find(([name]) => name === 'sort');
  const without = (name: string): string =>
    addressOf(
      kind,
      kept.filter(([each]) => each !== name),
    );
  const chips = await filterChips(c, kind, pairs, { without, all: addressOf(kind, sort ? [sort] : []) });
  const filters = await filterBar(c, kind, state, { sort: sort?.[1], plural: plural[language] });
  const pages = pager(c, place, {
    shown,
    total,
    label: plural[language],
    addressOf: (more) => addressOf(kind, kept, more),
  });
  const isFiltered = pairs.some(([name]) => name !== 'sort') || state.problems.size > 0;
  const listed = shown.data.length > 0;
  const order = sortedBy(kept, (changed) => addressOf(kind, changed));
  const title = html`${plural[language]}${listed ? html` ${quiet(totalText(c, total))}` : ''}`;
  const content = html`${bar(title, actions(c, kind, { kept, listed }))}
${bulkNotice(c, kind)}${await viewsAbove(c, kind, kept)}
<div class="list-bar">${filters}${listed ? sortMenu(c, kind, order) : ''}${chips}</div>
${listed ? html`${denseTable(columnsOf(c, kind, order), shown.data)}${bulkBar(c, kind, kept, total.count === shown.data.length)}${pages}` : empty(c, kind, isFiltered)}`;
  return page(c, { title: plural[language], content, scripts: ['list.js', 'bulk.js'] }, status);
}

/** What one page holds is known without counting, and what the last one ends with. */
async function totalOf(
  c: ConsoleContext,
  kind: RecordKind,
  { place, pairs, shown }: { place: Place; pairs: QueryPairs; shown: ShownPage },
): Promise<Total> {
  const seen = place.from + shown.data.length - 1;
  if (!shown.has_more) return { count: seen, more: false };
  const counted = await kind.count(c, pairs);
  return { ...counted, count: Math.max(counted.count, seen) };
}

/** What can be done with the list as a whole; making a record stands out. */
function actions(
  c: ConsoleContext,
  kind: RecordKind,
  { kept, listed }: { kept: QueryPairs; listed: boolean },
): Markup {
  const text = recordSay(c.get('language'));
  const board = kind.resource === 'lead' ? linkButton('/leads/board', text('board'), 'secondary') : '';
  const calendar =
    kind.resource === 'booking' ? linkButton('/bookings/calendar', text('calendar'), 'secondary') : '';
  const csv = listed
    ? linkButton(addressOf({ path: `${kind.path}/${exportName}` }, kept), text('exportCsv'), 'secondary')
    : '';
  const { create, bringIn } = waysIn(c, kind);
  return choices(csv, bringIn, board, calendar, create);
}

/** How records get here: by a form, and where there is one, from a file. */
function waysIn(c: ConsoleContext, kind: RecordKind): { create: Markup | string; bringIn: Markup | string } {
  const [language, text] = [c.get('language'), recordSay(c.get('language'))];
  if (!kind.create || !isPermitted(c, kind.resource, kind.create)) return { create: '', bringIn: '' };
  return {
    create: linkButton(`${kind.path}/new`, kind.createLabel[language]),
    bringIn: isImportKind(kind.resource) ? linkButton(importPath(kind), text('importCsv'), 'secondary') : '',
  };
}

function columnsOf(c: ConsoleContext, kind: RecordKind, order: Sorted): Column<ShownRecord>[] {
  const [language, text] = [c.get('language'), recordSay(c.get('language'))];
  const fields = new Map(kind.fields.map((field) => [field.name, field]));
  const link = (record: ShownRecord): Markup => {
    const title = kind.titleOf(record) || text('unnamed');
    return html`${selectBox(c, kind, record)}<a href="${kind.path}/${textIn(record, kind.idField)}">${title}</a>`;
  };
  return kind.columns.flatMap((column, index): Column<ShownRecord>[] => {
    if (typeof column !== 'string') {
      const { width, whole, of, shown } = column;
      const label = column.label[language];
      const cell = (record: ShownRecord) => shown(c, record);
      const more = { ...(whole ? { whole } : {}), ...sortHeading(kind, { label, name: of[0] }, order) };
      return [{ label, cell, width, ...more }];
    }
    const field = fields.get(column);
    if (!field) return [];
    const label = fieldLabel(language, field);
    const sorted = sortHeading(kind, { label, name: field.name }, order);
    return [
      {
        label,
        holds: isNumberField(field) ? 'number' : undefined,
        width: index === 0 ? 'name' : widthOf(field),
        whole: (record) => (index === 0 ? kind.titleOf(record) : wholeText(field, record)),
        cell: (record) => (index === 0 ? link(record) : listCell(c, field, record)),
        ...(index === 0 ? selecting(c, label, sorted) : sorted),
      },
    ];
  });
}

/** The heading of the first column with the box that selects the page. */
const selecting = (
  c: ConsoleContext,
  label: string,
  { heading, ...sorted }: ReturnType<typeof sortHeading>,
): ReturnType<typeof sortHeading> => ({ ...sorted, heading: html`${selectPageBox(c)}${heading ?? label}` });

/** Nothing there: says what these records are, how to make one, and what could make them by itself. */
function empty(c: ConsoleContext, kind: RecordKind, isFiltered: boolean): Markup {
  const language = c.get('language');
  const text = recordSay(language);
  if (isFiltered || c.req.query('cursor')) return emptyState(text('nothingFits'));
  // Keys are for owners.
  const connect =
    sessionOf(c).user.permissions === 'owner'
      ? linkButton('/integrations/keys', text('toKeys'), 'secondary')
      : '';
  const { create, bringIn } = waysIn(c, kind);
  return emptyState(kind.teaches[language], {
    title: text('nothingYet'),
    more: kind.automates[language],
    steps: html`${create}${bringIn}${connect}`,
  });
}
