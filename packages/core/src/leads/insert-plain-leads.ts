import type { Database, Statements } from '../database/connect.ts';
import { isTemporaryFailure } from '../database/failures.ts';
import { type Caused, caused, causedDeliveries } from '../events/caused-deliveries.ts';
import type { Log } from '../log.ts';

/** A lead without a company and a contact, with its event: what creating it writes. */
export interface PlainLead {
  organization_id: string;
  /** The version of the directory that the event's record was made with. */
  directory_version: number;
  id: string;
  name: string | null;
  value: number | null;
  acquisition_cost: number | null;
  expected_close_date: string | null;
  note: string | null;
  owner_id: string | null;
  assignee_ids: readonly string[];
  origin_id: string | null;
  pipeline_id: string;
  stage_id: string;
  created_at: string;
  event_id: string;
  envelope: string;
}

/**
 * The same, undefined for all when the statement failed: whoever is at fault, the others are created one by one.
 * Rejects when the database is not to be reached.
 */
export async function insertPlainLeads(
  { sql, log }: { sql: Database; log: Log },
  leads: readonly PlainLead[],
): Promise<(Caused | undefined)[]> {
  try {
    return await insertTogether(sql, leads);
  } catch (error) {
    if (isTemporaryFailure(error)) throw error;
    log.warn({ error, leads: leads.length }, 'Leads could not be created together; each is created alone');
    return leads.map(() => undefined);
  }
}

/**
 * Inserts open leads of any organizations, with their `lead.created` events and deliveries, by one statement: all or
 * none. Answers what was caused, in the order of the leads; undefined for one whose directory has changed: that one was
 * not inserted.
 */
async function insertTogether(sql: Statements, leads: readonly PlainLead[]): Promise<(Caused | undefined)[]> {
  const column = (name: keyof PlainLead) =>
    leads.map((lead) => {
      const value = lead[name];
      return value === null ? null : typeof value === 'object' ? `{${value.join()}}` : String(value);
    });
  const rows = await sql<Caused[]>`
    with asked as (
      select asked.*
      from unnest(${column('organization_id')}::uuid[], ${column('directory_version')}::text[],
                  ${column('id')}::uuid[], ${column('name')}::text[], ${column('value')}::text[],
                  ${column('acquisition_cost')}::text[], ${column('expected_close_date')}::text[],
                  ${column('note')}::text[], ${column('owner_id')}::uuid[], ${column('assignee_ids')}::text[],
                  ${column('origin_id')}::uuid[], ${column('pipeline_id')}::uuid[], ${column('stage_id')}::uuid[],
                  ${column('created_at')}::timestamptz[], ${column('event_id')}::text[], ${column('envelope')}::text[])
        as asked (organization_id, directory_version, id, name, value, acquisition_cost, expected_close_date, note,
                  owner_id, assignee_ids, origin_id, pipeline_id, stage_id, created_at, event_id, envelope)
      join organizations o on o.id = asked.organization_id and o.directory_version = asked.directory_version::bigint),
    lead as (
      insert into leads (organization_id, id, name, value, acquisition_cost, expected_close_date, note, owner_id,
                         assignee_ids, origin_id, pipeline_id, stage_id, status, stage_entered_at, created_at, updated_at)
      select organization_id, id, name, value::numeric, acquisition_cost::numeric, expected_close_date::date, note,
             owner_id, assignee_ids::uuid[], origin_id, pipeline_id, stage_id, 'open', created_at, created_at, created_at
      from asked),
    event as (
      insert into events (organization_id, id, type, record_id, occurred_at, envelope)
      select organization_id, event_id, 'lead.created', id, created_at, envelope from asked
      returning organization_id, id, type, occurred_at),
    ${causedDeliveries(sql)}
    ${caused(sql)}`;
  const written = new Map(rows.map((row) => [row.event_id, row]));
  return leads.map(({ event_id }) => written.get(event_id));
}
