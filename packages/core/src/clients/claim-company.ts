import type { FieldProblem } from '@dealkeep/contract';
import type { Directory } from '../directory/directory.ts';
import { invalidFields, Problem } from '../problem.ts';
import type { Changing } from '../verb/verb.ts';

/**
 * Checks what a client's body refers to, and that the company is nobody's client yet. The company stays locked, so
 * that of two clients for it at once one is refused. Raises VALIDATION_ERROR with every failing field, and CONFLICT.
 */
export async function claimCompany(
  { sql, organization }: Changing,
  { company_id, owner_id }: { company_id?: string | undefined; owner_id?: string | null | undefined },
  directory: Directory,
): Promise<void> {
  const problems: FieldProblem[] = [];
  if (company_id !== undefined) {
    const [company] = await sql`
      select 1 from companies where organization_id = ${organization} and id = ${company_id} for no key update`;
    if (!company) problems.push({ path: 'company_id', key: 'field.not_found' });
  }
  if (owner_id && !directory.users.has(owner_id)) {
    problems.push({ path: 'owner_id', key: 'field.not_found' });
  }
  if (problems.length > 0) throw invalidFields(problems);
  if (company_id === undefined) return;
  const [taken] = await sql`
    select 1 from clients where organization_id = ${organization} and company_id = ${company_id}`;
  if (taken) throw new Problem('client.exists');
}
