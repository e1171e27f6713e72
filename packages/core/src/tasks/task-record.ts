import type { Task } from '@dealkeep/contract';
import type { Core } from '../core.ts';
import type { Fragment, Statements } from '../database/connect.ts';
import type { Directory } from '../directory/directory.ts';
import { named } from '../directory/named.ts';
import { notFound } from '../problem.ts';
import type { Scope } from '../verb/verb.ts';

/** The task's own columns that the API shows or changes. */
export interface TaskColumns {
  id: string;
  title: string;
  description: string | null;
  priority: 'low' | 'normal' | 'high';
  start_date: string | null;
  due_date: string | null;
  /** HH:MM */
  due_time: string | null;
  completed_at: string | null;
  archived_at: string | null;
  assignee_ids: string[];
  company_id: string | null;
  lead_id: string | null;
  project_id: string | null;
  stage_id: string | null;
  created_at: string;
  updated_at: string;
}

export interface TaskRow extends TaskColumns {
  company_name: string | null;
  /** An unnamed lead's name is an empty text. */
  lead_name: string;
  directory_version: number;
  sort_value: string | null;
}

/** Columns of tasks (alias `t`). */
export const taskColumns = (sql: Statements): Fragment => sql`
  t.id, t.title, t.description, t.priority, t.start_date, t.due_date, to_char(t.due_time, 'HH24:MI') as due_time,
  t.completed_at, t.archived_at, t.assignee_ids, t.company_id, t.lead_id, t.project_id, t.stage_id, t.created_at,
  t.updated_at`;

/** Rows of tasks (alias `t`) with what their records need; the small tables come from the directory. */
export const taskRows = (sql: Statements, rest: Fragment, sortValue: Fragment = sql`null`) =>
  sql<TaskRow[]>`
    select ${taskColumns(sql)}, c.name as company_name, coalesce(l.name, '') as lead_name, o.directory_version,
           ${sortValue} as sort_value
    from tasks t
    join organizations o on o.id = t.organization_id
    left join companies c on c.organization_id = t.organization_id and c.id = t.company_id
    left join leads l on l.organization_id = t.organization_id and l.id = t.lead_id
    where ${rest}`;

export const taskRecord = (row: TaskRow, directory: Directory, core: Core): Task => ({
  id: row.id,
  title: row.title,
  description: row.description,
  priority: row.priority,
  start_date: row.start_date,
  due_date: row.due_date,
  due_time: row.due_time,
  completed_at: row.completed_at,
  archived_at: row.archived_at,
  assignees: row.assignee_ids.flatMap((id) => named(directory.users, id) ?? []),
  company:
    row.company_id !== null && row.company_name !== null
      ? { id: row.company_id, name: row.company_name }
      : null,
  lead: row.lead_id === null ? null : { id: row.lead_id, name: row.lead_name },
  project: named(directory.projects, row.project_id),
  stage: named(directory.projectStages, row.stage_id),
  created_at: row.created_at,
  updated_at: row.updated_at,
  app_url: `${core.origin}/tasks/${row.id}`,
});

/** A task as GET answers it. Raises NOT_FOUND. */
export async function readTask({ core, sql, organization }: Scope, id: string): Promise<Task> {
  const [row] = await taskRows(sql, sql`t.organization_id = ${organization} and t.id = ${id}`);
  if (!row) throw notFound();
  return taskRecord(row, await core.directories.at(sql, organization, row.directory_version), core);
}
