import type { Task } from '@dealkeep/contract';

export type TaskStep = 'complete' | 'reopen' | 'move' | 'archive';

/** What can be done with a task as it is; nothing, once it is archived. */
export function possibleTaskSteps({
  completed_at,
  archived_at,
  project,
}: Pick<Task, 'completed_at' | 'archived_at' | 'project'>): TaskStep[] {
  if (archived_at !== null) return [];
  return [completed_at === null ? 'complete' : 'reopen', ...(project ? (['move'] as const) : []), 'archive'];
}
