import { laterOf } from '../clock.ts';
import { changesOf } from '../database/changes.ts';
import { invalidFields } from '../problem.ts';
import { writes } from '../verb/verb.ts';
import { changeTask } from './change-task.ts';
import { lockTask } from './lock-task.ts';
import { placeTask } from './place-task.ts';
import { readTask } from './task-record.ts';
import { taskReferenceProblems } from './task-references.ts';

export const updateTask = writes('tasks.update', async (context, { path, body }) => {
  const { core, sql, organization, now } = context;
  const task = await lockTask(context, path.id);
  const directory = await core.directories.current(sql, organization);
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
});
