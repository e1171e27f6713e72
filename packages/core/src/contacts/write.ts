import type { Contact } from '@dealkeep/contract';
import { laterOf } from '../clock.ts';
import type { Fragment } from '../database/connect.ts';
import type { RowIn } from '../database/define-record.ts';
import { newId } from '../database/new-id.ts';
import { changesOf } from '../database/values.ts';
import { invalidField, notFound } from '../problem.ts';
import { type Changing, type InputOf, type Writing, writes } from '../verb/verb.ts';
import { contacts, lockContact } from './record.ts';

export const createContact = writes('contacts.create', (context, { body }) => addContact(context, body));

/** Adds a contact with its events. Raises VALIDATION_ERROR for a company that there is not. */
export async function addContact(context: Writing, body: NewContact): Promise<Contact> {
  // A contact made primary at the same time waits here; otherwise both would be.
  if (body.is_primary) await lockCompany(context, body.company_id);
  const { contact, demoted } = await insertContact(context, body);
  context.emit('contact.created', contact);
  emitDemoted(context, demoted);
  return contact;
}

type NewContact = InputOf<'contacts.create'>['body'];

/** The contact that was written, and the one that is primary no more because of it. */
interface Placed {
  readonly contact: Contact;
  readonly demoted: Contact | undefined;
}

/**
 * Adds a contact to a company, which is locked already when the contact is primary. The caller emits the event.
 * Raises VALIDATION_ERROR for a company that there is not.
 */
export async function insertContact(context: Writing, contact: NewContact): Promise<Placed> {
  const { sql, now } = context;
  const { company_id: company } = contact;
  const isPrimary = contact.is_primary ?? false;
  const row = {
    ...contacts.valuesOf(contact),
    id: newId(),
    is_primary: isPrimary,
    created_at: now,
    updated_at: now,
  };
  const parts = placing(context, row.id, {
    companies: [company],
    primaryOf: isPrimary ? company : undefined,
    put: sql`${contacts.inserting(context, row)} from touched where (select count(*) from demoted) >= 0 returning *`,
  });
  const records = await contacts.records(context, await contacts.written(context, parts));
  const placed = records.find((each) => each.id === row.id);
  if (!placed) throw invalidField('company_id', 'field.not_found');
  return { contact: placed, demoted: records.find((each) => each.id !== row.id) };
}

export const updateContact = writes('contacts.update', async (context, { path, body }) => {
  const changed = await changeContact(context, path.id, body);
  if (!changed) throw notFound();
  return changed.record;
});

/**
 * Changes what a body says of a contact, with its events. Undefined where the contact is another one by now than was
 * expected. Raises NOT_FOUND, and VALIDATION_ERROR for a company that there is not.
 */
export async function changeContact(
  context: Writing,
  id: string,
  body: InputOf<'contacts.update'>['body'],
  isExpected: (row: RowIn<typeof contacts>) => boolean = () => true,
): Promise<{ record: Contact; changed: boolean } | undefined> {
  const { sql, now } = context;
  const { row, companyName } = await lockContact(context, id, body.company_id);
  if (!isExpected(row)) return undefined;
  const before = await contacts.recordOf(context, row);
  const changes = changesOf(row, contacts.valuesOf(body));
  if (!changes) return { record: before, changed: false };

  const company = changes.company_id ?? row.company_id;
  const moves = changes.company_id !== undefined;
  const primary = changes.is_primary ?? row.is_primary;
  const takesOver = primary && (moves || changes.is_primary === true);
  const changed = { ...changes, updated_at: laterOf(now, row.updated_at) };
  const demoted = takesOver ? await primaryContact(context, company, row.id) : undefined;
  const parts = placing(context, row.id, {
    companies: [row.company_id, company],
    primaryOf: demoted && company,
    put: sql`${contacts.updating(context, row.id, changed)} and (select count(*) from demoted) >= 0 returning *`,
  });
  await context.write(parts);
  const joined = { company_name: companyName };
  const after = await contacts.recordOf(context, contacts.changed(row, changed, joined));
  context.emitUpdated('contact.updated', before, after);
  if (demoted) {
    const changes = { is_primary: false, updated_at: laterOf(now, demoted.updated_at) };
    emitDemoted(context, await contacts.recordOf(context, contacts.changed(demoted, changes)));
  }
  return { record: after, changed: true };
}

/** The primary contact of a locked company, other than this one; nobody changes it meanwhile. */
async function primaryContact(context: Changing, company: string, except: string) {
  const { sql, organization } = context;
  const [row] = await contacts.rows(
    context,
    sql`t.organization_id = ${organization} and t.company_id = ${company} and t.is_primary and t.id <> ${except}`,
  );
  return row;
}

/** Replaces the further e-mails and phones. */
export const editContactAddresses = writes('contacts.addresses', async (context, { path, body }) => {
  const { row } = await lockContact(context, path.id);
  const before = await contacts.recordOf(context, row);
  const changes = changesOf(row, body);
  if (!changes) return before;
  const changed = { ...changes, updated_at: laterOf(context.now, row.updated_at) };
  const parts = [touching(context, [row.company_id])];
  const after = await contacts.recordOf(context, await contacts.update(context, row, changed, { parts }));
  context.emitUpdated('contact.updated', before, after);
  return after;
});

/** Locks the company, so that changes of its contacts come one after another. Raises VALIDATION_ERROR. */
export async function lockCompany({ sql, organization }: Changing, companyId: string): Promise<void> {
  const [company] = await sql`
    select 1 from companies where organization_id = ${organization} and id = ${companyId} for no key update`;
  if (!company) throw invalidField('company_id', 'field.not_found');
}

interface Placing {
  /** Of the contact, before and after. */
  readonly companies: readonly string[];
  /** The company whose primary contact it becomes. */
  readonly primaryOf?: string | undefined;
  /** Inserts or changes the contact. It must read `demoted`, so that PostgreSQL runs it after that part. */
  readonly put: Fragment;
}

/** The part of a statement that sets `updated_at` of companies. */
const touching = ({ sql, organization, now }: Changing, companies: readonly string[]): Fragment => sql`
  touched as (
    update companies set updated_at = greatest(updated_at, ${now})
    where organization_id = ${organization} and id = any(${[...new Set(companies)]}::uuid[]) returning id)`;

/**
 * The parts of a statement that write a contact and what goes with it. A company's record shows its contacts, so its
 * `updated_at` changes with them; there is no event besides the contact's own (rule companies 6). A company has one
 * primary contact at most, so the one before loses the mark first (rule contacts 4).
 */
function placing(context: Changing, id: string, { companies, primaryOf, put }: Placing): Fragment {
  const { sql, organization, now } = context;
  return sql`
    ${touching(context, companies)},
    demoted as (
      update contacts set is_primary = false, updated_at = greatest(updated_at, ${now})
      where organization_id = ${organization} and company_id = ${primaryOf ?? null} and is_primary and id <> ${id}
      returning *),
    put as (${put}),
    written as (select * from put union all select * from demoted)`;
}

/** Emits that a contact is primary no more. */
function emitDemoted(context: Changing, demoted: Contact | undefined): void {
  if (!demoted) return;
  const before: Contact = { ...demoted, is_primary: true };
  context.emitUpdated('contact.updated', before, demoted);
}
