import { lockCompany } from '../contacts/demote-primary.ts';
import { insertContact } from '../contacts/insert-contact.ts';
import { invalidField } from '../problem.ts';
import type { Writing } from '../verb/verb.ts';

interface InlineContact {
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
  const { sql, organization } = context;
  const { email, name } = described;
  await lockCompany(context, companyId);
  const [match] = await sql<{ id: string }[]>`
    select id from contacts
    where organization_id = ${organization} and company_id = ${companyId}
      and (lower(email) = lower(${email ?? null}) or lower(name) = lower(${name ?? null}))
    order by (lower(email) = lower(${email ?? null})) desc nulls last, created_at, id limit 1`;
  if (match) return match.id;
  if (!name) throw invalidField('contact.name', 'field.required');
  return (await insertContact(context, { ...described, name, company_id: companyId })).id;
}
