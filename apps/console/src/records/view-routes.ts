import { type FieldFacts, fieldsOf, limits, resources, SaveView } from '@dealkeep/contract';
import { notFound, Problem } from '@dealkeep/core/foundations';
import { problemsForUser, runAsUser } from '@dealkeep/core/operations';
import type { Hono } from 'hono';
import { html } from 'hono/html';
import { buttonForm } from '../auth/forgery.ts';
import { idIn } from '../auth/permitted.ts';
import { type ConsoleContext, type ConsoleEnvironment, sessionOf } from '../context.ts';
import { bodyOf, type FormBody } from '../forms/body.ts';
import { type EditForm, editPage, saveEdit } from '../forms/edit-form.ts';
import { countsOnce, formPage, type ShownForm } from '../forms/form-page.ts';
import { receive } from '../forms/received.ts';
import { beginningWith, formKey, once, type Refusal, refusedForm } from '../forms/send.ts';
import { readingOf, readTyped, type Typed } from '../forms/typed.ts';
import { page } from '../frame/page.ts';
import { bar, button, emptyState, linkButton, type Markup, table, trail } from '../markup.ts';
import type { RecordKind } from './record-kind.ts';
import { recordKinds } from './record-kinds.ts';
import { viewNotice, viewSay } from './view-texts.ts';
import { addressOfView, pairsIn, type SavedView, savedViewsOf, viewQuery } from './views.ts';

/** The pages that save, change and remove the views of lists. */
export function viewRoutes(app: Hono<ConsoleEnvironment>): void {
  app.get('/views', (c) => managePage(c, kindIn(c)));
  app.get('/views/new', (c) => newPage(c, { state: beginningWith(asked, new Map([['shared', ['false']]])) }));
  app.post('/views/new', saveNew);
  app.get('/views/:id/edit', async (c) => editPage(c, await editForm(c)));
  app.post('/views/:id/edit', async (c) => saveEdit(c, await editForm(c)));
  app.post('/views/:id/replace', async (c) => {
    const { kind, view } = await viewIn(c);
    const query = queryIn(c, kind);
    const request = { path: { id: view.id }, body: { query } };
    await runAsUser(c.get('core'), sessionOf(c), 'views.edit', request, formKey(await readTyped(c)));
    return toList(c, kind, query, 'view-saved');
  });
  app.get('/views/:id/remove', removePage);
  app.post('/views/:id/remove', async (c) => {
    const { kind, view } = await viewIn(c);
    await runAsUser(c.get('core'), sessionOf(c), 'views.remove', { path: { id: view.id } });
    return c.redirect(`${managePath(kind)}&done=view-removed`, 303);
  });
}

/** What a form asks for. */
const asked: readonly FieldFacts[] = fieldsOf(SaveView).filter(({ name }) =>
  ['name', 'shared'].includes(name),
);

/** The list that an address names. Raises NOT_FOUND. */
function kindIn(c: ConsoleContext): RecordKind {
  const kind = recordKinds.find(({ resource }) => resource === c.req.query('kind'));
  if (!kind) throw notFound();
  return kind;
}

/** The filters that an address brings. Raises NOT_FOUND for what no list could have been shown with. */
function queryIn(c: ConsoleContext, kind: RecordKind): string {
  const query = viewQuery(kind, pairsIn(c.req.query('query') ?? ''));
  if (query.length > limits.viewQueryLength) throw notFound();
  return query;
}

const managePath = ({ resource }: RecordKind): string => `/views?${new URLSearchParams({ kind: resource })}`;

function toList(c: ConsoleContext, kind: RecordKind, query: string, done: string): Response {
  const address = addressOfView(kind, query);
  return c.redirect(`${address}${address.includes('?') ? '&' : '?'}done=${done}`, 303);
}

/** Whether a user may change a view. */
const isChangeable = (c: ConsoleContext, { own }: SavedView): boolean =>
  own || sessionOf(c).user.permissions === 'owner';

interface Found {
  readonly kind: RecordKind;
  readonly view: SavedView;
}

/** A view that the user may change. Raises NOT_FOUND for all others. */
async function viewIn(c: ConsoleContext): Promise<Found> {
  const [id, kind] = [idIn(c), kindIn(c)];
  const view = (await savedViewsOf(c, kind)).find((each) => each.id === id);
  if (!view) throw notFound();
  if (!isChangeable(c, view)) throw new Problem('view.of_another', { name: view.made_by });
  return { kind, view };
}

const addressOf = (
  { kind, view }: Found,
  step: 'edit' | 'remove' | 'replace',
  more: Readonly<Record<string, string>> = {},
): string => `/views/${view.id}/${step}?${new URLSearchParams({ kind: kind.resource, ...more })}`;

type Form = Pick<ShownForm, 'state'> & Partial<ShownForm> & Partial<Pick<Refusal, 'status'>>;

