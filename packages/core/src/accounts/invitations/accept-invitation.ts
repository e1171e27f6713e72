import { randomUUIDv7 } from 'node:crypto';
import { AcceptInvitation, checkValue, type Language } from '@dealkeep/contract';
import type * as z from 'zod';
import { changedValues } from '../../change/audit/changed-values.ts';
import { addOwnAuditEntry, type OwnMembership } from '../../change/audit/own-account.ts';
import type { Services } from '../../change/services.ts';
import type { Statements, Transaction } from '../../foundations/database/connect.ts';
import { inTransaction } from '../../foundations/database/in-transaction.ts';
import { invalidField, invalidFields, Problem, refusalOf } from '../../foundations/problem.ts';
import { tokenHash } from '../../identity/credentials/credential.ts';
import type { RequestOrigin } from '../../identity/credentials/request-origin.ts';
import { fittingHash, hashPassword, noPassword } from '../../identity/passwords/password.ts';
import {
  knownBrowserToken,
  type PasswordClaim,
  type ProvedUser,
  provePassword,
  usersOf,
} from '../sessions/prove-password.ts';
import { openSession, type Session, type SignedIn, switchOrganization } from '../sessions/sessions.ts';
import { insertMembership, ownerRole } from '../users/members.ts';
import { insertUserRow } from '../users/users.ts';

/** What somebody who has the link of an invitation is told. */
export interface OpenInvitation {
  organization: { id: string; name: string; time_zone: string };
  email: string;
  /** `owner`, or the name of a role. */
  role: string;
  invited_by: string;
  language: Language | null;
  expires_at: string;
  /** Whether somebody is signed in whose address it is for. */
  is_own: boolean;
}

interface InvitationRow extends OpenInvitation {
  id: string;
  role_id: string | null;
  by_mail: boolean;
}

/**
 * The invitation of a link. It says the same whether its address signs in here already or not. Raises NOT_FOUND for
 * one that was accepted, withdrawn, sent again or has expired.
 */
export async function findInvitation(
  core: Services,
  token: string,
  session: Session | null = null,
): Promise<OpenInvitation> {
  const found = await readInvitation(core.sql, core, token, session?.accountId);
  const { id: _, role_id: __, by_mail: ___, ...invitation } = found;
  return invitation;
}

/**
 * Accepts an invitation with a name and a password, and signs in. Whoever signs in with this address and this very
 * password already is that user; else a new one begins, who shares nothing with others of the address. Where a mail
 * brought the link, the address is proved, and nobody else begins with it: raises VALIDATION_ERROR when it was
 * proved before, because whoever proved it signs in with the password of their own.
 */
export async function acceptAsNewUser(
  core: Services,
  token: string,
  { userAgent, from, ...input }: Entering & z.input<typeof AcceptInvitation>,
): Promise<SignedIn> {
  const { name, password } = await checkAcceptance(core, token, input);
  const { id, email } = await readInvitation(core.sql, core, token);
  const users = await usersOf(core, email);
  const hashes = users.map(({ passwordHash }) => passwordHash);
  const fitting = await fittingHash({ known: true, lane: `invitation ${id}` }, password, hashes);
  const known = users.find(({ passwordHash }) => passwordHash === fitting);
  // Also hashed for users who are known, so that both cases take equally long.
  const beside = hashes.find((hash) => hash !== noPassword);
  const made = { id: randomUUIDv7(), passwordHash: await hashPassword(password, beside) };
  return accept(core, token, { user: known ?? made, name, isNew: !known, userAgent, from });
}

/**
 * Accepts an invitation as somebody who signs in with its address already, and signs in. Raises what a wrong
 * password raises, and CONFLICT for somebody who belongs to the organization.
 */
export async function acceptBySigningIn(
  core: Services,
  token: string,
  { userAgent, ...claim }: Omit<PasswordClaim, 'email'> & Entering,
): Promise<SignedIn> {
  const { email } = await findInvitation(core, token);
  const user = await provePassword(core, { ...claim, email });
  return accept(core, token, { user, userAgent, from: claim.from });
}

/**
 * Accepts an invitation as somebody who is signed in with its address, and switches to the organization. Raises
 * CONFLICT for somebody who belongs to it, NOT_FOUND also where the address is another. Answers the new token of the
 * session.
 */
export async function acceptAsSignedIn(core: Services, token: string, session: Session): Promise<string> {
  const organization = await inTransaction(core.sql, async (tx) => {
    const invitation = await takeInvitation(tx, core, token, session.accountId);
    if (!invitation.is_own) throw new Problem('invitation.ended');
    await join(tx, core, invitation, { accountId: session.accountId, from: session.from });
    return invitation.organization.id;
  });
  return switchOrganization(core, session, { id: organization });
}

/** What a browser says of itself, and where it is. */
interface Entering {
  userAgent?: string | undefined;
  /** For the audit log. */
  from?: RequestOrigin | undefined;
}

interface Accepting {
  user: ProvedUser;
  /** Absent for somebody who has a name in another organization already. */
  name?: string;
  isNew?: boolean;
  userAgent: string | undefined;
  from: RequestOrigin | undefined;
}

