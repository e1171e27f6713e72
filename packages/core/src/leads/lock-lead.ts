import { notFound, Problem } from '../problem.ts';
import type { Changing, Scope } from '../verb/verb.ts';
import type { LeadColumns } from './lead-record.ts';

/** The lead's row, locked until the transaction ends. Raises NOT_FOUND, and CONFLICT when it is archived. */
export async function lockLead({ sql, organization }: Changing, id: string): Promise<LeadColumns> {
  const [row] = await sql<LeadColumns[]>`
    select * from leads where organization_id = ${organization} and id = ${id} for update`;
  if (!row) throw notFound();
  if (row.archived_at !== null) throw new Problem('lead.archived');
  return row;
}

/** The same row of a lead that can be changed, not locked; undefined where there is none. */
export async function findLead(
  { sql, organization }: Pick<Scope, 'sql' | 'organization'>,
  id: string,
): Promise<LeadColumns | undefined> {
  const [row] = await sql<LeadColumns[]>`
    select * from leads where organization_id = ${organization} and id = ${id} and archived_at is null`;
  return row;
}
