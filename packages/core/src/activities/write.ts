import { randomUUIDv7 } from 'node:crypto';
import type { Activity, FieldProblem } from '@dealkeep/contract';
import { laterOf } from '../clock.ts';
import type { Core } from '../core.ts';
import { changesOf } from '../database/values.ts';
import { canChoose, type Directory } from '../directory/directory.ts';
import { invalidFields, Problem } from '../problem.ts';
import { type OrganizationName, transact } from '../verb/transact.ts';
import { type InputOf, type ResultOf, type Scope, type Writing, writes } from '../verb/verb.ts';
import { type ActivityRow, activities } from './record.ts';

interface ActivityReferences {
  type_id?: string | null | undefined;
  assignee_id?: string | null | undefined;
  company_id?: string | null | undefined;
  contact_id?: string | null | undefined;
  lead_id?: string | null | undefined;
}

/** What an activity's body refers to must exist; answers the failing fields. */
async function activityReferenceProblems(
  { sql, organization }: Scope,
  body: ActivityReferences,
  directory: Directory,
): Promise<FieldProblem[]> {
  const { type_id, assignee_id, company_id, contact_id, lead_id } = body;
  const missing: string[] = [];
  if (assignee_id && !directory.users.has(assignee_id)) missing.push('assignee_id');
  if (type_id && !canChoose(directory.activityTypes, type_id)) missing.push('type_id');
  if (company_id || contact_id || lead_id) {
    const [found] = await sql<{ company: boolean; contact: boolean; lead: boolean }[]>`
      select
        exists (select from companies where organization_id = ${organization} and id = ${company_id ?? null}) as company,
        exists (select from contacts where organization_id = ${organization} and id = ${contact_id ?? null}) as contact,
        exists (select from leads where organization_id = ${organization} and id = ${lead_id ?? null}) as lead`;
    if (company_id && !found?.company) missing.push('company_id');
    if (contact_id && !found?.contact) missing.push('contact_id');
    if (lead_id && !found?.lead) missing.push('lead_id');
  }
  return missing.map((path) => ({ path, key: 'field.not_found' }));
}

/**
 * The problem of an activity that ends before it starts, named at `path`. Both moments are RFC 3339 in UTC with
 * milliseconds.
 */
const orderProblems = (
  startAt: string | null,
  endAt: string | null,
  path: 'start_at' | 'end_at',
): FieldProblem[] =>
  startAt !== null && endAt !== null && endAt < startAt ? [{ path, key: 'field.before_start' }] : [];

const create = async (
  context: Writing,
  { body }: InputOf<'activities.create'>,
): Promise<ResultOf<'activities.create'>> => {
  const { credential, now } = context;
  const directory = await context.directory();
  const problems = [
    ...orderProblems(body.start_at, body.end_at ?? null, 'end_at'),
    ...(await activityReferenceProblems(context, body, directory)),
  ];
  if (problems.length > 0) throw invalidFields(problems);

  const row = await activities.insert(context, {
    ...activities.valuesOf(body),
    id: randomUUIDv7(),
    status: 'open',
    importance: body.importance ?? 'normal',
    end_at: body.end_at ?? usualEnd(body.start_at),
    owner_id: credential.user.id,
    assignee_id: body.assignee_id ?? credential.user.id,
    created_at: now,
    updated_at: now,
  });
  const created = await activities.recordOf(context, row);
  context.emit('activity.created', created);
  return created;
};

export const createActivity = writes('activities.create', create, {
  further: async (context, { part, isRefused }) => {
    const start = isRefused('start_at') ? null : (part.start_at ?? null);
    return [
      ...orderProblems(start, part.end_at ?? null, 'end_at'),
      ...(await activityReferenceProblems(context, part, await context.directory())),
    ];
  },
});

const usualMinutes = 30; // ActivityBody, end_at
const lastMoment = Date.parse('9999-12-31T23:59:59.999Z');

/** Date-times end with the year 9999, so an activity at its very end is shorter. */
const usualEnd = (startAt: string): string =>
  new Date(Math.min(Date.parse(startAt) + usualMinutes * 60_000, lastMoment)).toISOString();

const update = async (
  context: Writing,
  { path, body }: InputOf<'activities.update'>,
): Promise<ResultOf<'activities.update'>> => {
  const row = await activities.lock(context, path.id);
  const changes = changesOf(row, activities.valuesOf(body));
  if (!changes) return activities.recordOf(context, row);

  const problems = [
    ...timeProblems(row, changes),
    ...(await activityReferenceProblems(context, changes, await context.directory())),
  ];
  if (problems.length > 0) throw invalidFields(problems);
  const changed = { ...changes, updated_at: laterOf(context.now, row.updated_at) };
  return activities.recordOf(context, await activities.update(context, path.id, changed));
};

/** Allowed in every status, because people correct afterwards what was planned. The catalog has no event for it. */
export const updateActivity = writes('activities.update', update, {
  further: async (context, { part, isRefused }, { id }) => {
    const row = await activities.find(context, id);
    const changes = row && changesOf(row, part);
    if (!changes) return [];
    const isTimeClear = !isRefused('start_at') && !isRefused('end_at');
    const directory = await context.directory();
    return [
      ...(isTimeClear ? timeProblems(row, changes) : []),
      ...(await activityReferenceProblems(context, changes, directory)),
    ];
  },
});

type Times = Pick<ActivityRow, 'start_at' | 'end_at'>;

const timeProblems = (row: Times, changes: { [Name in keyof Times]?: Times[Name] | undefined }) => {
  const { start_at = row.start_at, end_at = row.end_at } = changes;
  return orderProblems(start_at, end_at, changes.end_at === undefined ? 'start_at' : 'end_at');
};

export const completeActivity = writes('activities.complete', async (context, { path }) => {
  const activity = await activities.lock(context, path.id);
  if (activity.status === 'canceled') throw new Problem('activity.canceled');
  if (activity.status === 'closed') return activities.recordOf(context, activity);
  const completedAt = laterOf(context.now, activity.updated_at);
  const row = await activities.update(context, path.id, {
    status: 'closed',
    completed_at: completedAt,
    updated_at: completedAt,
  });
  const completed = await activities.recordOf(context, row);
  context.emit('activity.completed', completed);
  return completed;
});

/**
 * Cancels an open activity, which the API has no operation for; a canceled one stays as it is, without an event.
 * Answers the activity as GET does. Raises NOT_FOUND, and CONFLICT when it is closed.
 */
export const cancelActivity = (
  core: Core,
  organization: OrganizationName,
  { id }: { id: string },
): Promise<Activity> =>
  transact(core, organization, async (context) => {
    const activity = await activities.lock(context, id);
    if (activity.status === 'closed') throw new Problem('record.wrong_state', { state: activity.status });
    if (activity.status === 'canceled') return activities.recordOf(context, activity);
    const canceledAt = laterOf(context.now, activity.updated_at);
    const row = await activities.update(context, id, { status: 'canceled', updated_at: canceledAt });
    const canceled = await activities.recordOf(context, row);
    context.emit('activity.cancelled', canceled);
    return canceled;
  });

/** What can be done with an activity as it is: once closed or canceled, it stays so. */
export const possibleActivitySteps = ({ status }: Pick<Activity, 'status'>): ('complete' | 'cancel')[] =>
  status === 'open' ? ['complete', 'cancel'] : [];
