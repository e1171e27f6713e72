import { commonListParameters, type FieldFacts, fieldsOf, resources } from '@dealkeep/contract';
import { isImportKind, Problem } from '@dealkeep/core';
import { html } from 'hono/html';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { isPermitted, requirePermitted } from '../auth/permitted.ts';
import { type ConsoleContext, sessionOf } from '../context.ts';
import { fieldsMarkup } from '../forms/field-markup.ts';
import type { FormState } from '../forms/labelled-control.ts';
import { page } from '../frame/page.ts';
import {
  bar,
  button,
  type Column,
  choices,
  emptyState,
  hiddenField,
  linkButton,
  type Markup,
  table,
} from '../markup.ts';
import { fieldWords, problemWords } from '../problem-words.ts';
import { fieldLabel, isNumberField } from '../values/field-words.ts';
import { type QueryPairs, type ShownPage, type ShownRecord, textIn } from '../values/shown-record.ts';
import { askedOf } from './asked-list.ts';
import { exportName } from './export-list.ts';
import { importPath } from './import-path.ts';
import { listCell } from './list-cells.ts';
import type { RecordKind } from './record-kind.ts';
import { recordSay } from './texts.ts';
import { viewsAbove } from './views.ts';

const rowsOfPage = 50;
const noPage: ShownPage = { data: [], next_cursor: null, has_more: false };

