import { createHash } from 'node:crypto';
import { type FieldFacts, limits, resources } from '@dealkeep/contract';
import { notFound, Problem } from '@dealkeep/core/foundations';
import { type DoneWithRecord, problemsForUser, runOnManyAsUser } from '@dealkeep/core/operations';
import type { Hono } from 'hono';
import { html } from 'hono/html';
import * as z from 'zod';
import { requirePermitted } from '../auth/permitted.ts';
import { type ConsoleContext, type ConsoleEnvironment, sessionOf } from '../context.ts';
import { bodyOf, type FormBody } from '../forms/body.ts';
import { fieldsMarkup } from '../forms/field-markup.ts';
import { formPage, onceOf, type ShownForm } from '../forms/form-page.ts';
import { receive } from '../forms/received.ts';
import { beginningWith, once } from '../forms/send.ts';
import { firstOf, readingOf, readTyped, type Typed } from '../forms/typed.ts';
import { page } from '../frame/page.ts';
import { alert, bulletList, hiddenField, linkButton, type Markup, table } from '../markup.ts';
import { fieldWords, problemWords } from '../problem-words.ts';
import { type QueryPairs, type ShownRecord, textIn } from '../values/shown-record.ts';
import { askedOf } from './asked-list.ts';
import { allField, bulkAddress, recordField } from './bulk.ts';
import { type BulkAction, bulkActionsOf } from './bulk-actions.ts';
import { bulkSay } from './bulk-texts.ts';
import { exportList, exportRecords } from './export-list.ts';
import type { RecordKind } from './record-kind.ts';

/** So many are named; of the rest only the number is told. */
const namedRecords = 20;

/** The pages that do something with many records of a list. */
export function bulkRoutes(app: Hono<ConsoleEnvironment>, kind: RecordKind): void {
  app.post(`${kind.path}/bulk/export`, async (c) => {
    requirePermitted(c, kind.resource, kind);
    const typed = await readTyped(c);
    if (firstOf(typed, allField) === 'true') return exportList(c, kind);
    const ids = idsIn(typed);
    return ids.length > 0 ? exportRecords(c, kind, ids) : nothingSelected(c, kind);
  });
  app.post(`${kind.path}/bulk/:action`, async (c) => {
    const action = bulkActionsOf(c, kind).find(({ name }) => name === c.req.param('action'));
    if (!action) throw notFound();
    requirePermitted(c, kind.resource, action);
    const typed = await readTyped(c);
    const selected = await selectedIn(c, kind, typed);
    if (selected.ids.length === 0) return nothingSelected(c, kind);
    if (firstOf(typed, 'do') !== 'begin') return carryOut(c, kind, action, selected);
    if (!action.asks) return run(c, kind, action, { ...selected, body: {}, token: onceOf(typed) });
    return ask(c, kind, action, selected, { state: beginningWith(await action.fields(c)) });
  });
}

/** The filters and the sort of the list, as its address holds them. */
const pairsOf = (c: ConsoleContext): QueryPairs =>
  [...new URL(c.req.url).searchParams].filter(([name]) => name !== 'cursor');

function listAddress(c: ConsoleContext, { path }: RecordKind, more: QueryPairs = []): string {
  const query = new URLSearchParams();
  for (const [name, value] of [...pairsOf(c), ...more]) query.append(name, value);
  return query.size > 0 ? `${path}?${query}` : path;
}

const idsIn = (typed: Typed): string[] =>
  [...new Set(typed.get(recordField) ?? [])]
    .filter((id) => z.uuid().safeParse(id).success)
    .slice(0, limits.selectedRecords);

interface Selected {
  readonly ids: readonly string[];
  /** What they are called, as far as the list shows them. */
  readonly names: readonly string[];
  /** There are more than can be done at once. */
  readonly isCut: boolean;
}

