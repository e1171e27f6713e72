import { type Contact, EditContactAddresses } from '@dealkeep/contract';
import type * as z from 'zod';
import { laterOf } from '../clock.ts';
import type { Core } from '../core.ts';
import { changesOf } from '../database/changes.ts';
import { checkInput } from '../verb/check-input.ts';
import { requireUnchanged } from '../verb/require-unchanged.ts';
import { type OrganizationName, transact } from '../verb/transact.ts';
import { readContact } from './contact-record.ts';
import { lockContact } from './lock-contact.ts';
import { touchCompanies } from './touch-companies.ts';

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
