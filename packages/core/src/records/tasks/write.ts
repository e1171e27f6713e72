import type { FieldProblem, Task } from '@dealkeep/contract';
import type { Services } from '../../change/services.ts';
import { sweepOrganizations } from '../../change/verb/sweep-organizations.ts';
import {
  type Changing,
  type InputOf,
  type ReadContext,
  type ResultOf,
  type Sent,
  sweeps,
  type Writing,
  writes,
} from '../../change/verb/verb.ts';
import { laterOf } from '../../foundations/clock.ts';
import type { Fragment, Statements } from '../../foundations/database/connect.ts';
import { newId } from '../../foundations/database/new-id.ts';
import { changesOf } from '../../foundations/database/values.ts';
import { sweptRecordsAtOnce } from '../../foundations/operating-limits.ts';
import { invalidFields } from '../../foundations/problem.ts';
import { canChoose, type ReferenceData } from '../../identity/reference-data/reference-data.ts';
import {
  dueOrganizations,
  type FirstDue,
  ofAllOrganizations,
} from '../../identity/tenancy/due-organizations.ts';
import { type TaskRow, taskOfChange, tasks } from './record.ts';

const nowhere = { project_id: null, stage_id: null };

export const createTask = writes('tasks.create', {
  check: (context, { body, isRefused }) =>
    judgeTask(context, { ...nowhere, ...noDates }, { ...body, ...wantedIn(body) }, isRefused),

  async run(context, { body }, { place, joined }) {
    const { now } = context;
    const task = {
      ...tasks.valuesOf(body),
      id: newId(),
      priority: body.priority ?? 'normal',
      assignee_ids: [...new Set(body.assignee_ids)],
      ...place,
      created_at: now,
      updated_at: now,
    };
    const row = await tasks.insertWhole(context, task, {
      joined: { company_name: null, lead_name: null, ...joined },
    });
    const created = await tasks.recordOf(context, row);
    context.emit('task.created', created);
    return created;
  },
});

type ChangedTask = Place & Dates;
type SentTask = WantedPlace & SentDates & TaskReferences;

/**
 * Where a task stands after a body and what it shows of what that refers to. Places and dates of which one is
 * refused are not judged. Raises VALIDATION_ERROR.
 */
async function judgeTask(
  context: ReadContext,
  had: ChangedTask,
  sent: SentTask,
  isRefused: (path: string) => boolean,
): Promise<{ place: Place; joined: JoinedToTask }> {
  const referenceData = await context.referenceData();
  const placed = ['project_id', 'stage_id'].some(isRefused)
    ? { problems: [] }
    : placeTask(referenceData, had, sent);
  const references = await findTaskReferences(context, sent, referenceData);
  const isDated = !['start_date', 'due_date', 'due_time'].some(isRefused);
  const problems = [
    ...references.problems,
    ...('problems' in placed ? placed.problems : []),
    ...(isDated ? dateProblems(had, sent) : []),
  ];
  if (problems.length > 0 || 'problems' in placed) throw invalidFields(problems);
  return { place: placed.place, joined: references.joined };
}

/** On create null equals absent. */
const wantedIn = ({ project_id, stage_id }: WantedPlace): WantedPlace => ({
  project_id: project_id ?? undefined,
  stage_id: stage_id ?? undefined,
});

const check = async (
  context: ReadContext,
  { path, body, isRefused }: Pick<Sent<'tasks.update'>, 'path' | 'body' | 'isRefused'>,
) => {
  const task = await taskOfChange(context, path.id);
  return { task, ...(await judgeTask(context, task, body, isRefused)) };
};

const update = async (
  context: Writing,
  { body }: Pick<InputOf<'tasks.update'>, 'body'>,
  { task, place, joined }: Awaited<ReturnType<typeof check>>,
): Promise<ResultOf<'tasks.update'>> => {
  const { now } = context;
  const { completed, assignee_ids, project_id: _, stage_id: __, ...plain } = body;
  const updatedAt = laterOf(now, task.updated_at);
  const changes = changesOf(task, {
    ...plain,
    ...(assignee_ids ? { assignee_ids: [...new Set(assignee_ids)] } : {}),
    ...(completed === undefined ? {} : { completed_at: completed ? (task.completed_at ?? updatedAt) : null }),
    ...place,
  });
  if (!changes) return tasks.recordOf(context, task);

  return changeTask(context, task, { ...changes, updated_at: updatedAt }, { joined });
};

type Dates = Pick<TaskRow, 'start_date' | 'due_date' | 'due_time'>;
type SentDates = { readonly [Name in keyof Dates]?: Dates[Name] | undefined };

