import { reachOn } from '@dealkeep/core/identity';
import type { Hono } from 'hono';
import { html } from 'hono/html';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { requirePermitted } from '../auth/permitted.ts';
import { type ConsoleContext, type ConsoleEnvironment, sessionOf } from '../context.ts';
import { bodyOf, changesOf, type FormBody, typedOf } from '../forms/body.ts';
import { asksForPart, formPage, linesPart, onceOf, type ShownForm } from '../forms/form-page.ts';
import { sectionsMarkup } from '../forms/form-sections.ts';
import type { FormState } from '../forms/labelled-control.ts';
import { receive, unjudged } from '../forms/received.ts';
import { isMendable, once, refused, statusOf } from '../forms/send.ts';
import { firstOf, readingOf, type Typed } from '../forms/typed.ts';
import type { Markup } from '../markup.ts';
import { type ShownRecord, textIn } from '../values/shown-record.ts';
import type { Edit, RecordKind } from './record-kind.ts';
import { recordSay } from './texts.ts';

/** The pages that make and change the records of a kind. */
export function editRoutes(app: Hono<ConsoleEnvironment>, kind: RecordKind): void {
  const { create, update, path } = kind;
  if (create) {
    app.get(`${path}/new`, async (c) => {
      requirePermitted(c, kind.resource, create);
      const typed = await beginning(c, kind, create);
      return createPage(c, kind, create, {
        state: { ...state(create, typed), begins: typed, focus: firstPath(create) },
      });
    });
    app.post(`${path}/new`, (c) => createRecord(c, kind, create));
  }
  if (update) {
    app.get(`${path}/:id/edit`, async (c) => {
      requirePermitted(c, kind.resource, update);
      const record = await kind.get(c, c.req.param('id'));
      return updatePage(c, kind, record, { state: state(update, shown(c, update, record)) });
    });
    app.post(`${path}/:id/edit`, (c) => updateRecord(c, kind, update, c.req.param('id')));
  }
}

const state = ({ fields }: Edit, typed: Typed): FormState => unjudged(fields, typed);

const shown = (c: ConsoleContext, { fields }: Edit, record: ShownRecord): Typed =>
  typedOf(fields, record, readingOf(c));

/**
 * A new form begins with what its address says, with what its kind usually begins with, and with the user as owner
 * and, where only that is seen, assignee.
 */
