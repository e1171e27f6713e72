import { resources, type Task } from '@dealkeep/contract';
import { countRecords, listRecords, recordList } from '../../change/paging/list-page.ts';
import { contains } from '../../change/paging/search.ts';
import {
  date,
  defineRecord,
  moment,
  oneOf,
  type RowIn,
  text,
  uuid,
  uuids,
} from '../../change/record-tables/define-record.ts';
import { type ReadContext, reads } from '../../change/verb/verb.ts';
import { Problem } from '../../foundations/problem.ts';
import { named, reference } from '../../identity/reference-data/reference-data.ts';

export const tasks = defineRecord({
  schema: resources.task.schema,
  table: 'tasks',
  alias: 't',
  columns: {
    id: uuid,
    title: text,
    description: text.orNull,
    priority: oneOf<Task['priority']>(),
    start_date: date.orNull,
    due_date: date.orNull,
    due_time: text.orNull.from("to_char(t.due_time, 'HH24:MI')"),
    completed_at: moment.orNull,
    archived_at: moment.orNull,
    assignee_ids: uuids,
    company_id: uuid.orNull,
    lead_id: uuid.orNull,
    project_id: uuid.orNull,
    stage_id: uuid.orNull,
    created_at: moment,
    updated_at: moment,
  },
  searched: { texts: ['title'], subtitle: `concat_ws(' · ', c.name, l.name)` },
  joined: {
    company_name: text.orNull.from('c.name'),
    lead_name: text.orNull.from('l.name'),
  },
  joins: {
    c: {
      kind: 'company',
      table: 'companies',
      on: 'c.organization_id = t.organization_id and c.id = t.company_id',
    },
    l: { kind: 'lead', table: 'leads', on: 'l.organization_id = t.organization_id and l.id = t.lead_id' },
  },
  shown: (row, { referenceData, core }) => ({
    assignees: row.assignee_ids.flatMap((id) => named(referenceData.users, id) ?? []),
    company: reference(row.company_id, row.company_name),
    lead: reference(row.lead_id, row.lead_name),
    project: named(referenceData.projects, row.project_id),
    stage: named(referenceData.projectStages, row.stage_id),
    app_url: `${core.origin}/tasks/${row.id}`,
  }),
});

export type TaskRow = RowIn<typeof tasks>;

export const getTask = reads('tasks.get', (context, { path }) => tasks.get(context, path.id));

const taskList = (context: ReadContext) => {
  const { sql } = context;
  return recordList({
    id: 'tasks.list',
    record: tasks,
    sorts: {
      due_date: { column: 'due_date', type: 'date', nullable: true },
      title: { column: 'title', type: 'text' },
    },
    filters: {
      q: (text) => contains(sql, text, ...tasks.searchedTexts),
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
    items: (rows) => tasks.records(context, rows),
  });
};

export const listTasks = reads('tasks.list', (context, { query }) =>
  listRecords(context, query, taskList(context)),
);

export const countTasks = reads('tasks.count', (context, { query }) =>
  countRecords(context, query, taskList(context)),
);

/** The task that an operation is about. Raises NOT_FOUND, and CONFLICT when it is archived. */
export async function taskOfChange(context: ReadContext, id: string): Promise<TaskRow> {
  const row = await tasks.ofChange(context, id);
  if (row.archived_at !== null) throw new Problem('task.archived');
  return row;
}
