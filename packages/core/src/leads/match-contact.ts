import type { FieldProblem } from '@dealkeep/contract';
import { lockCompany } from '../contacts/demote-primary.ts';
import { insertContact } from '../contacts/insert-contact.ts';
import { invalidFields } from '../problem.ts';
import type { Scope, Writing } from '../verb/verb.ts';

export interface InlineContact {
  name?: string | null | undefined;
  email?: string | null | undefined;
  phone?: string | null | undefined;
  position?: string | null | undefined;
}

/** The contact of a company that an inline description means: matched by e-mail, else name; else created. */
export async function matchOrCreateContact(
  context: Writing,
  companyId: string,
  described: InlineContact,
): Promise<string> {
  await lockCompany(context, companyId);
  const match = await findContact(context, companyId, described);
  if (match) return match;
  const { name } = described;
  if (!name) throw invalidFields([contactWithoutName]);
  return (await insertContact(context, { ...described, name, company_id: companyId })).id;
}

/** What a contact that is to be made lacks. */
export const contactWithoutName = {
  path: 'contact.name',
  key: 'field.required',
} as const satisfies FieldProblem;

/** The contact of a company that there is already. */
export async function findContact(
  { sql, organization }: Pick<Scope, 'sql' | 'organization'>,
  companyId: string,
  { email, name }: InlineContact,
): Promise<string | undefined> {
  const [match] = await sql<{ id: string }[]>`
    select id from contacts
    where organization_id = ${organization} and company_id = ${companyId}
      and (lower(email) = lower(${email ?? null}) or lower(name) = lower(${name ?? null}))
    order by (lower(email) = lower(${email ?? null})) desc nulls last, created_at, id limit 1`;
  return match?.id;
}
