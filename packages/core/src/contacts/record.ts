import type { Contact } from '@dealkeep/contract';
import type { Core } from '../core.ts';
import type { Fragment, Statements } from '../database/connect.ts';
import { textBytes } from '../paging/cursor.ts';
import { containsPattern, listPage } from '../paging/list-page.ts';
import { invalidField, notFound } from '../problem.ts';
import { type Changing, reads, type Scope } from '../verb/verb.ts';

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

export const getContact = reads('contacts.get', (context, { path }) => readContact(context, path.id));

export const listContacts = reads('contacts.list', (context, { query }) => {
  const { core, sql } = context;
  return listPage(context, query, {
    id: 'contacts.list',
    alias: 't',
    weight: textBytes(sql, ['t.position', 't.note']),
    sorts: { name: { column: 'name', type: 'text' } },
    filters: {
      q: (text) => {
        const pattern = containsPattern(text);
        return sql`(t.name ilike ${pattern} or t.email ilike ${pattern} or t.phone ilike ${pattern})`;
      },
      email: (email) => sql`lower(t.email) = lower(${email})`,
      phone: (phone) => sql`t.phone = ${phone}`,
      company_id: (id) => sql`t.company_id = ${id}`,
      is_primary: (value) => sql`t.is_primary = ${value}`,
    },
    rows: ({ where, order, sortValue, limit }) =>
      contactRows(sql, sql`${where} order by ${order} limit ${limit}`, sortValue),
    items: (rows) => rows.map((row) => contactRecord(row, core)),
  });
});

interface ContactColumns {
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
    // Somebody may have moved the contact to another company while this waited for the locks; then it tries again.
    if (locked.includes(row.company_id)) return row;
  }
}
