import { resources } from '@dealkeep/contract';
import { boolean, defineRecord, moment, type RowIn, text, texts, uuid } from '../database/define-record.ts';
import { LockedTooEarly } from '../database/failures.ts';
import { countRecords, listRecords, recordList } from '../paging/list-page.ts';
import { contains } from '../paging/search.ts';
import { invalidField, notFound } from '../problem.ts';
import { type Changing, reads, type Scope } from '../verb/verb.ts';

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
  searched: {
    texts: ['name', 'email', 'phone'],
    identifiers: ['email', 'further_emails'],
    phones: ['phone', 'further_phones'],
    subtitle: `concat_ws(' · ', c.name, t.email)`,
  },
  // The record of a company reads its contacts with this expression and gives them its own name.
  joined: { company_name: text.from('c.name') },
  joins: {
    c: {
      kind: 'company',
      table: 'companies',
      on: 'c.organization_id = t.organization_id and c.id = t.company_id',
      always: true,
    },
  },
  shown: (row, { core }) => ({
    company: { id: row.company_id, name: row.company_name },
    emails: row.email === null ? row.further_emails : [row.email, ...row.further_emails],
    phones: row.phone === null ? row.further_phones : [row.phone, ...row.further_phones],
    app_url: `${core.origin}/contacts/${row.id}`,
  }),
});

type ContactRow = RowIn<typeof contacts>;

export const getContact = reads('contacts.get', (context, { path }) => contacts.get(context, path.id));

const contactList = (context: Scope) => {
  const { sql } = context;
  return recordList({
    id: 'contacts.list',
    record: contacts,
    sorts: { name: { column: 'name', type: 'text' } },
    filters: {
      q: (text) => contains(sql, text, ...contacts.searchedTexts),
      email: (email) => sql`lower(t.email) = lower(${email})`,
      phone: (phone) => sql`t.phone = ${phone}`,
      company_id: (id) => sql`t.company_id = ${id}`,
      is_primary: (value) => sql`t.is_primary = ${value}`,
    },
    items: (rows) => contacts.records(context, rows),
  });
};

export const listContacts = reads('contacts.list', (context, { query }) =>
  listRecords(context, query, contactList(context)),
);

export const countContacts = reads('contacts.count', (context, { query }) =>
  countRecords(context, query, contactList(context)),
);

/**
 * The contact's row and its company, both locked until the transaction ends, and with them the company that it is to
 * move to, whose name is answered. Companies are locked first, as when a contact is added, so that no two changes
 * deadlock. Raises NOT_FOUND, and VALIDATION_ERROR for a company that there is not.
 */
export async function lockContact(
  context: Changing,
  id: string,
  target?: string,
): Promise<{ row: ContactRow; companyName: string }> {
  const locked = target === undefined ? undefined : await lockCompanies(context, id, target);
  const row = await contacts.tryLock(context, id, ['c']);
  if (!row && !(await contacts.find(context, id))) throw notFound();
  // The contact has moved to another company in the meantime: its new company is not locked yet, and may come first.
  if (!row || (locked && !locked.has(row.company_id))) throw new LockedTooEarly();
  const companyName = target === undefined ? row.company_name : locked?.get(target);
  if (companyName === undefined) throw invalidField('company_id', 'field.not_found');
  return { row, companyName };
}

/** Locks a contact's company and the one that it is to move to, in the order of their ids; answers the names of both. */
async function lockCompanies(
  { sql, organization }: Changing,
  contact: string,
  target: string,
): Promise<ReadonlyMap<string, string>> {
  const companies = await sql<{ id: string; name: string }[]>`
    select c.id, c.name from contacts t
    join companies c on c.organization_id = t.organization_id and c.id in (t.company_id, ${target})
    where t.organization_id = ${organization} and t.id = ${contact}
    order by c.id for no key update of c`;
  return new Map(companies.map(({ id, name }) => [id, name]));
}
