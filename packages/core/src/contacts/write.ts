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
import { type Changing, type Writing, writes } from '../verb/verb.ts';
import { lockContact, readContact } from './record.ts';

export const createContact = writes('contacts.create', async (context, { body }) => {
  await lockCompany(context, body.company_id);
  return insertContact(context, body);
});

interface NewContact {
  company_id: string;
  name: string;
  email?: string | null | undefined;
  phone?: string | null | undefined;
  position?: string | null | undefined;
  is_primary?: boolean | null | undefined;
  note?: string | null | undefined;
}

/** Adds a contact to a company that the caller has locked, and emits `contact.created`. */
export async function insertContact(context: Writing, contact: NewContact): Promise<Contact> {
  const { sql, organization, now } = context;
  const demoted = contact.is_primary ? await demotePrimary(context, contact.company_id) : undefined;
  const id = randomUUIDv7();
  await sql`
    with ${touchCompanies(context, [contact.company_id])}
    insert into contacts (organization_id, id, company_id, name, email, phone, position, is_primary, note,
                          created_at, updated_at)
    values (${organization}, ${id}, ${contact.company_id}, ${contact.name}, ${contact.email ?? null},
            ${contact.phone ?? null}, ${contact.position ?? null}, ${contact.is_primary ?? false},
            ${contact.note ?? null}, ${now}, ${now})`;
  const created = await readContact(context, id);
  context.emit('contact.created', created);
  await emitDemoted(context, demoted);
  return created;
}

export const updateContact = writes('contacts.update', async (context, { path, body }) => {
  const { sql, organization, now } = context;
  const row = await lockContact(context, path.id, body.company_id);
  const before = await readContact(context, path.id);
  const changes = changesOf(row, body);
  if (!changes) return before;

  const company = changes.company_id ?? row.company_id;
  const moves = changes.company_id !== undefined;
  const primary = changes.is_primary ?? row.is_primary;
  const takesOver = primary && (moves || changes.is_primary === true);
  const demoted = takesOver ? await demotePrimary(context, company) : undefined;
  await sql`
    with ${touchCompanies(context, [row.company_id, company])}
    update contacts set ${sql({ ...changes, updated_at: laterOf(now, row.updated_at) })}
    where organization_id = ${organization} and id = ${path.id}`;
  const after = await readContact(context, path.id);
  context.emitUpdated('contact.updated', before, after);
  await emitDemoted(context, demoted);
  return after;
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
    const before = await readContact(context, id);
    requireUnchanged(before, unchangedSince);
    const changes = changesOf(row, body);
    if (!changes) return before;
    await sql`
      with ${touchCompanies(context, [row.company_id])}
      update contacts set ${sql({ ...changes, updated_at: laterOf(now, row.updated_at) })}
      where organization_id = ${organization.id} and id = ${id}`;
    const after = await readContact(context, id);
    context.emitUpdated('contact.updated', before, after);
    return after;
  });

/** Locks the company, so that changes of its contacts come one after another. Raises VALIDATION_ERROR. */
export async function lockCompany({ sql, organization }: Changing, companyId: string): Promise<void> {
  const [company] = await sql`
    select 1 from companies where organization_id = ${organization} and id = ${companyId} for no key update`;
  if (!company) throw invalidField('company_id', 'field.not_found');
}

/**
 * Takes the primary mark from the company's contact, since a company has one at most (rule contacts 4). Answers the
 * demoted contact as it was before, for its event.
 */
async function demotePrimary(context: Changing, companyId: string): Promise<Contact | undefined> {
  const { sql, organization, now } = context;
  const [primary] = await sql<{ id: string }[]>`
    select id from contacts where organization_id = ${organization} and company_id = ${companyId} and is_primary`;
  if (!primary) return undefined;
  const before = await readContact(context, primary.id);
  await sql`
    update contacts set is_primary = false, updated_at = greatest(updated_at, ${now})
    where organization_id = ${organization} and id = ${primary.id}`;
  return before;
}

async function emitDemoted(context: Changing, before: Contact | undefined): Promise<void> {
  if (before) context.emitUpdated('contact.updated', before, await readContact(context, before.id));
}

/**
 * A part of the statement that changes a contact. Companies show their contacts, so they change with them: whoever asks
 * for what was updated since finds them. There is no event of it besides the contact's own (rule companies 6).
 */
const touchCompanies = ({ sql, organization, now }: Changing, companies: readonly string[]): Fragment => sql`
  touched as (
    update companies set updated_at = greatest(updated_at, ${now})
    where organization_id = ${organization} and id = any(${[...new Set(companies)]}::uuid[]))`;
