import type { Contact } from '@dealkeep/contract';
import type { Core } from '../core.ts';
import type { Fragment, Statements } from '../database/connect.ts';
import { notFound } from '../problem.ts';
import type { Scope } from '../verb/verb.ts';

export interface ContactRow {
  id: string;
  name: string;
  company_id: string;
  company_name: string;
  email: string | null;
  phone: string | null;
  further_emails: string[];
  further_phones: string[];
  position: string | null;
  is_primary: boolean;
  note: string | null;
  created_at: string;
  updated_at: string;
  sort_value: string | null;
}

/** Rows of contacts (alias `t`) with what their records need. */
export const contactRows = (sql: Statements, rest: Fragment, sortValue: Fragment = sql`null`) =>
  sql<ContactRow[]>`
    select t.id, t.name, t.company_id, c.name as company_name, t.email, t.phone, t.further_emails, t.further_phones,
           t.position, t.is_primary, t.note, t.created_at, t.updated_at, ${sortValue} as sort_value
    from contacts t join companies c on c.organization_id = t.organization_id and c.id = t.company_id
    where ${rest}`;

export const contactRecord = (row: ContactRow, core: Core): Contact => ({
  id: row.id,
  name: row.name,
  company: { id: row.company_id, name: row.company_name },
  email: row.email,
  emails: row.email === null ? row.further_emails : [row.email, ...row.further_emails],
  phone: row.phone,
  phones: row.phone === null ? row.further_phones : [row.phone, ...row.further_phones],
  position: row.position,
  is_primary: row.is_primary,
  note: row.note,
  created_at: row.created_at,
  updated_at: row.updated_at,
  app_url: `${core.origin}/contacts/${row.id}`,
});

/** A contact as GET answers it. Raises NOT_FOUND. */
export async function readContact({ core, sql, organization }: Scope, id: string): Promise<Contact> {
  const [row] = await contactRows(sql, sql`t.organization_id = ${organization} and t.id = ${id}`);
  if (!row) throw notFound();
  return contactRecord(row, core);
}
