import { resources } from '@dealkeep/contract';
import { countRecords, listRecords, recordList } from '../../change/paging/list-page.ts';
import { contains, hasEmail } from '../../change/paging/search.ts';
import {
  boolean,
  defineRecord,
  moment,
  type RowIn,
  text,
  texts,
  uuid,
} from '../../change/record-tables/define-record.ts';
import { type Changing, type ReadContext, reads } from '../../change/verb/verb.ts';
import { LockedTooEarly } from '../../foundations/database/failures.ts';
import { lockAll, lockNumber } from '../../foundations/database/in-transaction.ts';
import { invalidField, notFound } from '../../foundations/problem.ts';

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

const contactList = (context: ReadContext) => {
  const { sql } = context;
  return recordList({
    id: 'contacts.list',
    record: contacts,
    sorts: { name: { column: 'name', type: 'text' } },
    filters: {
      q: (text) => contains(sql, text, ...contacts.searchedTexts),
      email: (email) => hasEmail(context, contacts, 'email', email),
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
 * Names a lock of what the contacts of a company have in common: who of them is primary, and whom the contact of a
 * new lead means. Their company's row is not locked, so contacts do not wait for it, nor it for them.
 */
const contactsOf = ({ organization }: Changing, company: string): bigint =>
  lockNumber('contacts-of-company', organization, company);

/** Has changes of what the contacts of a company have in common come one after another. */
export const lockContactsOf = (context: Changing, company: string): Promise<void> =>
  lockAll(context.sql, [contactsOf(context, company)]);

/** What of a change concerns other contacts, too. */
interface Among {
  readonly company_id?: string | undefined;
  readonly is_primary?: boolean | undefined;
}

/**
 * The contact's row, locked until the transaction ends, and the name of the company that it has or moves to. Where
 * it may become primary or go, the contacts of both companies are locked first, so that no two changes deadlock.
 * Raises NOT_FOUND, and VALIDATION_ERROR for a company that there is not.
 */
export async function lockContact(
  context: Changing,
  id: string,
  { company_id: target, is_primary }: Among = {},
): Promise<{ row: ContactRow; companyName: string }> {
  if (target === undefined && is_primary !== true) {
    const row = await lockRow(context, id);
    return { row, companyName: row.company_name };
  }
  const names = await companiesOf(context, id, target);
  await lockAll(
    context.sql,
    [...names.keys()].map((company) => contactsOf(context, company)),
  );
  const row = await lockRow(context, id);
  // The contact has moved in the meantime: the contacts of its new company are not locked yet, and may come first.
  if (!names.has(row.company_id)) throw new LockedTooEarly();
  const companyName = names.get(target ?? row.company_id);
  if (companyName === undefined) throw invalidField('company_id', 'field.not_found');
  return { row, companyName };
}

async function lockRow(context: Changing, id: string): Promise<ContactRow> {
  const row = await contacts.tryLock(context, id);
  if (row) return row;
  // A contact that has moved while it was waited for is not found with its former company.
  throw (await contacts.find(context, id)) ? new LockedTooEarly() : notFound();
}

/** The names of a contact's company and of the one that it is to move to. */
async function companiesOf(
  { sql, organization }: Changing,
  contact: string,
  target: string | undefined,
): Promise<ReadonlyMap<string, string>> {
  const companies = await sql<{ id: string; name: string }[]>`
    select c.id, c.name from contacts t
    join companies c on c.organization_id = t.organization_id and c.id in (t.company_id, ${target ?? null})
    where t.organization_id = ${organization} and t.id = ${contact}`;
  return new Map(companies.map(({ id, name }) => [id, name]));
}