/** What is selected: what was ticked, or the first ones that the filters show. */
async function selectedIn(c: ConsoleContext, kind: RecordKind, typed: Typed): Promise<Selected> {
  const ticked = idsIn(typed);
  const takesAll = firstOf(typed, allField) === 'true';
  if (!takesAll && firstOf(typed, 'do') !== 'begin') return { ids: ticked, names: [], isCut: false };
  const { records, isCut } = await listed(
    c,
    kind,
    takesAll ? limits.selectedRecords : limits.pageSizeMaximum,
  );
  const chosen = takesAll
    ? records
    : records.filter((record) => ticked.includes(textIn(record, kind.idField)));
  return {
    ids: takesAll ? chosen.map((record) => textIn(record, kind.idField)) : ticked,
    names: chosen.slice(0, namedRecords).map((record) => kind.titleOf(record)),
    isCut: takesAll && isCut,
  };
}

/** The first records of the list with its filters: all of them up to a number, else the page that was shown. */
async function listed(
  c: ConsoleContext,
  kind: RecordKind,
  most: number,
): Promise<{ records: ShownRecord[]; isCut: boolean }> {
  const { pairs, problems } = await askedOf(c, kind);
  if (problems.size > 0) return { records: [], isCut: false };
  const records: ShownRecord[] = [];
  let next: string | null = null;
  do {
    const more: QueryPairs = next === null ? [] : [['cursor', next]];
    const shown = await kind.list(c, [...pairs, ['limit', String(limits.pageSizeMaximum)], ...more]);
    records.push(...shown.data);
    next = shown.next_cursor;
  } while (next !== null && records.length < most);
  return { records: records.slice(0, most), isCut: next !== null || records.length > most };
}

function nothingSelected(c: ConsoleContext, kind: RecordKind): Promise<Response> {
  const text = bulkSay(c.get('language'));
  const title = resources[kind.resource].plural[c.get('language')];
  const back = linkButton(listAddress(c, kind), text('backToList'), 'secondary');
  const content = html`<h1>${title}</h1>${alert(text('nothingSelected'))}<p>${back}</p>`;
  return page(c, { title, content }, 422);
}

type Form = Pick<ShownForm, 'state'> & Partial<ShownForm>;

/** Asks what the action needs to know, and names what it is about. */
async function ask(
  c: ConsoleContext,
  kind: RecordKind,
  action: BulkAction,
  { ids, names, isCut }: Selected,
  form: Form,
  status?: 200 | 409 | 422,
): Promise<Response> {
  const [language, text] = [c.get('language'), bulkSay(c.get('language'))];
  const others = ids.length - names.length;
  const listedNames = [
    ...names,
    ...(others > 0 && names.length > 0 ? [text('andOthers', { count: others })] : []),
  ];
  const concerned = html`${isCut ? html`<p class="held">${text('cut', { max: limits.selectedRecords })}</p>` : ''}${
    names.length > 0
      ? html`<details${names.length <= 5 ? html` open` : ''}><summary>${text('concerned')}</summary>${bulletList(listedNames)}</details>`
      : ''
  }`;
  const hidden = ids.map((id): Markup => hiddenField(recordField, id));
  return formPage(
    c,
    {
      title: text('title', { what: action.label[language], count: ids.length }),
      about: action.about[language],
      concerned,
      action: bulkAddress(kind, action.name, pairsOf(c)),
      back: listAddress(c, kind),
      button: action.label[language],
      danger: action.danger,
      fields: html`${hidden}${await fieldsMarkup(c, form.state)}`,
      ...form,
    },
    status,
  );
}

/** What the page that asks was answered. */
async function carryOut(
  c: ConsoleContext,
  kind: RecordKind,
  action: BulkAction,
  selected: Selected,
): Promise<Response> {
  const fields = await action.fields(c);
  const [first = ''] = selected.ids;
  const bodies = (typed: Typed) => {
    const body = bodyOf(fields, typed, readingOf(c));
    return { sent: body, whole: body };
  };
  const problemsOf = (body: FormBody) =>
    problemsForUser(c.get('core'), sessionOf(c), action.operation, { path: { id: first }, body });
  const received = await receive(c, fields, { judged: { problemsOf, bodies } });
  if ('again' in received) {
    const { status, ...form } = received.again;
    return ask(c, kind, action, selected, form, status);
  }
  const typed = received.send;
  const { sent: body } = bodies(typed);
  const empty = fields.filter((field) => field.required && isEmpty(body[field.name]));
  if (empty.length > 0) {
    const said = bulkSay(c.get('language'))('chooseFirst');
    const problems = new Map(empty.map(({ name }) => [name, said]));
    return ask(c, kind, action, selected, { state: { ...beginningWith(fields, typed), problems } }, 422);
  }
  return run(c, kind, action, { ...selected, body, token: onceOf(typed) });
}