async function beginning(c: ConsoleContext, kind: RecordKind, edit: Edit): Promise<Typed> {
  const session = sessionOf(c);
  const assigned = reachOn(session, kind.resource, edit.permissions) === 'assigned';
  const names = new Set(edit.fields.map(({ name }) => name));
  const own = ['owner_id', ...(assigned ? ['assignee_id', 'assignee_ids'] : [])];
  const values = {
    ...(await kind.begins?.(c)),
    ...Object.fromEntries(own.map((name) => [name, session.user.id])),
    ...c.req.query(),
  };
  const isAsked = (path: string): boolean => names.has(/^[^.[]*/.exec(path)?.[0] ?? '');
  return new Map(Object.entries(values).flatMap(([path, value]) => (isAsked(path) ? [[path, [value]]] : [])));
}

/** Where somebody begins to type. */
function firstPath({ fields }: Edit): string | undefined {
  const [first] = fields;
  if (first?.type !== 'object' || first.isArray) return first?.name;
  return `${first.name}.${first.fields[0]?.name}`;
}

const judgedBy = (c: ConsoleContext, edit: Edit, id?: string) => ({
  rules: edit.rules ?? [],
  problemsOf: (sent: FormBody) => edit.problemsOf(c, sent, id),
});

type Shown = Pick<ShownForm, 'state'> & Partial<ShownForm>;

async function createPage(
  c: ConsoleContext,
  kind: RecordKind,
  create: Edit,
  form: Shown,
  status?: ContentfulStatusCode,
) {
  const lines = await linesPart(c, form.state);
  if (lines) return lines;
  const [language, text] = [c.get('language'), recordSay(c.get('language'))];
  const { path, createLabel } = kind;
  const title = createLabel[language];
  const about = create.rules?.flatMap(({ about }) => about?.[language] ?? []).join(' ');
  const state = { ...form.state, begins: form.state.begins ?? (await beginning(c, kind, create)) };
  return formPage(
    c,
    {
      title,
      action: `${path}/new`,
      back: path,
      button: text('save'),
      another: true,
      concerned: savedNotice(c, kind),
      fields: await sectionsMarkup(c, state, create.sections, { isShort: asksForPart(c) }),
      ...(about ? { about } : {}),
      ...form,
      state,
    },
    status,
  );
}

/** Above a form that was opened by "Save and add another": what was saved. */
function savedNotice(c: ConsoleContext, { path }: RecordKind): Markup | string {
  const id = c.req.query('done') ?? '';
  if (!/^[0-9a-f-]{36}$/.test(id)) return '';
  const text = recordSay(c.get('language'));
  return html`<p class="notice" role="status">${text('saved')} <a href="${path}/${id}">${text('open')}</a></p>`;
}

async function createRecord(c: ConsoleContext, kind: RecordKind, edit: Edit): Promise<Response> {
  requirePermitted(c, kind.resource, edit);
  const bodyIn = (typed: Typed): FormBody => bodyOf(edit.fields, typed, readingOf(c));
  const bodies = (typed: Typed) => {
    const body = bodyIn(typed);
    return { sent: body, whole: body };
  };
  const received = await receive(c, edit.fields, { judged: { ...judgedBy(c, edit), bodies } });
  if ('again' in received) {
    const { status, ...form } = received.again;
    return createPage(c, kind, edit, form, status);
  }
  const body = bodyIn(received.send);
  try {
    const record = await once(() => edit.run(c, body, { once: onceOf(received.send) }));
    const id = textIn(record, kind.idField);
    if (asksForPart(c)) return c.json({ id, name: kind.titleOf(record) }, 201);
    const another = firstOf(received.send, 'do') === 'another';
    return c.redirect(another ? `${kind.path}/new?done=${id}` : `${kind.path}/${id}?done=save`, 303);
  } catch (error) {
    if (!isMendable(error)) throw error;
    return createPage(c, kind, edit, refused(c, edit, received.send, error), statusOf(error));
  }
}

async function updatePage(
  c: ConsoleContext,
  kind: RecordKind,
  record: ShownRecord,
  form: Shown,
  status?: ContentfulStatusCode,
) {
  const text = recordSay(c.get('language'));
  const back = `${kind.path}/${textIn(record, kind.idField)}`;
  const title = text('editTitle', { name: kind.titleOf(record) });
  const version = textIn(record, 'updated_at');
  const fields = await sectionsMarkup(c, form.state, kind.update?.sections ?? []);
  const action = `${back}/edit`;
  return formPage(c, { title, action, back, version, button: text('save'), fields, ...form }, status);
}

async function updateRecord(c: ConsoleContext, kind: RecordKind, edit: Edit, id: string): Promise<Response> {
  requirePermitted(c, kind.resource, edit);
  const record = await kind.get(c, id);
  const changesIn = (typed: Typed): FormBody =>
    changesOf(edit.fields, { shown: shown(c, edit, record), typed }, readingOf(c));
  const bodies = (typed: Typed) => ({
    sent: changesIn(typed),
    whole: bodyOf(edit.fields, typed, readingOf(c)),
  });
  const version = textIn(record, 'updated_at');
  const received = await receive(c, edit.fields, { judged: { ...judgedBy(c, edit, id), bodies }, version });
  if ('again' in received) {
    const { status, ...form } = received.again;
    return updatePage(c, kind, record, form, status);
  }
  const typed = received.send;
  const changedMeanwhile = (now: ShownRecord): Promise<Response> => {
    const alerts = [recordSay(c.get('language'))('changedMeanwhile')];
    return updatePage(c, kind, now, { state: state(edit, typed), alerts }, 409);
  };
  const body = changesIn(typed);
  try {
    await once(() => edit.run(c, body, { id, once: onceOf(typed), version }));
    return c.redirect(`${kind.path}/${id}?done=save`, 303);
  } catch (error) {
    if (!isMendable(error)) throw error;
    if (error.key === 'record.changed') return changedMeanwhile(await kind.get(c, id));
    return updatePage(c, kind, record, refused(c, edit, typed, error), statusOf(error));
  }
}
