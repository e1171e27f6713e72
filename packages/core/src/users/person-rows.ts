import type { Language } from '@dealkeep/contract';
import type { Statements, Transaction } from '../database/connect.ts';
import { breaksConstraint } from '../database/failures.ts';
import { touchDirectory } from '../directory/directory.ts';
import { listConnections } from '../oauth/connections.ts';
import { endConnection } from '../oauth/end-connection.ts';
import { invalidField } from '../problem.ts';
import { endSessionsOf } from '../sessions/sessions.ts';

/** Whose row. */
export interface PersonKey {
  readonly organization: string;
  readonly id: string;
}

/** The name of the role that is no row: its people have no `role_id`. */
export const ownerRole = 'owner';

export interface NewPersonRow extends PersonKey {
  name: string;
  email: string;
  passwordHash: string;
  /** Null is an owner. */
  roleId: string | null;
  language: Language | null;
  now: string;
}

/** Adds a person. Raises VALIDATION_ERROR when somebody has the e-mail address, in any organization. */
export async function insertPerson(tx: Transaction, person: NewPersonRow): Promise<void> {
  const { organization, id, name, email, passwordHash, roleId, language, now } = person;
  const [made] = await tx`
    insert into users (organization_id, id, name, email, password_hash, role_id, language, created_at, updated_at)
    values (${organization}, ${id}, ${name}, ${email}, ${passwordHash}, ${roleId}, ${language}, ${now}, ${now})
    on conflict do nothing returning id`;
  if (!made) throw emailTaken();
  await touchDirectory(tx, organization);
}

/** What can change; undefined stays. */
export interface PersonColumns {
  name?: string | undefined;
  email?: string | undefined;
  /** Null is an owner. */
  role_id?: string | null | undefined;
  active?: boolean | undefined;
  password_hash?: string | undefined;
  language?: Language | null | undefined;
}

/**
 * Changes a person, with what follows from it: a new password ends their sessions; deactivation also ends what they
 * connected (specification, OAuth access tokens) and codes that an application could still redeem. Their keys are
 * refused, and hooks of these paused, as long as they are not active. Raises VALIDATION_ERROR when somebody else has
 * the e-mail address.
 *
 * @param keptSession the CSRF token of a session that goes on
 */
export async function changePerson(
  tx: Transaction,
  { organization, id, keptSession = null }: PersonKey & { keptSession?: string | null },
  columns: PersonColumns,
  now: string,
): Promise<void> {
  const given = Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== undefined));
  if (Object.keys(given).length === 0) return;
  // Before the person's row, as whoever locks the organization first does: two at once do not wait for each other.
  if (inDirectory.some((column) => column in given)) await touchDirectory(tx, organization);
  try {
    await tx`
      update users set ${tx({ ...given, updated_at: now })} where organization_id = ${organization} and id = ${id}`;
  } catch (error) {
    throw breaksConstraint(error, 'users_email') ? emailTaken() : error;
  }
  if (columns.password_hash !== undefined || columns.active === false) {
    await endSessionsOf(tx, { organization, id, keptSession });
  }
  if (columns.active === false) {
    await tx`
      delete from oauth_codes where organization_id = ${organization} and user_id = ${id} and redeemed_at is null`;
    for (const connection of await listConnections(tx, { organization, user: id })) {
      await endConnection(tx, { organization, id: connection.id }, 'person', now);
    }
  }
}

/** What every process keeps in memory of people. */
const inDirectory: readonly (keyof PersonColumns)[] = ['name', 'email', 'active'];

const emailTaken = () => invalidField('email', 'field.email_taken');

/**
 * The id of a role by its name, null for owners. In a transaction, the role cannot be removed until its end. Raises
 * VALIDATION_ERROR.
 */
export async function roleIdOf(sql: Statements, organization: string, role: string): Promise<string | null> {
  if (role === ownerRole) return null;
  const [row] = await sql<{ id: string }[]>`
    select id from roles where organization_id = ${organization} and name = ${role} for key share`;
  if (!row) throw invalidField('role', 'field.not_found');
  return row.id;
}