const isEmpty = (value: FieldFacts | unknown): boolean =>
  value === undefined || (Array.isArray(value) && value.length === 0);

/** Does it, and tells what became of it: on the list, or with what was not done and why. */
async function run(
  c: ConsoleContext,
  kind: RecordKind,
  action: BulkAction,
  { ids, body, token }: Pick<Selected, 'ids'> & { body: FormBody; token: string },
): Promise<Response> {
  // A list that was gone back to has the token of its first sending, and by then another selection.
  const selection = createHash('sha256')
    .update(JSON.stringify([action.name, ids, body]))
    .digest('base64url');
  const key = `${token.slice(0, 100)} ${selection}`;
  const done = await once(() =>
    runOnManyAsUser(c.get('core'), sessionOf(c), action.operation, { ids, body }, key),
  );
  const refused = done.filter(({ problem }) => problem !== undefined);
  const count = String(done.length - refused.length);
  if (refused.length > 0) return resultPage(c, kind, action, { done, refused });
  return c.redirect(
    listAddress(c, kind, [
      ['done', `bulk-${action.name}`],
      ['count', count],
    ]),
    303,
  );
}

/** What was done with a selection, where the address of the list says so. */
export function bulkNotice(c: ConsoleContext, kind: RecordKind): Markup | string {
  const action = bulkActionsOf(c, kind).find(({ name }) => c.req.query('done') === `bulk-${name}`);
  if (!action) return '';
  const language = c.get('language');
  const count = Number.parseInt(c.req.query('count') ?? '0', 10) || 0;
  const said = bulkSay(language)('doneNotice', { what: action.label[language], count });
  return html`<p class="notice" role="status">${said}</p>`;
}

async function resultPage(
  c: ConsoleContext,
  kind: RecordKind,
  action: BulkAction,
  { done, refused }: Readonly<Record<'done' | 'refused', readonly DoneWithRecord[]>>,
): Promise<Response> {
  const [language, text] = [c.get('language'), bulkSay(c.get('language'))];
  const told = await Promise.all(
    refused.slice(0, namedRecords).map(async ({ id, problem }) => ({
      id,
      name: await nameOf(c, kind, id),
      why: problem ? reasonOf(c, problem) : '',
    })),
  );
  const columns = [
    {
      label: text('record'),
      cell: ({ id, name }: (typeof told)[number]) =>
        name === undefined ? text('noLongerThere') : html`<a href="${kind.path}/${id}">${name}</a>`,
    },
    { label: text('why'), cell: ({ why }: (typeof told)[number]) => why },
  ];
  const title = text('doneTitle', {
    what: action.label[language],
    done: done.length - refused.length,
    refused: refused.length,
  });
  const others = refused.length - told.length;
  const content = html`<h1>${title}</h1><h2>${text('notDone')}</h2>
${table(columns, told)}${others > 0 ? html`<p>${text('andOthers', { count: others })}</p>` : ''}
<p>${linkButton(listAddress(c, kind), text('backToList'))}</p>`;
  return page(c, { title, content });
}

async function nameOf(c: ConsoleContext, kind: RecordKind, id: string): Promise<string | undefined> {
  try {
    return kind.titleOf(await kind.get(c, id)) || bulkSay(c.get('language'))('unnamed');
  } catch (error) {
    if (error instanceof Problem && error.code === 'NOT_FOUND') return undefined;
    throw error;
  }
}

function reasonOf(c: ConsoleContext, problem: Problem): string {
  const language = c.get('language');
  const ofFields = problem.ofFields.map((each) => fieldWords(language, each));
  return ofFields.length > 0 ? [...new Set(ofFields)].join(' ') : problemWords(language, problem);
}
