import type { FieldProblem } from '@dealkeep/contract';
import type { Directory } from '../directory/directory.ts';
import type { Changing } from '../verb/verb.ts';

interface TaskReferences {
  assignee_ids?: readonly string[] | null | undefined;
  company_id?: string | null | undefined;
  lead_id?: string | null | undefined;
}

/** People, company and lead that a task's body names must exist; answers the failing fields. */
export async function taskReferenceProblems(
  { sql, organization }: Changing,
  { assignee_ids, company_id, lead_id }: TaskReferences,
  directory: Directory,
): Promise<FieldProblem[]> {
  const problems: FieldProblem[] = [];
  for (const [index, id] of (assignee_ids ?? []).entries()) {
    if (!directory.users.has(id)) problems.push({ path: `assignee_ids[${index}]`, key: 'field.not_found' });
  }
  if (!company_id && !lead_id) return problems;
  const [found] = await sql<{ company: boolean; lead: boolean }[]>`
    select exists (select from companies where organization_id = ${organization}
                   and id = ${company_id ?? null}) as company,
           exists (select from leads where organization_id = ${organization} and id = ${lead_id ?? null}) as lead`;
  if (company_id && !found?.company) problems.push({ path: 'company_id', key: 'field.not_found' });
  if (lead_id && !found?.lead) problems.push({ path: 'lead_id', key: 'field.not_found' });
  return problems;
}
