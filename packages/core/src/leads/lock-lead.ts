import { notFound, Problem } from '../problem.ts';
import type { Changing } from '../verb/verb.ts';
import type { LeadColumns } from './lead-record.ts';

/** The lead's row, locked until the transaction ends. Raises NOT_FOUND, and CONFLICT when it is archived. */
export async function lockLead({ sql, organization }: Changing, id: string): Promise<LeadColumns> {
  const [row] = await sql<LeadColumns[]>`
    select * from leads where organization_id = ${organization} and id = ${id} for update`;
  if (!row) throw notFound();
  if (row.archived_at !== null) throw new Problem('lead.archived');
  return row;
}