async function newPage(c: ConsoleContext, { status, ...form }: Form): Promise<Response> {
  const kind = kindIn(c);
  const query = queryIn(c, kind);
  const text = viewSay(c.get('language'));
  const back = addressOfView(kind, query);
  if (query === '') {
    const content = html`${trail(kind.path, resources[kind.resource].plural[c.get('language')])}
<h1>${text('saveView')}</h1>${emptyState(text('nothingToSave'))}`;
    return page(c, { title: text('saveView'), content });
  }
  const action = `/views/new?${new URLSearchParams({ kind: kind.resource, query })}`;
  const own = (await savedViewsOf(c, kind)).filter((view) => isChangeable(c, view));
  const shown = { title: text('saveView'), about: text('saveAbout'), action, back, button: text('save') };
  return formPage(c, { ...shown, ...form, below: replacing(c, kind, own, query) }, status);
}

/** A view that is there can take the filters over, without being named again. */
function replacing(
  c: ConsoleContext,
  kind: RecordKind,
  views: readonly SavedView[],
  query: string,
): Markup | string {
  if (views.length === 0) return '';
  const text = viewSay(c.get('language'));
  const press = (view: SavedView): Markup =>
    buttonForm(
      c,
      addressOf({ kind, view }, 'replace', { query }),
      html`${countsOnce()}${button(html`${text('replace')}: ${view.name}`, { look: 'secondary' })}`,
    );
  return html`<section class="card"><h2>${text('replaceTitle')}</h2><div class="choices">${views.map(press)}</div></section>`;
}

async function saveNew(c: ConsoleContext): Promise<Response> {
  const kind = kindIn(c);
  const query = queryIn(c, kind);
  const bodies = (typed: Typed) => {
    const body = { ...bodyOf(asked, typed, readingOf(c)), kind: kind.resource, query };
    return { sent: body, whole: body };
  };
  const problemsOf = (body: FormBody) => problemsForUser(c.get('core'), sessionOf(c), 'views.save', { body });
  const received = await receive(c, asked, { judged: { problemsOf, bodies } });
  if ('again' in received) return newPage(c, received.again);
  const typed = received.send;
  const request = { body: bodies(typed).sent };
  try {
    await once(() => runAsUser(c.get('core'), sessionOf(c), 'views.save', request, formKey(typed)));
    return toList(c, kind, query, 'view-saved');
  } catch (error) {
    return newPage(c, refusedForm(c, asked, typed, error));
  }
}

async function editForm(c: ConsoleContext): Promise<EditForm> {
  const found = await viewIn(c);
  const { kind, view } = found;
  const path = { id: view.id };
  return {
    title: viewSay(c.get('language'))('editTitle', { name: view.name }),
    action: addressOf(found, 'edit'),
    back: managePath(kind),
    fields: asked,
    shown: { name: view.name, shared: view.shared },
    problemsOf: (body) => problemsForUser(c.get('core'), sessionOf(c), 'views.edit', { path, body }),
    save: async (body) => {
      await runAsUser(c.get('core'), sessionOf(c), 'views.edit', { path, body });
      return `${managePath(kind)}&done=view-saved`;
    },
  };
}

async function removePage(c: ConsoleContext): Promise<Response> {
  const found = await viewIn(c);
  const text = viewSay(c.get('language'));
  return formPage(c, {
    title: text('removeTitle', { name: found.view.name }),
    about: text(found.view.shared ? 'removeSharedAbout' : 'removeAbout'),
    action: addressOf(found, 'remove'),
    back: managePath(found.kind),
    button: text('remove'),
    danger: true,
    state: beginningWith([]),
  });
}

async function managePage(c: ConsoleContext, kind: RecordKind): Promise<Response> {
  const [language, text] = [c.get('language'), viewSay(c.get('language'))];
  const views = await savedViewsOf(c, kind);
  const title = text('views', { what: resources[kind.resource].plural[language] });
  const seenBy = ({ own, shared, made_by: name }: SavedView): string => {
    if (!shared) return text('onlyYou');
    return own ? text('everybody') : text('everybodyBy', { name });
  };
  const columns = [
    {
      label: text('view'),
      cell: ({ name, query }: SavedView) => html`<a href="${addressOfView(kind, query)}">${name}</a>`,
    },
    { label: text('seenBy'), cell: seenBy },
    {
      label: text('actions'),
      holds: 'actions' as const,
      cell: (view: SavedView) =>
        isChangeable(c, view)
          ? html`${linkButton(addressOf({ kind, view }, 'edit'), html`${text('rename')}<span class="visually-hidden">: ${view.name}</span>`, 'secondary')}
${linkButton(addressOf({ kind, view }, 'remove'), html`${text('remove')}<span class="visually-hidden">: ${view.name}</span>`, 'secondary')}`
          : '',
    },
  ];
  const content = html`${trail(kind.path, resources[kind.resource].plural[language])}
${bar(title)}${viewNotice(c)}
${views.length > 0 ? table(columns, views) : emptyState(text('noneSaved'))}`;
  return page(c, { title, content });
}
