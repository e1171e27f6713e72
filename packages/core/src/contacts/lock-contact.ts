import { invalidField, notFound } from '../problem.ts';
import type { Changing } from '../verb/verb.ts';

export interface ContactColumns {
  company_id: string;
  is_primary: boolean;
  further_emails: string[];
  further_phones: string[];
  updated_at: string;
}

/**
 * The contact's row and its company, both locked until the transaction ends, and with them the company that it is to
 * move to. Companies come first, as for whoever adds a contact, so that nobody waits for the other in a circle. Raises
 * NOT_FOUND, and VALIDATION_ERROR for a company that there is not.
 */
export async function lockContact(
  { sql, organization }: Changing,
  id: string,
  target?: string,
): Promise<ContactColumns> {
  for (;;) {
    const companies = await sql<{ id: string }[]>`
      select c.id from contacts t
      join companies c on c.organization_id = t.organization_id and c.id in (t.company_id, ${target ?? null})
      where t.organization_id = ${organization} and t.id = ${id}
      order by c.id for no key update of c`;
    const [row] = await sql<ContactColumns[]>`
      select * from contacts where organization_id = ${organization} and id = ${id} for update`;
    if (!row) throw notFound();
    const locked = companies.map((company) => company.id);
    if (target !== undefined && !locked.includes(target)) throw invalidField('company_id', 'field.not_found');
    // Moved to another company while it was waited for.
    if (locked.includes(row.company_id)) return row;
  }
}
