import type { FieldProblem } from '@dealkeep/contract';
import { canChoose, type Directory } from '../directory/directory.ts';
import type { Scope } from '../verb/verb.ts';

interface ActivityReferences {
  type_id?: string | null | undefined;
  assignee_id?: string | null | undefined;
  company_id?: string | null | undefined;
  contact_id?: string | null | undefined;
  lead_id?: string | null | undefined;
}

/** What an activity's body refers to must exist; answers the failing fields. */
export async function activityReferenceProblems(
  { sql, organization }: Scope,
  body: ActivityReferences,
  directory: Directory,
): Promise<FieldProblem[]> {
  const { type_id, assignee_id, company_id, contact_id, lead_id } = body;
  const missing: string[] = [];
  if (assignee_id && !directory.users.has(assignee_id)) missing.push('assignee_id');
  if (type_id && !canChoose(directory.activityTypes, type_id)) missing.push('type_id');
  if (company_id || contact_id || lead_id) {
    const [found] = await sql<{ company: boolean; contact: boolean; lead: boolean }[]>`
      select
        exists (select from companies where organization_id = ${organization} and id = ${company_id ?? null}) as company,
        exists (select from contacts where organization_id = ${organization} and id = ${contact_id ?? null}) as contact,
        exists (select from leads where organization_id = ${organization} and id = ${lead_id ?? null}) as lead`;
    if (company_id && !found?.company) missing.push('company_id');
    if (contact_id && !found?.contact) missing.push('contact_id');
    if (lead_id && !found?.lead) missing.push('lead_id');
  }
  return missing.map((path) => ({ path, key: 'field.not_found' }));
}

/** An end before the start is told at `path`. Both moments are RFC 3339 in UTC with milliseconds. */
export const orderProblems = (
  startAt: string | null,
  endAt: string | null,
  path: 'start_at' | 'end_at',
): FieldProblem[] =>
  startAt !== null && endAt !== null && endAt < startAt ? [{ path, key: 'field.before_start' }] : [];
