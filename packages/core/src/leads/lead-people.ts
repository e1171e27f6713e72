import type { FieldProblem } from '@dealkeep/contract';
import type { Reading } from '../verb/verb.ts';

export interface LeadPeople {
  company: { id: string; name: string } | null;
  contactId: string | null;
  problems: FieldProblem[];
}

/** The company and contact that a lead's ids name. A contact brings its company along; one of another company fails. */
export async function findLeadPeople(
  { sql, organization }: Reading,
  companyId: string | null | undefined,
  contactId: string | null | undefined,
): Promise<LeadPeople> {
  const [company, contact] = await Promise.all([
    companyId
      ? sql<{ id: string; name: string }[]>`
          select id, name from companies where organization_id = ${organization} and id = ${companyId}`
      : [],
    contactId
      ? sql<{ id: string; company_id: string; company_name: string }[]>`
          select t.id, t.company_id, c.name as company_name
          from contacts t join companies c on c.organization_id = t.organization_id and c.id = t.company_id
          where t.organization_id = ${organization} and t.id = ${contactId}`
      : [],
  ]).then(([companies, contacts]) => [companies[0], contacts[0]] as const);
  const problems: FieldProblem[] = [];
  if (companyId && !company) problems.push({ path: 'company_id', key: 'field.not_found' });
  if (contactId && !contact) problems.push({ path: 'contact_id', key: 'field.not_found' });
  if (company && contact && contact.company_id !== company.id) {
    problems.push({ path: 'contact_id', key: 'field.contact_of_other_company' });
  }
  return {
    company: company ?? (contact ? { id: contact.company_id, name: contact.company_name } : null),
    contactId: contact?.id ?? null,
    problems,
  };
}