const noDates: Dates = { start_date: null, due_date: null, due_time: null };

/**
 * What is wrong with the dates of a task after a change, told of what was sent. Where nothing of a pair changes it
 * is not judged: tasks of earlier versions can be changed otherwise.
 */
function dateProblems(had: Dates, sent: SentDates): FieldProblem[] {
  const becomes = <Name extends keyof Dates>(name: Name): Dates[Name] =>
    sent[name] === undefined ? had[name] : (sent[name] ?? null);
  const changes = (name: keyof Dates): boolean => becomes(name) !== had[name];
  const [start, due, time] = [becomes('start_date'), becomes('due_date'), becomes('due_time')];
  const problems: FieldProblem[] = [];
  if (start !== null && due !== null && due < start && (changes('start_date') || changes('due_date'))) {
    const path = changes('due_date') ? 'due_date' : 'start_date';
    problems.push({ path, key: 'field.due_before_start' });
  }
  if (time !== null && due === null && (changes('due_time') || changes('due_date'))) {
    const path = changes('due_time') ? 'due_time' : 'due_date';
    problems.push({ path, key: 'field.needs_due_date' });
  }
  return problems;
}

export const updateTask = writes('tasks.update', { check, run: update });

/** Another name for an update of one field, as people press it. */
export const moveTask = writes('tasks.move', { check, run: update });
export const completeTask = writes('tasks.complete', {
  check: (context, { path, isRefused }) => check(context, { path, body: {}, isRefused }),
  run: (context, _, found) => update(context, { body: { completed: true } }, found),
});
export const reopenTask = writes('tasks.reopen', {
  check: (context, { path, isRefused }) => check(context, { path, body: {}, isRefused }),
  run: (context, _, found) => update(context, { body: { completed: false } }, found),
});

interface TaskReferences {
  /** An undefined one was refused already. */
  assignee_ids?: readonly (string | undefined)[] | null | undefined;
  company_id?: string | null | undefined;
  lead_id?: string | null | undefined;
}

/** What records show of the company and the lead that a body names. */
interface JoinedToTask {
  company_name?: string | null;
  lead_name?: string | null;
}

/** Users, company and lead that a task's body names; answers the failing fields where there are none. */
async function findTaskReferences(
  { sql, organization }: ReadContext,
  { assignee_ids, company_id, lead_id }: TaskReferences,
  referenceData: ReferenceData,
): Promise<{ joined: JoinedToTask; problems: FieldProblem[] }> {
  const problems: FieldProblem[] = [];
  for (const [index, id] of (assignee_ids ?? []).entries()) {
    if (id === undefined || referenceData.users.has(id)) continue;
    problems.push({ path: `assignee_ids[${index}]`, key: 'field.not_found' });
  }
  if (!company_id && !lead_id) return { joined: {}, problems };
  const [found] = await sql<{ company: [string] | null; lead: [string | null] | null }[]>`
    select (select json_build_array(name) from companies
            where organization_id = ${organization} and id = ${company_id ?? null}) as company,
           (select json_build_array(name) from leads
            where organization_id = ${organization} and id = ${lead_id ?? null}) as lead`;
  const { company, lead } = found ?? {};
  if (company_id && !company) problems.push({ path: 'company_id', key: 'field.not_found' });
  if (lead_id && !lead) problems.push({ path: 'lead_id', key: 'field.not_found' });
  return {
    joined: { ...(company ? { company_name: company[0] } : {}), ...(lead ? { lead_name: lead[0] } : {}) },
    problems,
  };
}

/** Where a task stands; a stage never stands without its project. */
interface Place {
  project_id: string | null;
  stage_id: string | null;
}

/** What a body says of it: absent stays, null clears. */
interface WantedPlace {
  project_id?: string | null | undefined;
  stage_id?: string | null | undefined;
}

/**
 * The place that a body means. A stage brings its project along when the task has none and none is given; another
 * project without a stage begins in its first one; without a project there is no stage.
 */
