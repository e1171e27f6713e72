import { type Activity, resources } from '@dealkeep/contract';
import { countRecords, listRecords, recordList } from '../../change/paging/list-page.ts';
import { contains } from '../../change/paging/search.ts';
import {
  defineRecord,
  moment,
  oneOf,
  type RowIn,
  text,
  uuid,
} from '../../change/record-tables/define-record.ts';
import { type ReadContext, reads } from '../../change/verb/verb.ts';
import { named, reference } from '../../identity/reference-data/reference-data.ts';

export const activities = defineRecord({
  schema: resources.activity.schema,
  table: 'activities',
  alias: 'a',
  columns: {
    id: uuid,
    name: text,
    status: oneOf<Activity['status']>(),
    importance: oneOf<Activity['importance']>(),
    // Never null in an activity just made; a change may clear it.
    start_at: moment.orNull,
    end_at: moment.orNull,
    completed_at: moment.orNull,
    location: text.orNull,
    note: text.orNull,
    video_call_url: text.orNull,
    type_id: uuid.orNull,
    owner_id: uuid,
    assignee_id: uuid.orNull,
    company_id: uuid.orNull,
    contact_id: uuid.orNull,
    lead_id: uuid.orNull,
    created_at: moment,
    updated_at: moment,
  },
  searched: { texts: ['name'], subtitle: `concat_ws(' · ', c.name, l.name)` },
  joined: {
    company_name: text.orNull.from('c.name'),
    contact_name: text.orNull.from('t.name'),
    lead_name: text.orNull.from('l.name'),
  },
  joins: {
    c: {
      kind: 'company',
      table: 'companies',
      on: 'c.organization_id = a.organization_id and c.id = a.company_id',
    },
    t: {
      kind: 'contact',
      table: 'contacts',
      on: 't.organization_id = a.organization_id and t.id = a.contact_id',
    },
    l: { kind: 'lead', table: 'leads', on: 'l.organization_id = a.organization_id and l.id = a.lead_id' },
  },
  shown: (row, { referenceData, core }) => ({
    type: named(referenceData.activityTypes, row.type_id),
    owner: named(referenceData.users, row.owner_id),
    assignee: named(referenceData.users, row.assignee_id),
    company: reference(row.company_id, row.company_name),
    contact: reference(row.contact_id, row.contact_name),
    lead: reference(row.lead_id, row.lead_name),
    app_url: `${core.origin}/activities/${row.id}`,
  }),
});

export type ActivityRow = RowIn<typeof activities>;

export const getActivity = reads('activities.get', (context, { path }) => activities.get(context, path.id));

const activityList = (context: ReadContext) => {
  const { sql } = context;
  return recordList({
    id: 'activities.list',
    record: activities,
    sorts: { start_at: { column: 'start_at', type: 'timestamptz', nullable: true } },
    filters: {
      q: (text) => contains(sql, text, ...activities.searchedTexts),
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
    items: (rows) => activities.records(context, rows),
  });
};

export const listActivities = reads('activities.list', (context, { query }) =>
  listRecords(context, query, activityList(context)),
);

export const countActivities = reads('activities.count', (context, { query }) =>
  countRecords(context, query, activityList(context)),
);
