import type { Contact } from '@dealkeep/contract';
import type { RowIn } from '../../change/record-tables/define-record.ts';
import { type Changing, type InputOf, type Writing, writes } from '../../change/verb/verb.ts';
import { laterOf } from '../../foundations/clock.ts';
import type { Fragment } from '../../foundations/database/connect.ts';
import { newId } from '../../foundations/database/new-id.ts';
import { changesOf } from '../../foundations/database/values.ts';
import { invalidField, notFound } from '../../foundations/problem.ts';
import { contacts, lockContact, lockContactsOf } from './record.ts';

export const createContact = writes('contacts.create', (context, { body }) => addContact(context, body));

/** Adds a contact with its events. Raises VALIDATION_ERROR for a company that there is not. */
export async function addContact(context: Writing, body: NewContact): Promise<Contact> {
  // A contact made primary at the same time waits here; otherwise both would be.
  if (body.is_primary) await lockContactsOf(context, body.company_id);
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
 * Adds a contact to a company, whose contacts are locked already when this one is primary. The caller emits the
 * event. Raises VALIDATION_ERROR for a company that there is not.
 */
export async function insertContact(context: Writing, contact: NewContact): Promise<Placed> {
  const { sql, organization, now } = context;
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
    primaryOf: isPrimary ? company : undefined,
    put: sql`${contacts.inserting(context, row)} from employer where (select count(*) from demoted) >= 0 returning *`,
  });
  const employer = sql`
    employer as (select id from companies where organization_id = ${organization} and id = ${company})`;
  const records = await contacts.records(
    context,
    await contacts.written(context, sql`${employer}, ${parts}`),
  );
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
  const { row, companyName } = await lockContact(context, id, body);
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

/** The primary contact of a company whose contacts are locked, other than this one; locked as well. */
async function primaryContact(context: Changing, company: string, except: string) {
  const { sql, organization } = context;
  const [found] = await sql<{ id: string }[]>`
    select id from contacts
    where organization_id = ${organization} and company_id = ${company} and is_primary and id <> ${except}`;
  const row = found && (await contacts.tryLock(context, found.id));
  // It may have lost the mark by its own change, which asks for no other contact.
  return row?.is_primary ? row : undefined;
}

/** Replaces the further e-mails and phones. */
export const editContactAddresses = writes('contacts.addresses', async (context, { path, body }) => {
  const { row } = await lockContact(context, path.id);
  const before = await contacts.recordOf(context, row);
  const changes = changesOf(row, body);
  if (!changes) return before;
  const changed = { ...changes, updated_at: laterOf(context.now, row.updated_at) };
  const after = await contacts.recordOf(context, await contacts.update(context, row, changed));
  context.emitUpdated('contact.updated', before, after);
  return after;
});

interface Placing {
  /** The company whose primary contact it becomes. */
  readonly primaryOf?: string | undefined;
  /** Inserts or changes the contact. It must read `demoted`, so that PostgreSQL runs it after that part. */
  readonly put: Fragment;
}

/**
 * The parts of a statement that write a contact and what goes with it. A company has one primary contact at most, so
 * the one before loses the mark first (rule contacts 4). The company itself is not written (rule companies 6).
 */
function placing(context: Changing, id: string, { primaryOf, put }: Placing): Fragment {
  const { sql, organization, now } = context;
  return sql`
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
