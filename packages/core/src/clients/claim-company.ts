import type { FieldProblem } from '@dealkeep/contract';
import type { Directory } from '../directory/directory.ts';
import { invalidFields, Problem } from '../problem.ts';
import type { Refused } from '../verb/further-problems.ts';
import type { Changing, Scope } from '../verb/verb.ts';

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
  if (await isClient({ sql, organization }, company_id)) {
    throw new Problem(existing.key, {}, { about: existing.path });
  }
}

const existing = { path: 'company_id', key: 'client.exists' } as const satisfies FieldProblem;

/** The same conflict, of a body that is refused anyway; `id` is that of the client that is changed. */
export async function conflictOfClient(
  scope: Scope,
  { part }: Refused<{ company_id?: string | undefined }>,
  id?: string,
): Promise<FieldProblem[]> {
  return (await isClient(scope, part.company_id, id)) ? [existing] : [];
}

/** Whether a company is a client, other than this one. */
async function isClient(
  { sql, organization }: Pick<Scope, 'sql' | 'organization'>,
  company: string | undefined,
  id?: string,
): Promise<boolean> {
  if (company === undefined) return false;
  const [taken] = await sql`
    select 1 from clients
    where organization_id = ${organization} and company_id = ${company} and id is distinct from ${id ?? null}`;
  return taken !== undefined;
}
