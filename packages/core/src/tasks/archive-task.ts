import type { Task } from '@dealkeep/contract';
import { laterOf } from '../clock.ts';
import type { Core } from '../core.ts';
import { type OrganizationName, transact } from '../verb/transact.ts';
import { lockTask } from './lock-task.ts';
import { readTask } from './task-record.ts';

/**
 * Archives a task, which the API has no operation and the catalog no event for. Answers the task as GET does. Raises
 * NOT_FOUND, and CONFLICT when it is archived already.
 */
export const archiveTask = (
  core: Core,
  organization: OrganizationName,
  { id }: { id: string },
): Promise<Task> =>
  transact(core, organization, async (context) => {
    const { sql, now } = context;
    const task = await lockTask(context, id);
    const archivedAt = laterOf(now, task.updated_at);
    await sql`
      update tasks set archived_at = ${archivedAt}, updated_at = ${archivedAt}
      where organization_id = ${organization.id} and id = ${id}`;
    return readTask(context, id);
  });
