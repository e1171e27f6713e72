import type { Lead } from '@dealkeep/contract';
import type { Core } from '../core.ts';
import type { Directory } from '../directory/directory.ts';
import { named } from '../directory/named.ts';
import { notFound } from '../problem.ts';
import type { Scope } from '../verb/verb.ts';
import { type LeadRow, leadRows } from './lead-row.ts';

/** The lead's own columns. */
export interface LeadColumns {
  id: string;
  name: string | null;
  status: 'open' | 'won' | 'lost';
  value: number | null;
  acquisition_cost: number | null;
  expected_close_date: string | null;
  note: string | null;
  tag_ids: string[];
  company_id: string | null;
  contact_id: string | null;
  owner_id: string | null;
  assignee_ids: string[];
  origin_id: string | null;
  pipeline_id: string;
  stage_id: string;
  stage_entered_at: string;
  won_at: string | null;
  lost_at: string | null;
  lost_reason_id: string | null;
  lost_note: string | null;
  archived_at: string | null;
  created_at: string;
  updated_at: string;
}

export function leadRecord(row: LeadRow, directory: Directory, core: Core): Lead {
  const stage = directory.stages.get(row.stage_id);
  return {
    id: row.id,
    name: row.name,
    status: row.status,
    value: row.value,
    acquisition_cost: row.acquisition_cost,
    expected_close_date: row.expected_close_date,
    note: row.note,
    tags: row.tag_ids.flatMap((id) => directory.tags.get(id)?.name ?? []),
    company:
      row.company_id !== null && row.company_name !== null
        ? { id: row.company_id, name: row.company_name, registration_id: row.company_registration_id }
        : null,
    contact:
      row.contact_id !== null && row.contact_name !== null
        ? { id: row.contact_id, name: row.contact_name, email: row.contact_email, phone: row.contact_phone }
        : null,
    client: row.client_id === null ? null : { id: row.client_id, name: row.company_name ?? '' },
    owner: named(directory.users, row.owner_id),
    assignees: row.assignee_ids.flatMap((id) => named(directory.users, id) ?? []),
    origin: named(directory.origins, row.origin_id),
    pipeline: named(directory.pipelines, row.pipeline_id),
    stage: stage
      ? { id: stage.id, name: stage.name, kind: stage.kind, probability: stage.probability }
      : null,
    stage_entered_at: row.stage_entered_at,
    won_at: row.won_at,
    lost_at: row.lost_at,
    lost_reason: named(directory.lostReasons, row.lost_reason_id),
    lost_note: row.lost_note,
    archived_at: row.archived_at,
    created_at: row.created_at,
    updated_at: row.updated_at,
    app_url: `${core.origin}/leads/${row.id}`,
  };
}

/** A lead as GET answers it. Raises NOT_FOUND. */
export async function readLead({ core, sql, organization }: Scope, id: string): Promise<Lead> {
  const [row] = await leadRows(sql, sql`l.organization_id = ${organization} and l.id = ${id}`);
  if (!row) throw notFound();
  return leadRecord(row, await core.directories.at(sql, organization, row.directory_version), core);
}

/** Inserts a lead and answers it as GET does, in one statement. */
export async function insertLead(
  { core, sql, organization }: Scope,
  lead: Omit<LeadColumns, 'tag_ids'>,
): Promise<Lead> {
  const [row] = await leadRows(sql, sql`true`, {
    first: sql`with made as (insert into leads ${sql({ organization_id: organization, ...lead })} returning *)`,
    source: sql`made`,
  });
  if (!row) throw new Error('Unreachable: an insert without a condition makes a row');
  return leadRecord(row, await core.directories.at(sql, organization, row.directory_version), core);
}
