import { randomUUIDv7 } from 'node:crypto';
import { invalidFields } from '../problem.ts';
import { type InputOf, type ResultOf, type Writing, writes } from '../verb/verb.ts';
import { furtherPlaceProblems, placeTask, type WantedPlace } from './place-task.ts';
import { readTask, type TaskColumns } from './task-record.ts';
import { taskReferenceProblems } from './task-references.ts';

const nowhere = { project_id: null, stage_id: null };

const create = async (
  context: Writing,
  { body }: InputOf<'tasks.create'>,
): Promise<ResultOf<'tasks.create'>> => {
  const { sql, organization, now } = context;
  const directory = await context.directory();
  const placed = placeTask(directory, nowhere, wantedIn(body));
  const problems = [
    ...(await taskReferenceProblems(context, body, directory)),
    ...('problems' in placed ? placed.problems : []),
  ];
  if (problems.length > 0 || 'problems' in placed) throw invalidFields(problems);

  const task: TaskColumns = {
    id: randomUUIDv7(),
    title: body.title,
    description: body.description ?? null,
    priority: body.priority ?? 'normal',
    start_date: body.start_date ?? null,
    due_date: body.due_date ?? null,
    due_time: body.due_time ?? null,
    completed_at: null,
    archived_at: null,
    assignee_ids: [...new Set(body.assignee_ids)],
    company_id: body.company_id ?? null,
    lead_id: body.lead_id ?? null,
    ...placed.place,
    created_at: now,
    updated_at: now,
  };
  await sql`insert into tasks ${sql({ organization_id: organization, ...task })}`;
  const created = await readTask(context, task.id);
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
