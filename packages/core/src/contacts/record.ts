import { resources } from '@dealkeep/contract';
import { boolean, defineRecord, moment, type RowIn, text, texts, uuid } from '../database/define-record.ts';
import { containsPattern, listRecords } from '../paging/list-page.ts';
import { invalidField, notFound } from '../problem.ts';
import { type Changing, reads } from '../verb/verb.ts';

export const contacts = defineRecord({
  schema: resources.contact.schema,
  table: 'contacts',
  alias: 't',
  columns: {
    id: uuid,
    name: text,
    company_id: uuid,
    email: text.orNull,
    phone: text.orNull,
    further_emails: texts,
    further_phones: texts,
    position: text.orNull,
    is_primary: boolean,
    note: text.orNull,
    created_at: moment,
    updated_at: moment,
  },
  // By the name that a company has in its own record, which reads its contacts without joining itself to them.
  joined: { company_name: text.from('c.name') },
  joins: 'join companies c on c.organization_id = t.organization_id and c.id = t.company_id',
  shown: (row, { core }) => ({
    company: { id: row.company_id, name: row.company_name },
    emails: row.email === null ? row.further_emails : [row.email, ...row.further_emails],
    phones: row.phone === null ? row.further_phones : [row.phone, ...row.further_phones],
    app_url: `${core.origin}/contacts/${row.id}`,
  }),
});

type ContactRow = RowIn<typeof contacts>;

export const getContact = reads('contacts.get', (context, { path }) => contacts.get(context, path.id));

export const listContacts = reads('contacts.list', (context, { query }) => {
  const { sql } = context;
  return listRecords(context, query, {
    id: 'contacts.list',
    record: contacts,
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
    items: (rows) => contacts.records(context, rows),
  });
});

/**
 * The contact's row and its company, both locked until the transaction ends, and with them the company that it is to
 * move to. Companies come first, as for whoever adds a contact, so that nobody waits for the other in a circle. Raises
 * NOT_FOUND, and VALIDATION_ERROR for a company that there is not.
 */
export async function lockContact(context: Changing, id: string, target?: string): Promise<ContactRow> {
  for (;;) {
    const locked = target === undefined ? undefined : await lockCompanies(context, id, target);
    const row = await contacts.tryLock(context, id, ['c']);
    if (row) {
      if (target !== undefined && !locked?.includes(target)) {
        throw invalidField('company_id', 'field.not_found');
      }
      if (!locked || locked.includes(row.company_id)) return row;
      // Else it moved to another company while these were locked, or, below, while its own was waited for.
    } else if (!(await contacts.find(context, id))) throw notFound();
  }
}

/** Locks a contact's company and the one that it is to move to, in the order of their ids; answers which there are. */
async function lockCompanies(
  { sql, organization }: Changing,
  contact: string,
  target: string,
): Promise<string[]> {
  const companies = await sql<{ id: string }[]>`
    select c.id from contacts t
    join companies c on c.organization_id = t.organization_id and c.id in (t.company_id, ${target})
    where t.organization_id = ${organization} and t.id = ${contact}
    order by c.id for no key update of c`;
  return companies.map((company) => company.id);
}
