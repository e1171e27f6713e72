import { randomUUIDv7 } from 'node:crypto';
import type { FieldProblem, Language } from '@dealkeep/contract';
import { addMail, removeInvitationMail } from '../../change/queue/mail-jobs.ts';
import type { Services } from '../../change/services.ts';
import { type Described, isChanging, writes } from '../../change/verb/verb.ts';
import type { Fragment, Statements, Transaction } from '../../foundations/database/connect.ts';
import { invitationDays } from '../../foundations/operating-limits.ts';
import { invalidField, invalidFields, notFound } from '../../foundations/problem.ts';
import { randomToken, tokenHash } from '../../identity/credentials/credential.ts';
import { findRole, hasAddress, type MemberKey, ownerRole } from '../users/members.ts';

const expiryOf = (now: string): string =>
  new Date(Date.parse(now) + invitationDays * 24 * 3_600_000).toISOString();

/** Somebody who is invited, as the owners see them. Moments are RFC 3339 in UTC. */
export interface Invitation {
  id: string;
  email: string;
  /** `owner`, or the name of a role. */
  role: string;
  language: Language | null;
  invited_by: string;
  /** A mail brings the link; else an owner hands it over. */
  by_mail: boolean;
  expires_at: string;
  expired: boolean;
  created_at: string;
}

/** Who is invited to an organization and has not accepted, the latest first. */
export const listInvitations = (
  { sql, clock }: Pick<Services, 'sql' | 'clock'>,
  { id }: { readonly id: string },
): Promise<Invitation[]> => readInvitations(sql, sql`i.organization_id = ${id}`, clock.now().toISOString());

/** One invitation. Raises NOT_FOUND. */
export async function getInvitation(
  sql: Statements,
  { organization, id }: MemberKey,
  now: string,
): Promise<Invitation> {
  const which = sql`i.organization_id = ${organization} and i.id = ${id}`;
  const [invitation] = await readInvitations(sql, which, now);
  if (!invitation) throw notFound();
  return invitation;
}

const readInvitations = (sql: Statements, which: Fragment, now: string): Promise<Invitation[]> =>
  sql<Invitation[]>`
    select i.id, i.email, coalesce(r.name, ${ownerRole}) as role, i.language, m.name as invited_by, i.by_mail,
           i.expires_at, i.expires_at <= ${now} as expired, i.created_at
    from invitations i
    join memberships m on m.organization_id = i.organization_id and m.id = i.invited_by
    left join roles r on r.organization_id = i.organization_id and r.id = i.role_id
    where ${which} order by i.created_at desc, i.id desc`;

/**
 * Invites somebody to an organization. Nothing is looked up but the organization's own members and invitations, so
 * that whoever signs in elsewhere is invited as a stranger is. Answers the link to hand over, this once; null where
 * a mail brings it. Raises VALIDATION_ERROR, also for the address of somebody who belongs to the organization or is
 * invited.
 */
export const inviteMember = writes('invitations.send', {
  async check(context, { body: { email, role } }) {
    const { sql, organization } = context;
    const locked = isChanging(context);
    const roleId = role === undefined ? null : await findRole(sql, organization, role, { locked });
    const problems = await addressProblems(sql, organization, email);
    if (roleId === undefined) problems.push({ path: 'role', key: 'field.not_found' });
    if (problems.length > 0 || roleId === undefined) throw invalidFields(problems);
    return roleId;
  },
  async run(
    { core, sql, organization, now, actor, describe },
    { body: { email, role, language = null } },
    roleId,
  ) {
    describe({ ...ofInvited(email), detail: { changes: { role: [null, role] } } });
    const key = { organization, id: randomUUIDv7() };
    const [made] = await sql`
      insert into invitations (organization_id, id, email, role_id, language, invited_by, by_mail, expires_at,
                               created_at)
      values (${organization}, ${key.id}, ${email}, ${roleId}, ${language}, ${actor.user.id}, ${sendsMail(core)},
              ${expiryOf(now)}, ${now})
      on conflict do nothing returning 1`;
    if (!made) throw invalidField('email', 'field.email_invited');
    return { id: key.id, link: await send(core, sql, key) };
  },
});

/** An address of somebody who belongs to the organization or is invited. */
async function addressProblems(
  sql: Statements,
  organization: string,
  email: string | undefined,
): Promise<FieldProblem[]> {
  if (email === undefined) return [];
  if (await hasAddress(sql, organization, { email })) return [{ path: 'email', key: 'field.email_taken' }];
  const [invited] = await sql`
    select from invitations where organization_id = ${organization} and comparison_form(email) = comparison_form(${email})`;
  return invited ? [{ path: 'email', key: 'field.email_invited' }] : [];
}

/** Sends an invitation again, for another seven days; the links of before end. Raises NOT_FOUND. */
export const sendInvitationAgain = writes(
  'invitations.send-again',
  async ({ core, sql, organization, now, describe }, { path: { id } }) => {
    const key = { organization, id };
    describe(ofInvited((await getInvitation(sql, key, now)).email));
    await sql`
      update invitations set by_mail = ${sendsMail(core)}, expires_at = ${expiryOf(now)}
      where organization_id = ${organization} and id = ${id}`;
    await sql`delete from invitation_tokens where organization_id = ${organization} and invitation_id = ${id}`;
    await removeInvitationMail(sql, key);
    return { id, link: await send(core, sql, key) };
  },
);

/** Takes an invitation back: its links end, and a mail that waits is not sent. Raises NOT_FOUND. */
export const withdrawInvitation = writes(
  'invitations.withdraw',
  async ({ sql, organization, now, describe }, { path: { id } }) => {
    describe(ofInvited((await getInvitation(sql, { organization, id }, now)).email));
    await sql`delete from invitations where organization_id = ${organization} and id = ${id}`;
    await removeInvitationMail(sql, { organization, id });
    return undefined;
  },
);

/**
 * Whom an invitation is for, as the audit log keeps it: enough for whoever sent it, and not the address of somebody
 * who does not belong here.
 */
const ofInvited = (email: string): Pick<Described, 'name'> => ({
  name: email.replace(/^(.).*(?=@)/u, '$1…'),
});

/** Whether an invitation goes by mail: not without a mail server, and never from a test environment. */
const sendsMail = ({ environment, mailIsSetUp = false }: Services): boolean =>
  mailIsSetUp && environment !== 'test';

/** The worker makes the link of a mail when it sends it, so that it stands nowhere until then. */
async function send(core: Services, sql: Transaction, key: MemberKey): Promise<string | null> {
  if (!sendsMail(core)) return newInvitationLink(sql, key, core.origin);
  await addMail(sql, {
    kind: 'invitation',
    id: randomUUIDv7(),
    organization_id: key.organization,
    invitation_id: key.id,
  });
  return null;
}

/** The path of the console that an invitation is accepted at. */
export const invitationPath = '/invitation';

/** A new link that accepts an invitation, once. Only the hash of its token is kept. */
export async function newInvitationLink(
  sql: Statements,
  { organization, id }: MemberKey,
  origin: string,
): Promise<string> {
  const token = randomToken('dk_inv_');
  await sql`
    insert into invitation_tokens (token_hash, organization_id, invitation_id)
    values (${tokenHash(token)}, ${organization}, ${id})`;
  return `${origin}${invitationPath}?${new URLSearchParams({ token })}`;
}