async function accept(
  core: Services,
  token: string,
  { user, name, isNew, userAgent, from }: Accepting,
): Promise<SignedIn> {
  return inTransaction(core.sql, async (tx) => {
    const invitation = await takeInvitation(tx, core, token);
    const { email, by_mail: verified, organization } = invitation;
    if (isNew) {
      if (verified) await requireUnproved(tx, email);
      const now = core.clock.now().toISOString();
      await insertUserRow(tx, { ...user, email, verified, now });
    }
    await join(tx, core, invitation, { accountId: user.id, name, from });
    const session = await openSession({ ...core, sql: tx }, user, {
      organization: organization.id,
      userAgent,
      from,
    });
    // No session: the user set a new password meanwhile.
    if (session === undefined) throw new Problem('sign_in.wrong');
    return { token: session, knownBrowser: knownBrowserToken(core, user.id) };
  });
}

/**
 * Checks the name and the password of somebody who begins a login. Where these are refused, somebody who has a login
 * with the address already is told so as well, because any password but theirs would be refused next. Raises
 * VALIDATION_ERROR.
 */
async function checkAcceptance(
  core: Services,
  token: string,
  input: z.input<typeof AcceptInvitation>,
): Promise<z.output<typeof AcceptInvitation>> {
  const checked = checkValue(AcceptInvitation, input);
  if (!checked.problems) return checked.data;
  const { id, email, by_mail: byMail } = await readInvitation(core.sql, core, token);
  const proved = await refusalOf(() => byMail && requireUnproved(core.sql, email));
  if (!proved) throw invalidFields(checked.problems);
  const isShort = checked.problems.some(({ path }) => path === 'password');
  const hashes = (await usersOf(core, email)).map(({ passwordHash }) => passwordHash);
  const asker = { known: true, lane: `invitation ${id}` };
  const isOwn = !isShort && (await fittingHash(asker, input.password, hashes)) !== undefined;
  const others = checked.problems.filter(({ path }) => path !== 'password');
  throw invalidFields(isOwn ? checked.problems : [...others, ...(proved.fields ?? [])]);
}

/**
 * Raises VALIDATION_ERROR where somebody has proved the address already: whoever gets its mails then uses that login
 * instead of a second one.
 */
async function requireUnproved(sql: Statements, email: string): Promise<void> {
  const [proved] =
    await sql`select from users where comparison_form(email) = comparison_form(${email}) and email_verified`;
  if (proved) throw invalidField('password', 'invitation.known');
}

/** Makes the membership. A link that came by mail proves the address. */
async function join(
  tx: Transaction,
  { clock }: Services,
  { organization, email, role, role_id: roleId, language, by_mail: byMail }: InvitationRow,
  {
    accountId,
    name,
    from,
  }: { accountId: string; name?: string | undefined; from: RequestOrigin | undefined },
): Promise<void> {
  const [member] = await tx`
    select from memberships m join users u on u.id = m.person_id
    where m.organization_id = ${organization.id} and comparison_form(u.email) = comparison_form(${email})`;
  if (member) throw new Problem('invitation.member');
  const [called] = await tx<{ name: string }[]>`
    select name from memberships where person_id = ${accountId} order by last_signed_in_at desc nulls last, created_at
    limit 1`;
  const now = clock.now().toISOString();
  const id = randomUUIDv7();
  await insertMembership(tx, {
    organization: organization.id,
    id,
    accountId,
    email,
    roleId,
    language,
    now,
    name: name ?? called?.name ?? email,
  });
  const detail = { changes: changedValues({}, { role }) };
  const self = await tx<OwnMembership[]>`
    select organization_id, id, name from memberships where organization_id = ${organization.id} and id = ${id}`;
  await addOwnAuditEntry(tx, { operation: 'account.join', now, from, detail }, self);
  if (!byMail) return;
  await tx`
    update users set email_verified = true
    where id = ${accountId} and not exists (
      select from users other where comparison_form(other.email) = comparison_form(${email}) and other.email_verified)`;
}

/** Ends an invitation for who accepts it; a second one waits, and then finds none. */
async function takeInvitation(
  tx: Transaction,
  core: Services,
  token: string,
  accountId?: string,
): Promise<InvitationRow> {
  const invitation = await readInvitation(tx, core, token, accountId);
  const { organization, id } = invitation;
  const [taken] = await tx`
    delete from invitations where organization_id = ${organization.id} and id = ${id} returning 1`;
  if (!taken) throw new Problem('invitation.ended');
  return invitation;
}

async function readInvitation(
  sql: Statements,
  { clock }: Services,
  token: string,
  accountId: string | null = null,
): Promise<InvitationRow> {
  const [invitation] = await sql<InvitationRow[]>`
    select json_build_object('id', o.id, 'name', o.name, 'time_zone', o.time_zone) as organization, i.id, i.email, i.role_id, i.by_mail,
           coalesce(r.name, ${ownerRole}) as role, m.name as invited_by, i.language, i.expires_at,
           exists (select from users where id = ${accountId} and comparison_form(email) = comparison_form(i.email)) as is_own
    from invitation_tokens t
    join invitations i on i.organization_id = t.organization_id and i.id = t.invitation_id
    join organizations o on o.id = i.organization_id
    join memberships m on m.organization_id = i.organization_id and m.id = i.invited_by
    left join roles r on r.organization_id = i.organization_id and r.id = i.role_id
    where t.token_hash = ${tokenHash(token)} and i.expires_at > ${clock.now().toISOString()}`;
  if (!invitation) throw new Problem('invitation.ended');
  return invitation;
}
