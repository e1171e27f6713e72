import { randomUUIDv7 } from 'node:crypto';
import { checkValue, InviteMember, type Language, SetPassword } from '@dealkeep/contract';
import { addAuditEntries, operator } from '../../change/audit/audit-log.ts';
import { changedValues, hidden } from '../../change/audit/changed-values.ts';
import { checkInput } from '../../change/verb/check-input.ts';
import type { Clock } from '../../foundations/clock.ts';
import type { Database, Statements, Transaction } from '../../foundations/database/connect.ts';
import { breaksConstraint } from '../../foundations/database/failures.ts';
import { inTransaction } from '../../foundations/database/in-transaction.ts';
import { OperatorError, operatorName } from '../../foundations/operator.ts';
import { invalidField } from '../../foundations/problem.ts';
import { effectiveEverywhere } from '../../identity/credentials/revocation.ts';
import { hashPassword, noPassword } from '../../identity/passwords/password.ts';
import { touchReferenceData } from '../../identity/reference-data/reference-data.ts';
import { namedOrganization } from '../../identity/tenancy/named-organization.ts';
import { endSessionsOf } from '../sessions/sessions.ts';
import {
  changeMembership,
  getMember,
  insertMembership,
  type Member,
  requireFreeAddress,
  roleIdOf,
} from './members.ts';

/** Somebody as an operator sees them. */
export type User = Omit<Member, 'last_signed_in_at'>;

interface NewUser {
  organization: string;
  name: string;
  email: string;
  /** Without one, they cannot sign in until one is set. */
  password?: string | undefined;
  /** `owner`, or the name of a role. */
  role: string;
  /** Of the mails to them and of the console; English when absent. */
  language?: Language | undefined;
}

interface CreatedUser {
  id: string;
  email: string;
  /** True for somebody whom the operator made before, for another organization: they keep their password. */
  known: boolean;
}

/**
 * Adds a user to an organization. Somebody whose address is verified belongs to one organization more, and signs in
 * with the password that they have. Raises OperatorError, and VALIDATION_ERROR for a role, an
 * address or a password.
 */
export async function createUser(
  { sql, clock }: { sql: Database | Transaction; clock: Clock },
  user: NewUser,
): Promise<CreatedUser> {
  const { id: organization } = await namedOrganization(sql, user.organization);
  const email = checkAddress(user.email);
  const name = operatorName(user.name);
  if (user.password !== undefined) checkInput(SetPassword, { password: user.password });
  const roleId = await roleIdOf(sql, organization, user.role);
  const passwordHash = user.password === undefined ? noPassword : await hashPassword(user.password);
  const id = randomUUIDv7();
  const now = clock.now().toISOString();
  const membership = { organization, id, name, email, roleId, language: user.language ?? null, now };
  return inTransaction(sql, async (tx) => {
    const known = await verifiedUser(tx, email);
    if (known === undefined) await insertUserRow(tx, { id, email, verified: true, passwordHash, now });
    await insertMembership(tx, { ...membership, accountId: known ?? id });
    const detail = { changes: changedValues({}, { role: user.role }) };
    const what = { operation: 'members.add', resource: 'user', recordId: id, recordName: name } as const;
    await addAuditEntries(tx, organization, now, { ...what, detail, by: operator });
    return { id, email, known: known !== undefined };
  });
}

/**
 * Whom an operator means by an address. Raises OperatorError where it is in use, but verified for nobody: whoever
 * made it up would get into one organization more.
 */
async function verifiedUser(tx: Transaction, email: string): Promise<string | undefined> {
  const users = await tx<{ id: string; email_verified: boolean; slugs: string[] }[]>`
    select u.id, u.email_verified,
           array(select o.slug from memberships m join organizations o on o.id = m.organization_id
                 where m.person_id = u.id order by o.slug) as slugs
    from users u where comparison_form(u.email) = comparison_form(${email})`;
  const verified = users.find((user) => user.email_verified);
  if (verified || users.length === 0) return verified?.id;
  const [slug = ''] = users.flatMap(({ slugs }) => slugs);
  throw new OperatorError(`Somebody of ${slug} signs in as ${email}, which nobody has verified`, {
    help: { verified: { email, organization: slug } },
  });
}

interface UserChanges {
  /** Whose membership changes; needed where the address belongs to several organizations. */
  organization?: string | undefined;
  active?: boolean | undefined;
  role?: string | undefined;
  password?: string | undefined;
  language?: Language | undefined;
  /** Another address to sign in with; the operator vouches for it. */
  newEmail?: string | undefined;
  /** Whether the operator vouches that the address is theirs. */
  verified?: boolean | undefined;
}

interface Found {
  organization: string;
  slug: string;
  id: string;
  accountId: string;
}

/**
 * Changes a user. Password and address count in all their organizations, the rest in one. Unlike in the console,
 * also the last active owner can be deactivated or given a role: an operator can take that back. Raises what adding
 * one does.
 */
