import { notFound, Problem } from '../problem.ts';
import type { Changing, Scope } from '../verb/verb.ts';
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

/** The same row of a task that can be changed, not locked; undefined where there is none. */
export async function findTask(
  { sql, organization }: Pick<Scope, 'sql' | 'organization'>,
  id: string,
): Promise<TaskColumns | undefined> {
  const [row] = await sql<TaskColumns[]>`
    select ${taskColumns(sql)} from tasks t
    where t.organization_id = ${organization} and t.id = ${id} and t.archived_at is null`;
  return row;
}
