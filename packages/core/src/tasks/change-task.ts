import type { Task } from '@dealkeep/contract';
import type { Changing } from '../verb/verb.ts';
import { readTask, type TaskColumns } from './task-record.ts';

/** Changes columns of a locked task, and says what happened. Answers it as GET does. */
export async function changeTask(
  context: Changing,
  id: string,
  changes: { readonly [Name in keyof TaskColumns]?: TaskColumns[Name] | undefined },
): Promise<Task> {
  const { sql, organization } = context;
  await sql`update tasks set ${sql(changes)} where organization_id = ${organization} and id = ${id}`;
  const changed = await readTask(context, id);
  if (changes.stage_id !== undefined) context.emit('task.moved', changed);
  if (changes.completed_at) context.emit('task.completed', changed);
  return changed;
}
