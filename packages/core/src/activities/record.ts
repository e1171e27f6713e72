import type { Activity } from '@dealkeep/contract';
import type { Core } from '../core.ts';
import type { Fragment, Statements } from '../database/connect.ts';
import { type Directory, type Named, named } from '../directory/directory.ts';
import { textBytes } from '../paging/cursor.ts';
import { containsPattern, listPage } from '../paging/list-page.ts';
import { notFound } from '../problem.ts';
import { type Changing, reads, type Scope } from '../verb/verb.ts';

/** The activity's own columns. */
export interface ActivityColumns {
  id: string;
  name: string;
  status: Activity['status'];
  importance: Activity['importance'];
  /** Never null in an activity just made; a change may clear it. */
  start_at: string | null;
  end_at: string | null;
  completed_at: string | null;
  location: string | null;
  note: string | null;
  video_call_url: string | null;
  type_id: string | null;
  owner_id: string;
  assignee_id: string | null;
  company_id: string | null;
  contact_id: string | null;
  lead_id: string | null;
  created_at: string;
  updated_at: string;
}

interface ActivityRow extends ActivityColumns {
  company_name: string | null;
  contact_name: string | null;
  lead_name: string | null;
  directory_version: number;
  sort_value: string | null;
}

/** Rows of activities (alias `a`) with what their records need; the small tables come from the directory. */
const activityRows = (sql: Statements, rest: Fragment, sortValue: Fragment = sql`null`) =>
  sql<ActivityRow[]>`
    select a.id, a.name, a.status, a.importance, a.start_at, a.end_at, a.completed_at, a.location, a.note,
           a.video_call_url, a.type_id, a.owner_id, a.assignee_id, a.company_id, a.contact_id, a.lead_id,
           a.created_at, a.updated_at, c.name as company_name, t.name as contact_name, l.name as lead_name,
           o.directory_version, ${sortValue} as sort_value
    from activities a
    join organizations o on o.id = a.organization_id
    left join companies c on c.organization_id = a.organization_id and c.id = a.company_id
    left join contacts t on t.organization_id = a.organization_id and t.id = a.contact_id
    left join leads l on l.organization_id = a.organization_id and l.id = a.lead_id
    where ${rest}`;

const activityRecord = (row: ActivityRow, directory: Directory, core: Core): Activity => ({
  id: row.id,
  name: row.name,
  status: row.status,
  importance: row.importance,
  start_at: row.start_at,
  end_at: row.end_at,
  completed_at: row.completed_at,
  location: row.location,
  note: row.note,
  video_call_url: row.video_call_url,
  type: named(directory.activityTypes, row.type_id),
  owner: named(directory.users, row.owner_id),
  assignee: named(directory.users, row.assignee_id),
  company: ref(row.company_id, row.company_name),
  contact: ref(row.contact_id, row.contact_name),
  // A lead may be without a name; its Ref's is empty then (rule bodies 26).
  lead: ref(row.lead_id, row.lead_name),
  created_at: row.created_at,
  updated_at: row.updated_at,
  app_url: `${core.origin}/activities/${row.id}`,
});

const ref = (id: string | null, name: string | null): Named | null =>
  id === null ? null : { id, name: name ?? '' };

/** An activity as GET answers it. Raises NOT_FOUND. */
export async function readActivity({ core, sql, organization }: Scope, id: string): Promise<Activity> {
  const [row] = await activityRows(sql, sql`a.organization_id = ${organization} and a.id = ${id}`);
  if (!row) throw notFound();
  return activityRecord(row, await core.directories.at(sql, organization, row.directory_version), core);
}

export const getActivity = reads('activities.get', (context, { path }) => readActivity(context, path.id));

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

/** The activity's row, locked until the transaction ends. Raises NOT_FOUND. */
export async function lockActivity({ sql, organization }: Changing, id: string): Promise<ActivityColumns> {
  const [row] = await sql<ActivityColumns[]>`
    select * from activities where organization_id = ${organization} and id = ${id} for update`;
  if (!row) throw notFound();
  return row;
}

/** The same row, not locked; undefined where there is none. */
export async function findActivity(
  { sql, organization }: Pick<Scope, 'sql' | 'organization'>,
  id: string,
): Promise<ActivityColumns | undefined> {
  const [row] = await sql<ActivityColumns[]>`
    select * from activities where organization_id = ${organization} and id = ${id}`;
  return row;
}
