import type { Problem } from '@dealkeep/core/foundations';
import { momentOfLocal } from '@dealkeep/core/foundations';
import type { Hono } from 'hono';
import { requirePermitted } from '../../auth/permitted.ts';
import { type ConsoleContext, type ConsoleEnvironment, sessionOf } from '../../context.ts';
import { onceOf, versionField } from '../../forms/form-page.ts';
import { explain } from '../../forms/received.ts';
import { isMendable, once, statusOf } from '../../forms/send.ts';
import { firstOf, readTyped, type Typed } from '../../forms/typed.ts';
import type { RecordKind } from '../record-kind.ts';
import { kindOf } from '../record-kinds.ts';
import { recordSay } from '../texts.ts';
import { noteField } from './note.ts';
import { hasWork, type WorkKind, workFields } from './open-work.ts';
import { recordPage } from './record-page.ts';

/** A record's page, and what is sent from it: its note, and what is to be done. */
export function pageRoutes(app: Hono<ConsoleEnvironment>, kind: RecordKind): void {
  app.get(`${kind.path}/:id`, (c) => recordPage(c, kind, c.req.param('id')));
  const note = noteField(kind);
  if (note !== undefined) {
    app.post(`${kind.path}/:id/note`, (c) => saveNote(c, kind, { id: c.req.param('id'), field: note }));
  }
  if (!hasWork(kind)) return;
  app.post(`${kind.path}/:id/tasks`, (c) => addWork(c, kind, 'task', c.req.param('id')));
  app.post(`${kind.path}/:id/activities`, (c) => addWork(c, kind, 'activity', c.req.param('id')));
}

async function saveNote(
  c: ConsoleContext,
  kind: RecordKind,
  { id, field }: { id: string; field: string },
): Promise<Response> {
  const { update } = kind;
  if (!update) throw new Error(`${kind.resource} has no operation to change it`);
  requirePermitted(c, kind.resource, update);
  const typed = await readTyped(c);
  const note = firstOf(typed, 'note').replaceAll('\r\n', '\n').trim();
  const version = firstOf(typed, versionField);
  try {
    const body = { [field]: note === '' ? null : note };
    await once(() => update.run(c, body, { id, once: keyOf(typed), version }));
    return c.redirect(`${kind.path}/${id}?done=save`, 303);
  } catch (error) {
    if (!isMendable(error)) throw error;
    const problems = problemsIn(c, error);
    return recordPage(c, kind, id, { note: { typed: note, problems } }, statusOf(error));
  }
}

async function addWork(c: ConsoleContext, kind: RecordKind, of: WorkKind, id: string): Promise<Response> {
  const work = kindOf(of);
  if (!work?.create) throw new Error(`${of} has no operation to create it`);
  const { create } = work;
  requirePermitted(c, work.resource, create);
  const record = await kind.get(c, id);
  const typed = await readTyped(c);
  const { user, organization } = sessionOf(c);
  const [name, start, type] = [
    firstOf(typed, of === 'task' ? 'title' : 'name').trim(),
    firstOf(typed, 'start_at'),
    firstOf(typed, 'type_id'),
  ];
  const own =
    of === 'task'
      ? { title: name, assignee_ids: [user.id] }
      : {
          name,
          start_at: momentOfLocal(start, organization.timeZone) ?? start,
          ...(type === '' ? {} : { type_id: type }),
        };
  try {
    const body = { ...own, ...workFields(kind, record, of) };
    await once(() => create.run(c, body, { once: keyOf(typed) }));
    const part = of === 'task' ? 'tasks' : 'activities';
    return c.redirect(`${kind.path}/${id}?done=save#${part}`, 303);
  } catch (error) {
    if (!isMendable(error)) throw error;
    const refused = { of, typed: { name, start }, problems: problemsIn(c, error) };
    return recordPage(c, kind, id, { work: refused }, statusOf(error));
  }
}

/** Without a token the form counts each time. */
const keyOf = (typed: Typed): string => onceOf(typed) || crypto.randomUUID();

/** What is wrong with the one line that was sent, said above it. */
function problemsIn(c: ConsoleContext, error: Problem): string[] {
  const language = c.get('language');
  if (error.key === 'record.changed') return [recordSay(language)('changedMeanwhile')];
  const { problems, others } = explain(language, { fields: [], typed: new Map() }, error);
  return [...problems.values(), ...others];
}
