import { randomUUIDv7 } from 'node:crypto';
import type { Language } from '@dealkeep/contract';
import type { Clock } from '../clock.ts';
import { effectiveEverywhere } from '../credentials/revocation.ts';
import type { Database, Statements, Transaction } from '../database/connect.ts';
import { breaksConstraint } from '../database/failures.ts';
import { inTransaction } from '../database/in-transaction.ts';
import { touchDirectory } from '../directory/directory.ts';
import { asOperator, OperatorError, operatorName } from '../operator.ts';
import { findOrganization } from '../organizations/organizations.ts';
import { invalidField } from '../problem.ts';
import { endSessionsOf } from '../sessions/sessions.ts';
import {
  changeMembership,
  getMember,
  insertMembership,
  type Member,
  requireFreeAddress,
  roleIdOf,
} from './members.ts';
import { hashPassword, noPassword } from './password.ts';

/** Somebody as an operator sees them. */
export type User = Omit<Member, 'last_signed_in_at'>;

interface NewUser {
  organization: string;
  name: string;
  email: string;
  /** Without one, the person cannot log in until one is set. */
  password?: string | undefined;
  /** `owner`, or the name of a role. */
  role: string;
  /** Of the mails to them and of the console; English when absent. */
  language?: Language | undefined;
}

interface CreatedUser {
  id: string;
  email: string;
  /** True for a person whom the operator made before, for another organization: they keep their password. */
  known: boolean;
}

const shortestPassword = 10;

/**
 * Adds a person to an organization. Somebody whose address is verified belongs to one organization more, and signs in
 * with the password that they have. Raises OperatorError.
 */
export async function createUser(
  { sql, clock }: { sql: Database | Transaction; clock: Clock },
  user: NewUser,
): Promise<CreatedUser> {
  const { id: organization } = await findOrganization(sql, user.organization);
  const email = checkAddress('--email', user.email);
  const name = operatorName('--name', user.name);
  if (user.password !== undefined) checkPassword(user.password);
  const roleId = await asOperator(roleIdOf(sql, organization, user.role));
  const passwordHash = user.password === undefined ? noPassword : await hashPassword(user.password);
  const id = randomUUIDv7();
  const now = clock.now().toISOString();
  const membership = { organization, id, name, email, roleId, language: user.language ?? null, now };
  return asOperator(
    inTransaction(sql, async (tx) => {
      const known = await verifiedUser(tx, email);
      if (known === undefined) await insertUserRow(tx, { id, email, verified: true, passwordHash, now });
      await insertMembership(tx, { ...membership, person: known ?? id });
      return { id, email, known: known !== undefined };
    }),
  );
}

/**
 * Whom an operator means by an address. Raises OperatorError where it is in use, but verified for nobody: whoever made
 * it up would get into one organization more.
 */
async function verifiedUser(tx: Transaction, email: string): Promise<string | undefined> {
  const people = await tx<{ id: string; email_verified: boolean; slugs: string[] }[]>`
    select u.id, u.email_verified,
           array(select o.slug from memberships m join organizations o on o.id = m.organization_id
                 where m.person_id = u.id order by o.slug) as slugs
    from users u where lower(u.email) = lower(${email})`;
  const verified = people.find((person) => person.email_verified);
  if (verified || people.length === 0) return verified?.id;
  const [slug = ''] = people.flatMap(({ slugs }) => slugs);
  throw new OperatorError(
    `Somebody of ${slug} signs in as ${email}, which nobody has verified. When it is the same person, say so: ` +
      `\`dealkeep users update ${email} --organization ${slug} --verified true\`, and run this again`,
  );
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
  person: string;
}

/**
 * Changes a person. Password and address count in all their organizations, the rest in one. Unlike in the console, also
 * the last active owner can be deactivated or given a role: an operator can take that back. Raises OperatorError.
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
  if (password !== undefined) checkPassword(password);
  const membership = {
    active,
    language,
    role_id: role === undefined ? undefined : await asOperator(roleIdOf(sql, found.organization, role)),
  };
  const person = {
    email: newEmail === undefined ? undefined : checkAddress('--email', newEmail),
    email_verified: newEmail === undefined ? verified : true,
    password_hash: password === undefined ? undefined : await hashPassword(password),
  };
  const now = clock.now().toISOString();
  const change = asOperator(
    inTransaction(sql, async (tx) => {
      await changeUserRow(tx, { id: found.person }, person, now);
      await changeMembership(tx, found, membership, now);
      return getMember(tx, found);
    }),
  );
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
    select m.organization_id as organization, o.slug, m.id, m.person_id as person
    from users u join memberships m on m.person_id = u.id join organizations o on o.id = m.organization_id
    where lower(u.email) = lower(${email}) order by o.slug`;
  const slugs = all.map((each) => each.slug).join(', ');
  const chosen = slug === undefined ? all : all.filter((each) => each.slug === slug);
  const [first] = chosen;
  if (!first) {
    const where = slug === undefined || all.length === 0 ? '' : ` in ${slug}; there is in ${slugs}`;
    throw new OperatorError(`There is no user with the e-mail address ${email}${where}`);
  }
  const isOneUser = chosen.every(({ person }) => person === first.person);
  if (chosen.length > 1 && (isOfMembership || !isOneUser)) {
    throw new OperatorError(`${email} belongs to ${slugs}; say which by --organization`);
  }
  return first;
}

function checkAddress(option: string, text: string): string {
  const email = text.trim();
  if (!/^[^\s@]+@[^\s@]+$/.test(email) || /\p{Cc}/u.test(email) || email.length > 254) {
    throw new OperatorError(`${option} takes an e-mail address, not "${text}"`);
  }
  return email;
}

function checkPassword(password: string): void {
  if (password.length < shortestPassword) {
    throw new OperatorError(`--password takes at least ${shortestPassword} characters`);
  }
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
 * Adds a person, who belongs to no organization yet. Several may use one address, but it is verified for one of them
 * alone: a second raises VALIDATION_ERROR.
 */
export async function insertUserRow(tx: Transaction, person: NewUserRow): Promise<void> {
  const { id, email, verified, passwordHash, now } = person;
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
 * Changes how a person signs in, wherever they belong. A new password ends their sessions. Raises VALIDATION_ERROR when
 * the address is verified for somebody else, or one of their organizations has it already.
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
      await touchDirectory(tx, organization);
      await requireFreeAddress(tx, organization, { email: columns.email, person: id });
    }
  }
  try {
    await tx`update users set ${tx({ ...given, updated_at: now })} where id = ${id}`;
  } catch (error) {
    throw breaksConstraint(error, 'users_verified_email') ? verifiedForOther() : error;
  }
  if (columns.password_hash !== undefined) await endSessionsOf(tx, { person: id, keptSession });
}

/** In an order of their own, so that two changes at once do not wait for each other. */
async function organizationsOf(tx: Statements, person: string): Promise<string[]> {
  const rows = await tx<{ id: string }[]>`
    select organization_id as id from memberships where person_id = ${person} order by organization_id`;
  return rows.map(({ id }) => id);
}

const verifiedForOther = () => invalidField('email', 'field.email_verified');
