import type { Task } from '@dealkeep/contract';
import type { Core } from '../core.ts';
import type { Fragment, Statements } from '../database/connect.ts';
import { type Directory, named } from '../directory/directory.ts';
import { textBytes } from '../paging/cursor.ts';
import { containsPattern, listPage } from '../paging/list-page.ts';
import { notFound, Problem } from '../problem.ts';
import { type Changing, reads, type Scope } from '../verb/verb.ts';

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

interface TaskRow extends TaskColumns {
  company_name: string | null;
  /** An unnamed lead's name is an empty text. */
  lead_name: string;
  directory_version: number;
  sort_value: string | null;
}

/** Columns of tasks (alias `t`). */
const taskColumns = (sql: Statements): Fragment => sql`
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

export const getTask = reads('tasks.get', (context, { path }) => readTask(context, path.id));

export const listTasks = reads('tasks.list', (context, { query }) => {
  const { core, sql, organization } = context;
  return listPage(context, query, {
    id: 'tasks.list',
    alias: 't',
    weight: textBytes(sql, ['t.description']),
    sorts: {
      due_date: { column: 'due_date', type: 'date', nullable: true },
      title: { column: 'title', type: 'text' },
    },
    filters: {
      q: (text) => sql`t.title ilike ${containsPattern(text)}`,
      completed: (completed) => (completed ? sql`t.completed_at is not null` : sql`t.completed_at is null`),
      archived: (archived) => (archived ? sql`t.archived_at is not null` : sql`t.archived_at is null`),
      assignee_id: (id) => sql`t.assignee_ids @> array[${id}::uuid]`,
      company_id: (id) => sql`t.company_id = ${id}`,
      lead_id: (id) => sql`t.lead_id = ${id}`,
      project_id: (id) => sql`t.project_id = ${id}`,
      stage_id: (id) => sql`t.stage_id = ${id}`,
      priority: (priority) => sql`t.priority = ${priority}`,
      due_before: (date) => sql`t.due_date < ${date}::date`,
      due_after: (date) => sql`t.due_date > ${date}::date`,
    },
    rows: ({ where, order, sortValue, limit }) =>
      taskRows(sql, sql`${where} order by ${order} limit ${limit}`, sortValue),
    items: async (rows) => {
      const version = Math.max(...rows.map((row) => row.directory_version), 0);
      const directory = await core.directories.at(sql, organization, version);
      return rows.map((row) => taskRecord(row, directory, core));
    },
  });
});

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
