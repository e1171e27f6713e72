import { textBytes } from '../lists/cut-page.ts';
import { containsPattern, listPage } from '../lists/list-page.ts';
import { reads } from '../verb/verb.ts';
import { taskRecord, taskRows } from './task-record.ts';

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