/** The records of a kind, page by page, filtered and sorted as the list operation allows. */
export async function listPage(c: ConsoleContext, kind: RecordKind): Promise<Response> {
  requirePermitted(c, kind.resource, kind);
  const { pairs, problems, state } = await askedOf(c, kind);
  const cursor = c.req.query('cursor');
  // A filter that is not decided yet shows nothing rather than everything.
  if (problems.size > 0) return show(c, kind, { state, pairs, shown: noPage }, 422);
  try {
    const shown = await kind.list(c, [
      ...pairs,
      ['limit', String(rowsOfPage)],
      ...(cursor ? [['cursor', cursor] as const] : []),
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
  const text = recordSay(language);
  const { label, plural } = resources[kind.resource];
  const filtered = pairs.some(([name]) => name !== 'sort');
  const cursor = c.req.query('cursor');
  // A moment filter is shown as the clock does, but goes on as it was typed.
  const typedPairs = [...new URL(c.req.url).searchParams].filter(
    ([name, value]) => value !== '' && name !== 'cursor' && !name.endsWith('.find') && name !== 'language',
  );
  const resolved = pairs.filter(([name]) => !typedPairs.some(([typed]) => typed === name));
  const kept = [...typedPairs, ...resolved];
  const next = shown.next_cursor;
  const first = cursor ? html`<a href="${addressOf(kind, kept)}">${text('firstPage')}</a>` : '';
  const further = next
    ? html`<a rel="next" href="${addressOf(kind, kept, [['cursor', next]])}">${text('nextPage')}</a>`
    : '';
  const pages = html`<nav class="pages" aria-label="${plural[language]}">${first}${further}</nav>`;
  const creates = kind.create && isPermitted(c, kind.resource, kind.create);
  const createButton = creates
    ? linkButton(`${kind.path}/new`, text('create', { what: label[language] }))
    : '';
  const bringIn =
    creates && isImportKind(kind.resource)
      ? linkButton(importPath(kind), text('importCsv'), 'secondary')
      : '';
  const board = kind.resource === 'lead' ? linkButton('/leads/board', text('board'), 'secondary') : '';
  const csv =
    shown.data.length > 0
      ? linkButton(addressOf({ path: `${kind.path}/${exportName}` }, kept), text('exportCsv'), 'secondary')
      : '';
  const nothing = empty(c, kind, filtered || state.problems.size > 0, html`${createButton}${bringIn}`);
  const content = html`${bar(plural[language], choices(csv, bringIn, board, createButton))}
${await viewsAbove(c, kind, kept)}
${await filterForm(c, kind, state, filtered)}
${shown.data.length > 0 ? html`${table(columnsOf(c, kind, kept), shown.data)}${pages}` : nothing}`;
  return page(c, { title: plural[language], content }, status);
}

/** What stands at hand; the rest is folded away until it is used. */
function isAtHand({ name, reference, values, type }: FieldFacts): boolean {
  if (commonListParameters.includes(name)) return false;
  const few = values.length > 0 && values.length <= 10;
  return (
    name === 'q' ||
    few ||
    type === 'boolean' ||
    reference === 'user' ||
    reference === 'stage' ||
    reference === 'pipeline'
  );
}

async function filterForm(
  c: ConsoleContext,
  { path }: RecordKind,
  state: FormState,
  filtered: boolean,
): Promise<Markup> {
  const text = recordSay(c.get('language'));
  const near = state.fields.filter(isAtHand);
  const far = state.fields.filter((field) => !near.includes(field));
  const used = far.some(({ name }) => (state.typed.get(name)?.[0] ?? '') !== '' || state.problems.has(name));
  const sort = c.req.query('sort');
  const press = button(text('filter'), { look: 'secondary' });
  const clear = filtered ? html`<a href="${path}">${text('clearFilters')}</a>` : '';
  return html`<form class="filter-form" action="${path}" role="search" aria-label="${text('filter')}">
<div class="filters">${await fieldsMarkup(c, state, near)}${press}${clear}</div>
<details${used ? html` open` : ''}><summary>${text('moreFilters')}</summary><div class="filters">${await fieldsMarkup(c, state, far)}</div></details>
${sort ? hiddenField('sort', sort) : ''}
</form>`;
}

function columnsOf(c: ConsoleContext, kind: RecordKind, pairs: QueryPairs): Column<ShownRecord>[] {
  const [language, text] = [c.get('language'), recordSay(c.get('language'))];
  const fields = new Map(kind.fields.map((field) => [field.name, field]));
  const link = (record: ShownRecord): Markup => {
    const title = kind.titleOf(record) || text('unnamed');
    return html`<a href="${kind.path}/${textIn(record, kind.idField)}">${title}</a>`;
  };
  return kind.columns.flatMap((column, index): Column<ShownRecord>[] => {
    if (typeof column !== 'string') {
      const label = column.label[language];
      const cell = (record: ShownRecord) => column.shown(c, record);
      return [{ label, cell, ...sorting(kind, { label, name: column.of[0] }, pairs) }];
    }
    const field = fields.get(column);
    if (!field) return [];
    const label = fieldLabel(language, field);
    return [
      {
        label,
        holds: isNumberField(field) ? 'number' : undefined,
        cell: (record) => (index === 0 ? link(record) : listCell(c, field, record)),
        ...sorting(kind, { label, name: field.name }, pairs),
      },
    ];
  });
}

/** The heading of a column that the list can be sorted by is a link that turns the order around. */
function sorting(
  kind: RecordKind,
  { label, name }: { label: string; name: string },
  pairs: QueryPairs,
): Pick<Column<ShownRecord>, 'heading' | 'sorted'> {
  const sortable = fieldsOf(kind.query)
    .find((field) => field.name === 'sort')
    ?.values.includes(name);
  if (!sortable) return {};
  const now = pairs.find(([parameter]) => parameter === 'sort')?.[1] ?? '-created_at';
  const [up, down] = [now === name, now === `-${name}`];
  const next = up ? `-${name}` : name;
  const others = pairs.filter(([parameter]) => parameter !== 'sort');
  return {
    heading: html`<a href="${addressOf(kind, others, [['sort', next]])}">${label}${up ? ' ↑' : down ? ' ↓' : ''}</a>`,
    sorted: up ? 'ascending' : down ? 'descending' : undefined,
  };
}

/** Nothing there: says what these records are, how to make one, and what could make them by itself. */
function empty(
  c: ConsoleContext,
  kind: RecordKind,
  filtered: boolean,
  createButton: Markup | string,
): Markup {
  const language = c.get('language');
  const text = recordSay(language);
  if (filtered || c.req.query('cursor')) return emptyState(text('nothingFits'));
  // Keys are for owners.
  const connect =
    sessionOf(c).user.permissions === 'owner'
      ? linkButton('/integrations/keys', text('toKeys'), 'secondary')
      : '';
  return emptyState(kind.teaches[language], {
    title: text('nothingYet'),
    more: kind.automates[language],
    steps: html`${createButton}${connect}`,
  });
}
