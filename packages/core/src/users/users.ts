import { randomUUIDv7 } from 'node:crypto';
import type { Language } from '@dealkeep/contract';
import { asOperator } from '../as-operator.ts';
import type { Clock } from '../clock.ts';
import type { Database, Transaction } from '../database/connect.ts';
import { inTransaction } from '../database/in-transaction.ts';
import { OperatorError } from '../operator-error.ts';
import { operatorName } from '../operator-name.ts';
import { findOrganization } from '../organizations/organizations.ts';
import { hashPassword, noPassword } from './password.ts';
import { getPerson, type Person } from './people.ts';
import { changePerson, insertPerson, type PersonKey, roleIdOf } from './person-rows.ts';

/** Somebody as an operator sees them. */
export type User = Omit<Person, 'last_signed_in_at'>;

export interface NewUser {
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

const shortestPassword = 10;

/** Adds a person to an organization. Raises OperatorError. */
export async function createUser(
  { sql, clock }: { sql: Database | Transaction; clock: Clock },
  user: NewUser,
): Promise<{ id: string; email: string }> {
  const { id: organization } = await findOrganization(sql, user.organization);
  const email = user.email.trim();
  if (!/^[^\s@]+@[^\s@]+$/.test(email) || /\p{Cc}/u.test(email) || email.length > 254) {
    throw new OperatorError(`--email takes an e-mail address, not "${user.email}"`);
  }
  const name = operatorName('--name', user.name);
  if (user.password !== undefined) checkPassword(user.password);
  const roleId = await asOperator(roleIdOf(sql, organization, user.role));
  const id = randomUUIDv7();
  const now = clock.now().toISOString();
  const passwordHash = user.password === undefined ? noPassword : await hashPassword(user.password);
  const language = user.language ?? null;
  const person = { organization, id, name, email, passwordHash, roleId, language, now };
  await asOperator(inTransaction(sql, (tx) => insertPerson(tx, person)));
  return { id, email };
}

export interface UserChanges {
  active?: boolean | undefined;
  role?: string | undefined;
  password?: string | undefined;
  language?: Language | undefined;
}

/**
 * Changes a person. Unlike in the console, also the last active owner can be deactivated or given a role: an operator
 * can take that back. Raises OperatorError.
 */
export async function updateUser(
  { sql, clock }: { sql: Database; clock: Clock },
  email: string,
  { active, role, password, language }: UserChanges,
): Promise<User> {
  const [found] = await sql<PersonKey[]>`
    select organization_id as organization, id from users where lower(email) = lower(${email})`;
  if (!found) throw new OperatorError(`There is no user with the e-mail address ${email}`);
  if (password !== undefined) checkPassword(password);
  const columns = {
    ...{ active, language },
    role_id: role === undefined ? undefined : await asOperator(roleIdOf(sql, found.organization, role)),
    password_hash: password === undefined ? undefined : await hashPassword(password),
  };
  const { last_signed_in_at: _, ...user } = await inTransaction(sql, async (tx) => {
    await changePerson(tx, found, columns, clock.now().toISOString());
    return getPerson(tx, found);
  });
  return user;
}

function checkPassword(password: string): void {
  if (password.length < shortestPassword) {
    throw new OperatorError(`--password takes at least ${shortestPassword} characters`);
  }
}
