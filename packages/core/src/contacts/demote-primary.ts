import type { Contact } from '@dealkeep/contract';
import { invalidField } from '../problem.ts';
import type { Changing } from '../verb/verb.ts';
import { readContact } from './contact-record.ts';

/** Locks the company, so that changes of its contacts come one after another. Raises VALIDATION_ERROR. */
export async function lockCompany({ sql, organization }: Changing, companyId: string): Promise<void> {
  const [company] = await sql`
    select 1 from companies where organization_id = ${organization} and id = ${companyId} for no key update`;
  if (!company) throw invalidField('company_id', 'field.not_found');
}

/**
 * Takes the primary mark from the company's contact, since a company has one (decisions, section 4). Answers the
 * demoted contact as it was before, for its event.
 */
export async function demotePrimary(context: Changing, companyId: string): Promise<Contact | undefined> {
  const { sql, organization, now } = context;
  const [primary] = await sql<{ id: string }[]>`
    select id from contacts where organization_id = ${organization} and company_id = ${companyId} and is_primary`;
  if (!primary) return undefined;
  const before = await readContact(context, primary.id);
  await sql`
    update contacts set is_primary = false, updated_at = greatest(updated_at, ${now})
    where organization_id = ${organization} and id = ${primary.id}`;
  return before;
}

export async function emitDemoted(context: Changing, before: Contact | undefined): Promise<void> {
  if (before) context.emitUpdated('contact.updated', before, await readContact(context, before.id));
}