export async function updateUser(
  { sql, clock }: { sql: Database; clock: Clock },
  email: string,
  { organization: slug, active, role, password, language, newEmail, verified }: UserChanges,
): Promise<User> {
  const found = await findUser(
    sql,
    email,
    slug,
    [active, role, language].some((each) => each !== undefined),
  );
  if (password !== undefined) checkInput(SetPassword, { password });
  const membership = {
    active,
    language,
    role_id: role === undefined ? undefined : await roleIdOf(sql, found.organization, role),
  };
  const login = {
    email: newEmail === undefined ? undefined : checkAddress(newEmail),
    email_verified: newEmail === undefined ? verified : true,
    password_hash: password === undefined ? undefined : await hashPassword(password),
  };
  const now = clock.now().toISOString();
  const change = inTransaction(sql, async (tx) => {
    const before = await getMember(tx, found);
    await changeUserRow(tx, { id: found.accountId }, login, now);
    await changeMembership(tx, found, membership, now, operator);
    const changes = {
      ...changedValues(before, { role, active, language, email: login.email }),
      ...(password === undefined ? {} : { password: [hidden, hidden] as const }),
    };
    const what = { operation: 'members.edit', resource: 'user', recordId: found.id } as const;
    const entry = { ...what, recordName: before.name, detail: { changes }, by: operator };
    await addAuditEntries(tx, found.organization, now, entry);
    return getMember(tx, found);
  });
  const changed = await (active === undefined ? change : effectiveEverywhere(change));
  const { last_signed_in_at: _, ...user } = changed;
  return user;
}

/** Raises OperatorError, also where the address alone does not say whom or which membership is meant. */
async function findUser(
  sql: Database,
  email: string,
  slug: string | undefined,
  isOfMembership: boolean,
): Promise<Found> {
  const all = await sql<Found[]>`
    select m.organization_id as organization, o.slug, m.id, m.person_id as "accountId"
    from users u join memberships m on m.person_id = u.id join organizations o on o.id = m.organization_id
    where comparison_form(u.email) = comparison_form(${email}) order by o.slug`;
  const slugs = all.map((each) => each.slug).join(', ');
  const chosen = slug === undefined ? all : all.filter((each) => each.slug === slug);
  const [first] = chosen;
  if (!first) {
    const where = slug === undefined || all.length === 0 ? '' : ` in ${slug}; there is in ${slugs}`;
    throw new OperatorError(`There is no user with the e-mail address ${email}${where}`);
  }
  const isOneUser = chosen.every(({ accountId }) => accountId === first.accountId);
  if (chosen.length > 1 && (isOfMembership || !isOneUser)) {
    throw new OperatorError(`${email} belongs to ${slugs}`, { help: { given: 'organization' } });
  }
  return first;
}

function checkAddress(text: string): string {
  const checked = checkValue(InviteMember.pick({ email: true }), { email: text });
  if (checked.problems) throw new OperatorError(`takes an e-mail address, not "${text}"`, { field: 'email' });
  return checked.data.email;
}

interface NewUserRow {
  id: string;
  email: string;
  /** The address was proved to be theirs, or the operator vouches for it. */
  verified: boolean;
  passwordHash: string;
  now: string;
}

/**
 * Adds a user, who belongs to no organization yet. Several may use one address, but it is verified for one of them
 * alone: a second raises VALIDATION_ERROR.
 */
export async function insertUserRow(tx: Transaction, user: NewUserRow): Promise<void> {
  const { id, email, verified, passwordHash, now } = user;
  const [made] = await tx`
    insert into users (id, email, email_verified, password_hash, created_at, updated_at)
    values (${id}, ${email}, ${verified}, ${passwordHash}, ${now}, ${now})
    on conflict do nothing returning id`;
  if (!made) throw verifiedForOther();
}

/** What can change of how somebody signs in; undefined stays. */
interface UserColumns {
  email?: string | undefined;
  email_verified?: boolean | undefined;
  password_hash?: string | undefined;
}

/**
 * Changes how a user signs in, wherever they belong. A new password ends their sessions. Raises VALIDATION_ERROR
 * when the address is verified for somebody else, or one of their organizations has it already.
 *
 * @param keptSession the CSRF token of a session that goes on
 */
export async function changeUserRow(
  tx: Transaction,
  { id, keptSession = null }: { id: string; keptSession?: string | null },
  columns: UserColumns,
  now: string,
): Promise<void> {
  const given = Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== undefined));
  if (Object.keys(given).length === 0) return;
  if (columns.email !== undefined) {
    for (const organization of await organizationsOf(tx, id)) {
      // Locks the organization, so that nobody else gets the address in it meanwhile.
      await touchReferenceData(tx, organization);
      await requireFreeAddress(tx, organization, { email: columns.email, accountId: id });
    }
  }
  try {
    await tx`update users set ${tx({ ...given, updated_at: now })} where id = ${id}`;
  } catch (error) {
    throw breaksConstraint(error, 'users_verified_email') ? verifiedForOther() : error;
  }
  if (columns.password_hash !== undefined) await endSessionsOf(tx, { accountId: id, keptSession });
}

/** In an order of their own, so that two changes at once do not wait for each other. */
async function organizationsOf(tx: Statements, accountId: string): Promise<string[]> {
  const rows = await tx<{ id: string }[]>`
    select organization_id as id from memberships where person_id = ${accountId} order by organization_id`;
  return rows.map(({ id }) => id);
}

const verifiedForOther = () => invalidField('email', 'field.email_verified');
