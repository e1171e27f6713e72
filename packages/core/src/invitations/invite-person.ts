import { randomUUIDv7 } from 'node:crypto';
import { type FieldProblem, InvitePerson } from '@dealkeep/contract';
import type * as z from 'zod';
import type { Core } from '../core.ts';
import type { Statements, Transaction } from '../database/connect.ts';
import { inTransaction } from '../database/in-transaction.ts';
import { invalidField, invalidFields } from '../problem.ts';
import { hasAddress, type PersonKey, roleIdOf, roleNameProblems } from '../users/membership-rows.ts';
import { checkInputThroughout } from '../verb/check-input.ts';
import { type Once, type OrganizationName, transact } from '../verb/transact.ts';
import { newInvitationLink } from './invitation-link.ts';
import { expiryOf, getInvitation } from './invitations.ts';

/** What an owner gets of an invitation: the link to hand over, this once; null where a mail brings it. */
export interface SentInvitation {
  id: string;
  link: string | null;
}

/**
 * Invites somebody to an organization. Nothing is looked up but the organization's own people and invitations, so that
 * whoever signs in elsewhere is invited as a stranger is. Raises VALIDATION_ERROR, also for the address of somebody who
 * belongs to the organization or is invited.
 *
 * @param by the user who invites
 */
export async function invitePerson(
  core: Core,
  organization: OrganizationName,
  { by, ...input }: { by: string } & z.input<typeof InvitePerson>,
  once?: Once,
): Promise<SentInvitation> {
  const checked = await checkInputThroughout(InvitePerson, input, ({ part }) =>
    problemsOf(core.sql, organization.id, part),
  );
  const { email, role, language = null } = checked;
  return transact(
    core,
    organization,
    async ({ sql, now }) => {
      const key = { organization: organization.id, id: randomUUIDv7() };
      const problems = await problemsOf(sql, organization.id, { email, role });
      if (problems.length > 0) throw invalidFields(problems);
      const roleId = await roleIdOf(sql, organization.id, role);
      const [made] = await sql`
        insert into invitations (organization_id, id, email, role_id, language, invited_by, by_mail, expires_at,
                                 created_at)
        values (${organization.id}, ${key.id}, ${email}, ${roleId}, ${language}, ${by}, ${sendsMail(core)},
                ${expiryOf(now)}, ${now})
        on conflict do nothing returning 1`;
      if (!made) throw invalidField('email', 'field.email_invited');
      return { id: key.id, link: await send(core, sql, key, now) };
    },
    once,
  );
}

/** An address of somebody who belongs to the organization or is invited, and a role that there is not. */
async function problemsOf(
  sql: Statements,
  organization: string,
  { email, role }: { readonly email?: string; readonly role?: string },
): Promise<FieldProblem[]> {
  const ofRole = await roleNameProblems(sql, organization, role);
  if (email === undefined) return ofRole;
  if (await hasAddress(sql, organization, { email })) {
    return [{ path: 'email', key: 'field.email_taken' }, ...ofRole];
  }
  const [invited] = await sql`
    select from invitations where organization_id = ${organization} and lower(email) = lower(${email})`;
  return invited ? [{ path: 'email', key: 'field.email_invited' }, ...ofRole] : ofRole;
}

/**
 * Sends an invitation again, for another seven days; the links of before end. Raises NOT_FOUND.
 */
export async function sendInvitationAgain(
  core: Core,
  organization: OrganizationName,
  { id }: { id: string },
  once?: Once,
): Promise<SentInvitation> {
  return transact(
    core,
    organization,
    async ({ sql, now }) => {
      const key = { organization: organization.id, id };
      await getInvitation(sql, key, now);
      await sql`
        update invitations set by_mail = ${sendsMail(core)}, expires_at = ${expiryOf(now)}
        where organization_id = ${organization.id} and id = ${id}`;
      await sql`delete from invitation_tokens where organization_id = ${organization.id} and invitation_id = ${id}`;
      await sql`
        delete from mails where organization_id = ${organization.id} and invitation_id = ${id} and due_at is not null`;
      return { id, link: await send(core, sql, key, now) };
    },
    once,
  );
}

/** Takes an invitation back: its links end, and a mail that waits is not sent. Raises NOT_FOUND. */
export async function withdrawInvitation(
  { sql, clock }: Pick<Core, 'sql' | 'clock'>,
  organization: Pick<OrganizationName, 'id'>,
  { id }: { id: string },
): Promise<void> {
  await inTransaction(sql, async (tx) => {
    await getInvitation(tx, { organization: organization.id, id }, clock.now().toISOString());
    await tx`delete from invitations where organization_id = ${organization.id} and id = ${id}`;
  });
}

/** Nobody is written to from a test environment. */
const sendsMail = ({ environment, mailIsSetUp = false }: Core): boolean =>
  mailIsSetUp && environment !== 'test';

/** The worker makes the link of a mail when it sends it, so that it stands nowhere until then. */
async function send(core: Core, sql: Transaction, key: PersonKey, now: string): Promise<string | null> {
  if (!sendsMail(core)) return newInvitationLink(sql, key, core.origin);
  await sql`
    insert into mails (organization_id, id, invitation_id, kind, facts, due_at, created_at)
    values (${key.organization}, ${randomUUIDv7()}, ${key.id}, 'invitation', '{}', ${now}, ${now})`;
  return null;
}
