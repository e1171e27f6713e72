import { randomUUIDv7 } from 'node:crypto';
import { type Contact, EditContactAddresses } from '@dealkeep/contract';
import type * as z from 'zod';
import { laterOf } from '../clock.ts';
import type { Core } from '../core.ts';
import type { Fragment } from '../database/connect.ts';
import { changesOf } from '../database/values.ts';
import { invalidField } from '../problem.ts';
import { checkInput } from '../verb/check-input.ts';
import { type OrganizationName, requireUnchanged, transact } from '../verb/transact.ts';
import { type Changing, type InputOf, type Writing, writes } from '../verb/verb.ts';
import { contacts, lockContact } from './record.ts';

export const createContact = writes('contacts.create', async (context, { body }) => {
  // Who is primary is only known once nobody else changes it.
  if (body.is_primary) await lockCompany(context, body.company_id);
  const { contact, demoted } = await insertContact(context, body);
  context.emit('contact.created', contact);
  emitDemoted(context, demoted);
  return contact;
});

type NewContact = InputOf<'contacts.create'>['body'];

/** A contact as it is now, and as it is now the one whose primary mark it took. */
interface Placed {
  readonly contact: Contact;
  readonly demoted: Contact | undefined;
}

/**
 * Adds a contact to a company, which is locked already when the contact is primary. To say so is left to the caller.
 * Raises VALIDATION_ERROR for a company that there is not.
 */
export async function insertContact(context: Writing, contact: NewContact): Promise<Placed> {
  const { sql, now } = context;
  const { company_id: company } = contact;
  const isPrimary = contact.is_primary ?? false;
  const row = {
    ...contacts.valuesOf(contact),
    id: randomUUIDv7(),
    is_primary: isPrimary,
    created_at: now,
    updated_at: now,
  };
  const placed = await place(context, row.id, {
    companies: [company],
    primaryOf: isPrimary ? company : undefined,
    put: sql`${contacts.inserting(context, row)} from touched where (select count(*) from demoted) >= 0 returning *`,
  });
  if (!placed) throw invalidField('company_id', 'field.not_found');
  return placed;
}

export const updateContact = writes('contacts.update', async (context, { path, body }) => {
  const { sql, now } = context;
  const row = await lockContact(context, path.id, body.company_id);
  const before = await contacts.recordOf(context, row);
  const changes = changesOf(row, contacts.valuesOf(body));
  if (!changes) return before;

  const company = changes.company_id ?? row.company_id;
  const moves = changes.company_id !== undefined;
  const primary = changes.is_primary ?? row.is_primary;
  const takesOver = primary && (moves || changes.is_primary === true);
  const changed = { ...changes, updated_at: laterOf(now, row.updated_at) };
  const placed = await place(context, path.id, {
    companies: [row.company_id, company],
    primaryOf: takesOver ? company : undefined,
    put: sql`${contacts.updating(context, path.id, changed)} and (select count(*) from demoted) >= 0 returning *`,
  });
  if (!placed) throw new Error(`The contact ${path.id} is locked and was not changed`);
  context.emitUpdated('contact.updated', before, placed.contact);
  emitDemoted(context, placed.demoted);
  return placed.contact;
});

export type ContactAddresses = z.input<typeof EditContactAddresses>;

/**
 * Replaces the further e-mails and phones of a contact, which the API has no operation for: `contact.updated`. Answers
 * the contact as GET does. Raises NOT_FOUND, VALIDATION_ERROR, and CONFLICT when somebody changed the contact meanwhile.
 *
 * @param unchangedSince the `updated_at` that it must still have; whatever it has when absent
 */
export const editContactAddresses = (
  core: Core,
  organization: OrganizationName,
  { id, ...input }: { id: string } & ContactAddresses,
  unchangedSince?: string,
): Promise<Contact> =>
  transact(core, organization, async (context) => {
    const { sql, now } = context;
    const body = checkInput(EditContactAddresses, input);
    const row = await lockContact(context, id);
    const before = await contacts.recordOf(context, row);
    requireUnchanged(before, unchangedSince);
    const changes = changesOf(row, body);
    if (!changes) return before;
    const changed = { ...changes, updated_at: laterOf(now, row.updated_at) };
    const placed = await place(context, id, {
      companies: [row.company_id],
      put: sql`${contacts.updating(context, id, changed)} returning *`,
    });
    if (!placed) throw new Error(`The contact ${id} is locked and was not changed`);
    context.emitUpdated('contact.updated', before, placed.contact);
    return placed.contact;
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
  /** What inserts or changes the contact; it reads `demoted` to come after it. */
  readonly put: Fragment;
}

/**
 * Writes a contact and, in the same statement, what goes with it. Companies show their contacts, so they change with
 * them: whoever asks for what was updated since finds them; there is no event of it besides the contact's own (rule
 * companies 6). A company has one primary contact at most, so the one before loses the mark first (rule contacts 4).
 */
async function place(context: Changing, id: string, placing: Placing): Promise<Placed | undefined> {
  const { sql, organization, now } = context;
  const { companies, primaryOf = null, put } = placing;
  const rows = await contacts.written(
    sql,
    sql`
      touched as (
        update companies set updated_at = greatest(updated_at, ${now})
        where organization_id = ${organization} and id = any(${[...new Set(companies)]}::uuid[]) returning id),
      demoted as (
        update contacts set is_primary = false, updated_at = greatest(updated_at, ${now})
        where organization_id = ${organization} and company_id = ${primaryOf} and is_primary and id <> ${id}
        returning *),
      put as (${put}),
      written as (select * from put union all select * from demoted)`,
  );
  const records = await contacts.records(context, rows);
  const contact = records.find((each) => each.id === id);
  return contact && { contact, demoted: records.find((each) => each.id !== id) };
}

/** Says that a contact is primary no more. */
function emitDemoted(context: Changing, demoted: Contact | undefined): void {
  if (!demoted) return;
  const before: Contact = { ...demoted, is_primary: true };
  context.emitUpdated('contact.updated', before, demoted);
}
