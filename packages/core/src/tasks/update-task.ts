import { laterOf } from '../clock.ts';
import { changesOf } from '../database/changes.ts';
import { invalidFields } from '../problem.ts';
import { type InputOf, type ResultOf, type Writing, writes } from '../verb/verb.ts';
import { changeTask } from './change-task.ts';
import { findTask, lockTask } from './lock-task.ts';
import { furtherPlaceProblems, placeTask } from './place-task.ts';
import { readTask } from './task-record.ts';
import { taskReferenceProblems } from './task-references.ts';

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
  if (!changes) return readTask(context, path.id);

  return changeTask(context, path.id, { ...changes, updated_at: updatedAt });
};

export const updateTask = writes('tasks.update', update, {
  further: async (context, refused, { id }) => {
    const task = await findTask(context, id);
    const directory = await context.directory();
    return task ? furtherPlaceProblems(directory, task, refused) : [];
  },
});
