import { notFound, Problem } from '../problem.ts';
import type { Changing } from '../verb/verb.ts';
import { type TaskColumns, taskColumns } from './task-record.ts';

/** The task's row, locked until the transaction ends. Raises NOT_FOUND, and CONFLICT when it is archived. */
export async function lockTask({ sql, organization }: Changing, id: string): Promise<TaskColumns> {
  const [row] = await sql<TaskColumns[]>`
    select ${taskColumns(sql)} from tasks t
    where t.organization_id = ${organization} and t.id = ${id} for no key update`;
  if (!row) throw notFound();
  if (row.archived_at !== null) throw new Problem('task.archived');
  return row;
}
