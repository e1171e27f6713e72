import { textBytes } from '../lists/cut-page.ts';
import { containsPattern, listPage } from '../lists/list-page.ts';
import { reads } from '../verb/verb.ts';
import { activityRecord, activityRows } from './activity-record.ts';

export const listActivities = reads('activities.list', (context, { query }) => {
  const { core, sql, organization } = context;
  return listPage(context, query, {
    id: 'activities.list',
    alias: 'a',
    weight: textBytes(sql, ['a.note', 'a.video_call_url']),
    sorts: { start_at: { column: 'start_at', type: 'timestamptz', nullable: true } },
    filters: {
      q: (text) => sql`a.name ilike ${containsPattern(text)}`,
      status: (status) => sql`a.status = ${status}`,
      company_id: (id) => sql`a.company_id = ${id}`,
      contact_id: (id) => sql`a.contact_id = ${id}`,
      lead_id: (id) => sql`a.lead_id = ${id}`,
      owner_id: (id) => sql`a.owner_id = ${id}`,
      assignee_id: (id) => sql`a.assignee_id = ${id}`,
      type_id: (id) => sql`a.type_id = ${id}`,
      start_after: (moment) => sql`a.start_at > ${moment}::timestamptz`,
      start_before: (moment) => sql`a.start_at < ${moment}::timestamptz`,
    },
    rows: ({ where, order, sortValue, limit }) =>
      activityRows(sql, sql`${where} order by ${order} limit ${limit}`, sortValue),
    items: async (rows) => {
      const version = Math.max(...rows.map((row) => row.directory_version), 0);
      const directory = await core.directories.at(sql, organization, version);
      return rows.map((row) => activityRecord(row, directory, core));
    },
  });
});
