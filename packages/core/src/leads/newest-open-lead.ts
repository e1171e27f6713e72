import type { Scope } from '../verb/verb.ts';

/** The id of a company's newest lead that is open and not archived: what `dedupe=company` answers. */
export async function newestOpenLead(
  { sql, organization }: Pick<Scope, 'sql' | 'organization'>,
  companyId: string,
): Promise<string | undefined> {
  const [row] = await sql<{ id: string }[]>`
    select id from leads
    where organization_id = ${organization} and company_id = ${companyId} and status = 'open' and archived_at is null
    order by created_at desc, id desc limit 1`;
  return row?.id;
}
