import { randomUUIDv7 } from 'node:crypto';
import type { Language } from '@dealkeep/contract';
import type { Clock } from '../clock.ts';
import type { Database, Statements, Transaction } from '../database/connect.ts';
import { inTransaction } from '../database/in-transaction.ts';
import { touchDirectory } from '../directory/directory.ts';
import { listConnections } from '../oauth/connections.ts';
import { endConnection } from '../oauth/end-connection.ts';
import { OperatorError } from '../operator-error.ts';
import { operatorName } from '../operator-name.ts';
import { findOrganization } from '../organizations/organizations.ts';
import { endSessionsOf } from '../sessions/sessions.ts';
import { hashPassword, noPassword } from './password.ts';

export interface User {
  id: string;
  name: string;
  email: string;
  role: string;
  active: boolean;
  /** Of the mails to them; null is English. */
  language: Language | null;
}

export interface NewUser {
  organization: string;
  name: string;
  email: string;
  /** Without one, the person cannot log in until one is set. */
  password?: string | undefined;
  /** `owner`, or the name of a role. */
  role: string;
  /** Of the mails to them; English when absent. */
  language?: Language | undefined;
}

const shortestPassword = 10;

/** Adds a person to an organization. Raises OperatorError. */
export async function createUser(
  { sql, clock }: { sql: Database | Transaction; clock: Clock },
  user: NewUser,
): Promise<{ id: string; email: string }> {
  const organization = await findOrganization(sql, user.organization);
  const email = user.email.trim();
  if (!/^[^\s@]+@[^\s@]+$/.test(email) || /\p{Cc}/u.test(email) || email.length > 254) {
    throw new OperatorError(`--email takes an e-mail address, not "${user.email}"`);
  }
  const name = operatorName('--name', user.name);
  if (user.password !== undefined) checkPassword(user.password);
  const roleId = await findRole(sql, organization.id, user.role);
  const id = randomUUIDv7();
  const now = clock.now().toISOString();
  const passwordHash = user.password === undefined ? noPassword : await hashPassword(user.password);
  await inTransaction(sql, async (tx) => {
    const [made] = await tx`
      insert into users (organization_id, id, name, email, password_hash, role_id, language, created_at, updated_at)
      values (${organization.id}, ${id}, ${name}, ${email}, ${passwordHash}, ${roleId}, ${user.language ?? null}, ${now},
              ${now})
      on conflict do nothing returning id`;
    if (!made) throw new OperatorError(`There is already a user with the e-mail address ${email}`);
    await touchDirectory(tx, organization.id);
  });
  return { id, email };
}

export interface UserChanges {
  active?: boolean | undefined;
  role?: string | undefined;
  password?: string | undefined;
  language?: Language | undefined;
}

export async function updateUser(
  { sql, clock }: { sql: Database; clock: Clock },
  email: string,
  changes: UserChanges,
): Promise<User> {
  const [found] = await sql<{ id: string; organization_id: string; role_id: string | null }[]>`
    select id, organization_id, role_id from users where lower(email) = lower(${email})`;
  if (!found) throw new OperatorError(`There is no user with the e-mail address ${email}`);
  if (changes.password !== undefined) checkPassword(changes.password);
  const roleId =
    changes.role === undefined ? found.role_id : await findRole(sql, found.organization_id, changes.role);
  const passwordHash = changes.password === undefined ? null : await hashPassword(changes.password);
  return inTransaction(sql, async (tx) => {
    const [user] = await tx<User[]>`
      update users u set active = coalesce(${changes.active ?? null}, active), role_id = ${roleId},
        password_hash = coalesce(${passwordHash}, password_hash),
        language = coalesce(${changes.language ?? null}, language), updated_at = ${clock.now().toISOString()}
      where organization_id = ${found.organization_id} and id = ${found.id}
      returning id, name, email, active, language,
        coalesce((select r.name from roles r where r.organization_id = u.organization_id and r.id = u.role_id),
                 'owner') as role`;
    if (!user) throw new OperatorError(`There is no user with the e-mail address ${email}`);
    if (!user.active) await endConnectionsOf(tx, found, clock.now().toISOString());
    // Whoever knew the former password, or is to have no access, shall not go on in an open window.
    if (!user.active || passwordHash !== null) await endSessionsOf(tx, found);
    await touchDirectory(tx, found.organization_id);
    return user;
  });
}

/** What a person connected ends with their access (specification, OAuth access tokens). */
async function endConnectionsOf(
  sql: Transaction,
  user: { id: string; organization_id: string },
  now: string,
): Promise<void> {
  for (const { id } of await listConnections(sql, { organization: user.organization_id, user: user.id })) {
    await endConnection(sql, { organization: user.organization_id, id }, 'person', now);
  }
}

function checkPassword(password: string): void {
  if (password.length < shortestPassword) {
    throw new OperatorError(`--password takes at least ${shortestPassword} characters`);
  }
}

async function findRole(sql: Statements, organization: string, role: string): Promise<string | null> {
  if (role === 'owner') return null;
  const [row] = await sql<{ id: string }[]>`
    select id from roles where organization_id = ${organization} and name = ${role}`;
  if (!row)
    throw new OperatorError(`--role takes owner or the name of a role of the organization, not "${role}"`);
  return row.id;
}
