import { type Lead, resources } from '@dealkeep/contract';
import {
  date,
  defineRecord,
  moment,
  number,
  oneOf,
  type RowIn,
  text,
  uuid,
  uuids,
} from '../../change/record-tables/define-record.ts';
import type { ReadContext } from '../../change/verb/verb.ts';
import { Problem } from '../../foundations/problem.ts';
import { named } from '../../identity/reference-data/reference-data.ts';

export const leads = defineRecord({
  schema: resources.lead.schema,
  table: 'leads',
  alias: 'l',
  columns: {
    id: uuid,
    name: text.orNull,
    status: oneOf<Lead['status']>(),
    value: number.orNull,
    acquisition_cost: number.orNull,
    expected_close_date: date.orNull,
    note: text.orNull,
    tag_ids: uuids,
    company_id: uuid.orNull,
    contact_id: uuid.orNull,
    owner_id: uuid.orNull,
    assignee_ids: uuids,
    origin_id: uuid.orNull,
    pipeline_id: uuid,
    stage_id: uuid,
    stage_entered_at: moment,
    won_at: moment.orNull,
    lost_at: moment.orNull,
    lost_reason_id: uuid.orNull,
    lost_note: text.orNull,
    archived_at: moment.orNull,
    created_at: moment,
    updated_at: moment,
  },
  searched: {
    texts: ['name'],
    title: 'coalesce(l.name, c.name)',
    subtitle: `concat_ws(' · ', case when l.name is not null then c.name end, t.name)`,
  },
  joined: {
    company_name: text.orNull.from('c.name'),
    company_registration_id: text.orNull.from('c.registration_id'),
    contact_name: text.orNull.from('t.name'),
    contact_email: text.orNull.from('t.email'),
    contact_phone: text.orNull.from('t.phone'),
    client_id: uuid.orNull.from('k.id'),
  },
  joins: {
    c: {
      kind: 'company',
      table: 'companies',
      on: 'c.organization_id = l.organization_id and c.id = l.company_id',
    },
    t: {
      kind: 'contact',
      table: 'contacts',
      on: 't.organization_id = l.organization_id and t.id = l.contact_id',
    },
    k: {
      kind: 'client',
      table: 'clients',
      on: 'k.organization_id = l.organization_id and k.company_id = l.company_id',
    },
  },
  shown(row, { referenceData, core }) {
    const stage = referenceData.stages.get(row.stage_id);
    return {
      tags: row.tag_ids.flatMap((id) => referenceData.tags.get(id)?.name ?? []),
      company:
        row.company_id !== null && row.company_name !== null
          ? { id: row.company_id, name: row.company_name, registration_id: row.company_registration_id }
          : null,
      contact:
        row.contact_id !== null && row.contact_name !== null
          ? { id: row.contact_id, name: row.contact_name, email: row.contact_email, phone: row.contact_phone }
          : null,
      client: row.client_id === null ? null : { id: row.client_id, name: row.company_name ?? '' },
      owner: named(referenceData.users, row.owner_id),
      assignees: row.assignee_ids.flatMap((id) => named(referenceData.users, id) ?? []),
      origin: named(referenceData.origins, row.origin_id),
      pipeline: named(referenceData.pipelines, row.pipeline_id),
      stage: stage
        ? { id: stage.id, name: stage.name, kind: stage.kind, probability: stage.probability }
        : null,
      lost_reason: named(referenceData.lostReasons, row.lost_reason_id),
      app_url: `${core.origin}/leads/${row.id}`,
    };
  },
});

export type LeadRow = RowIn<typeof leads>;

/** The lead that an operation is about. Raises NOT_FOUND, and CONFLICT when it is archived. */
export async function leadOfChange(context: ReadContext, id: string): Promise<LeadRow> {
  const row = await leads.ofChange(context, id);
  if (row.archived_at !== null) throw new Problem('lead.archived');
  return row;
}
