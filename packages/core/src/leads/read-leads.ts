import type { Statements } from '../database/connect.ts';
import { type LeadRow, leadRows } from './lead-row.ts';

export interface LeadKey {
  readonly organization: string;
  readonly id: string;
}

/** Leads of any organizations by one statement, in the order of the keys; undefined where there is none. */
export async function readLeads(sql: Statements, keys: readonly LeadKey[]): Promise<(LeadRow | undefined)[]> {
  const rows = await leadRows(sql, sql`true`, {
    source: sql`(
      select leads.*
      from unnest(${keys.map(({ organization }) => organization)}::uuid[], ${keys.map(({ id }) => id)}::uuid[])
        as wanted (organization_id, id)
      join leads on leads.organization_id = wanted.organization_id and leads.id = wanted.id)`,
  });
  const found = new Map(rows.map((row) => [`${row.organization_id} ${row.id}`, row]));
  return keys.map(({ organization, id }) => found.get(`${organization} ${id}`));
}
