import { resources } from '@dealkeep/contract';
import { reachOn } from '@dealkeep/core';
import type { Hono } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { requirePermitted } from '../auth/permitted.ts';
import { type ConsoleContext, type ConsoleEnvironment, sessionOf } from '../context.ts';
import { bodyOf, changesOf, type FormBody, typedOf } from '../forms/body.ts';
import { formPage, onceOf, type ShownForm } from '../forms/form-page.ts';
import { sectionsMarkup } from '../forms/form-sections.ts';
import type { FormState } from '../forms/labelled-control.ts';
import { receive, unjudged } from '../forms/received.ts';
import { isMendable, once, refused, statusOf } from '../forms/send.ts';
import { readingOf, type Typed } from '../forms/typed.ts';
import { type ShownRecord, textIn } from '../values/shown-record.ts';
import type { Edit, RecordKind } from './record-kind.ts';
import { recordSay } from './texts.ts';

/** The pages that make and change the records of a kind. */
export function editRoutes(app: Hono<ConsoleEnvironment>, kind: RecordKind): void {
  const { create, update, path } = kind;
  if (create) {
    app.get(`${path}/new`, (c) => {
      requirePermitted(c, kind.resource, create);
      return createPage(c, kind, { state: state(create, beginning(c, kind, create)) });
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

/** A new form begins with what its address says, and with the user as owner and, where only that is seen, assignee. */
function beginning(c: ConsoleContext, { resource }: RecordKind, { fields, permissions }: Edit): Typed {
  const session = sessionOf(c);
  const assigned = reachOn(session, resource, permissions) === 'assigned';
  const own = new Set(['owner_id', ...(assigned ? ['assignee_id', 'assignee_ids'] : [])]);
  const typed = new Map<string, string[]>();
  for (const { name } of fields) {
    const asked = c.req.query(name);
    if (asked !== undefined) typed.set(name, [asked]);
    else if (own.has(name)) typed.set(name, [session.user.id]);
  }
  return typed;
}

const judgedBy = (c: ConsoleContext, edit: Edit, id?: string) => ({
  rules: edit.rules ?? [],
  problemsOf: (sent: FormBody) => edit.problemsOf(c, sent, id),
});

type Shown = Pick<ShownForm, 'state'> & Partial<ShownForm>;

async function createPage(
  c: ConsoleContext,
  { resource, path, create }: RecordKind,
  form: Shown,
  status?: ContentfulStatusCode,
) {
  const [language, text] = [c.get('language'), recordSay(c.get('language'))];
  const title = text('create', { what: resources[resource].label[language] });
  const about = create?.rules?.flatMap(({ about }) => about?.[language] ?? []).join(' ');
  return formPage(
    c,
    {
      title,
      action: `${path}/new`,
      back: path,
      button: text('save'),
      fields: await sectionsMarkup(c, form.state, create?.sections ?? []),
      ...(about ? { about } : {}),
      ...form,
    },
    status,
  );
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
    return createPage(c, kind, form, status);
  }
  const body = bodyIn(received.send);
  try {
    const record = await once(() => edit.run(c, body, { once: onceOf(received.send) }));
    return c.redirect(`${kind.path}/${textIn(record, kind.idField)}?done=save`, 303);
  } catch (error) {
    if (!isMendable(error)) throw error;
    return createPage(c, kind, refused(c, edit, received.send, error), statusOf(error));
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
