import { randomUUIDv7 } from 'node:crypto';
import type { FieldProblem } from '@dealkeep/contract';
import { laterOf } from '../clock.ts';
import { changesOf } from '../database/values.ts';
import { canChoose, type Directory } from '../directory/directory.ts';
import { invalidFields } from '../problem.ts';
import type { Refused } from '../verb/check-input.ts';
import { type Changing, type InputOf, type ResultOf, type Writing, writes } from '../verb/verb.ts';
import { findTask, lockTask, tasks } from './record.ts';
import { changeTask } from './steps.ts';

const nowhere = { project_id: null, stage_id: null };

const create = async (
  context: Writing,
  { body }: InputOf<'tasks.create'>,
): Promise<ResultOf<'tasks.create'>> => {
  const { now } = context;
  const directory = await context.directory();
  const placed = placeTask(directory, nowhere, wantedIn(body));
  const problems = [
    ...(await taskReferenceProblems(context, body, directory)),
    ...('problems' in placed ? placed.problems : []),
  ];
  if (problems.length > 0 || 'problems' in placed) throw invalidFields(problems);

  const row = await tasks.insert(context, {
    ...tasks.valuesOf(body),
    id: randomUUIDv7(),
    priority: body.priority ?? 'normal',
    assignee_ids: [...new Set(body.assignee_ids)],
    ...placed.place,
    created_at: now,
    updated_at: now,
  });
  const created = await tasks.recordOf(context, row);
  context.emit('task.created', created);
  return created;
};

export const createTask = writes('tasks.create', create, {
  further: async (context, refused) => {
    const wanted = { ...refused, part: wantedIn(refused.part) };
    return furtherPlaceProblems(await context.directory(), nowhere, wanted);
  },
});

/** On create null equals absent. */
const wantedIn = ({ project_id, stage_id }: WantedPlace): WantedPlace => ({
  project_id: project_id ?? undefined,
  stage_id: stage_id ?? undefined,
});

const update = async (
  context: Writing,
  { path, body }: InputOf<'tasks.update'>,
): Promise<ResultOf<'tasks.update'>> => {
  const { now } = context;
  const task = await lockTask(context, path.id);
  const directory = await context.directory();
  const placed = placeTask(directory, task, body);
  const problems = [
    ...(await taskReferenceProblems(context, body, directory)),
    ...('problems' in placed ? placed.problems : []),
  ];
  if (problems.length > 0 || 'problems' in placed) throw invalidFields(problems);

  const { completed, assignee_ids, project_id: _, stage_id: __, ...plain } = body;
  const updatedAt = laterOf(now, task.updated_at);
  const changes = changesOf(task, {
    ...plain,
    ...(assignee_ids ? { assignee_ids: [...new Set(assignee_ids)] } : {}),
    ...(completed === undefined ? {} : { completed_at: completed ? (task.completed_at ?? updatedAt) : null }),
    project_id: placed.place.project_id,
    stage_id: placed.place.stage_id,
  });
  if (!changes) return tasks.recordOf(context, task);

  return changeTask(context, path.id, { ...changes, updated_at: updatedAt });
};

export const updateTask = writes('tasks.update', update, {
  further: async (context, refused, { id }) => {
    const task = await findTask(context, id);
    const directory = await context.directory();
    return task ? furtherPlaceProblems(directory, task, refused) : [];
  },
});

interface TaskReferences {
  assignee_ids?: readonly string[] | null | undefined;
  company_id?: string | null | undefined;
  lead_id?: string | null | undefined;
}

/** People, company and lead that a task's body names must exist; answers the failing fields. */
async function taskReferenceProblems(
  { sql, organization }: Changing,
  { assignee_ids, company_id, lead_id }: TaskReferences,
  directory: Directory,
): Promise<FieldProblem[]> {
  const problems: FieldProblem[] = [];
  for (const [index, id] of (assignee_ids ?? []).entries()) {
    if (!directory.users.has(id)) problems.push({ path: `assignee_ids[${index}]`, key: 'field.not_found' });
  }
  if (!company_id && !lead_id) return problems;
  const [found] = await sql<{ company: boolean; lead: boolean }[]>`
    select exists (select from companies where organization_id = ${organization}
                   and id = ${company_id ?? null}) as company,
           exists (select from leads where organization_id = ${organization} and id = ${lead_id ?? null}) as lead`;
  if (company_id && !found?.company) problems.push({ path: 'company_id', key: 'field.not_found' });
  if (lead_id && !found?.lead) problems.push({ path: 'lead_id', key: 'field.not_found' });
  return problems;
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
  directory: Directory,
  now: Place,
  wanted: WantedPlace,
): { place: Place } | { problems: FieldProblem[] } {
  const projectId = wanted.project_id === undefined ? now.project_id : wanted.project_id;
  const project = projectId === null ? undefined : directory.projects.get(projectId);
  const chosen = (id: string): boolean => canChoose(directory.projects, id, now.project_id);
  const known = wanted.stage_id ? directory.projectStages.get(wanted.stage_id) : undefined;
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
  if (projectId === now.project_id) return { place: now };
  return { place: { project_id: projectId, stage_id: project?.stages[0]?.id ?? null } };
}

/** What is wrong with the place in a body that is refused for something else. */
function furtherPlaceProblems(
  directory: Directory,
  now: Place,
  { part, isRefused }: Refused<WantedPlace>,
): FieldProblem[] {
  if (isRefused('project_id') || isRefused('stage_id')) return [];
  const placed = placeTask(directory, now, part);
  return 'problems' in placed ? placed.problems : [];
}