function placeTask(
  referenceData: ReferenceData,
  now: Place,
  wanted: WantedPlace,
): { place: Place } | { problems: FieldProblem[] } {
  const projectId = wanted.project_id === undefined ? now.project_id : wanted.project_id;
  const project = projectId === null ? undefined : referenceData.projects.get(projectId);
  const chosen = (id: string): boolean => canChoose(referenceData.projects, id, now.project_id);
  const known = wanted.stage_id ? referenceData.projectStages.get(wanted.stage_id) : undefined;
  const stage = known && chosen(known.project_id) ? known : undefined;
  const problems: FieldProblem[] = [];
  if (wanted.project_id && !chosen(wanted.project_id))
    problems.push({ path: 'project_id', key: 'field.not_found' });
  if (wanted.stage_id && !stage) problems.push({ path: 'stage_id', key: 'field.not_found' });
  if (problems.length > 0) return { problems };

  if (stage) {
    const fits = stage.project_id === projectId || (projectId === null && wanted.project_id === undefined);
    return fits
      ? { place: { project_id: stage.project_id, stage_id: stage.id } }
      : { problems: [{ path: 'stage_id', key: 'field.stage_of_other_project' }] };
  }
  if (wanted.stage_id === null) return { place: { project_id: projectId, stage_id: null } };
  if (projectId === now.project_id) return { place: { project_id: projectId, stage_id: now.stage_id } };
  return { place: { project_id: projectId, stage_id: project?.stages[0]?.id ?? null } };
}

/** What can be done with a task as it is; nothing, once it is archived. */
export function possibleTaskSteps({
  completed_at,
  archived_at,
  project,
}: Pick<Task, 'completed_at' | 'archived_at' | 'project'>): TaskStep[] {
  if (archived_at !== null) return [];
  return [
    completed_at === null ? 'tasks.complete' : 'tasks.reopen',
    ...(project ? (['tasks.move'] as const) : []),
    'tasks.archive',
  ];
}

type TaskStep = 'tasks.complete' | 'tasks.reopen' | 'tasks.move' | 'tasks.archive';

/** Changes columns of a locked task and emits its events. Answers it as GET does. */
export async function changeTask(
  context: Changing,
  task: TaskRow,
  changes: Parameters<typeof tasks.update>[2],
  also?: Parameters<typeof tasks.update>[3],
): Promise<Task> {
  const before = await tasks.recordOf(context, task);
  const changed = await tasks.recordOf(context, await tasks.update(context, task, changes, also));
  if (changes.stage_id !== undefined) context.emit('task.moved', changed, before);
  if (changes.completed_at) context.emit('task.completed', changed);
  return changed;
}

/** The catalog has no event for it. Raises CONFLICT when it is archived already. */
export const archiveTask = writes('tasks.archive', async (context, { path }) => {
  const task = await taskOfChange(context, path.id);
  const archivedAt = laterOf(context.now, task.updated_at);
  const row = await tasks.update(context, task, { archived_at: archivedAt, updated_at: archivedAt });
  return tasks.recordOf(context, row);
});

/**
 * Tells of every open task whose due moment has passed (`task.overdue`), once for each due moment; the task itself
 * stays as it is. Any number of workers may run it at once. Answers how many were told of.
 */
export async function tellOverdueTasks(core: Services): Promise<number> {
  const { sql, clock } = core;
  const now = clock.now().toISOString();
  const first = await sql<FirstDue[]>`
    select ${ofAllOrganizations(sql)} t.organization_id, min(t.due_local)::text as due from tasks t
    where ${mayBeUntold(sql, now)} group by t.organization_id`;
  const due = await dueOrganizations(sql, first, sql`due at time zone time_zone <= ${now}::timestamptz`, now);
  return sweepOrganizations(core, due, tellOverdue);
}

export const tellOverdue = sweeps('tasks.tell-overdue', async (context) => {
  const { sql, organization, now } = context;
  const { timeZone } = await context.referenceData();
  const told = await sql<{ id: string }[]>`
    with due as (
      select t.id from tasks t
      where t.organization_id = ${organization} and ${mayBeUntold(sql, now)}
        and t.due_local at time zone ${timeZone} <= ${now}::timestamptz
      order by t.id limit ${sweptRecordsAtOnce} for no key update of t)
    update tasks t set overdue_told_of = t.due_local from due
    where t.organization_id = ${organization} and t.id = due.id
    returning t.id`;
  const ids = told.map(({ id }) => id);
  const rows = await tasks.rows(
    context,
    sql`t.organization_id = ${organization} and t.id = any(${ids}::uuid[]) order by t.due_local, t.id`,
  );
  for (const task of await tasks.records(context, rows)) context.emit('task.overdue', task);
  return rows.length;
});

/**
 * Open tasks (alias `t`) that are due somewhere and not told of: no clock on earth is more than 14 hours ahead of
 * UTC. In the words of the index.
 */
const mayBeUntold = (sql: Statements, now: string): Fragment => sql`
  t.due_local <= ${now}::timestamptz at time zone 'UTC' + interval '14 hours'
  and t.completed_at is null and t.archived_at is null
  and (t.overdue_told_of is null or t.overdue_told_of <> t.due_local)`;
