import type { Statements, Transaction } from '../database/connect.ts';
import { breaksConstraint } from '../database/failures.ts';
import { touchDirectory } from '../directory/directory.ts';
import { invalidField } from '../problem.ts';
import { endSessionsOf } from '../sessions/sessions.ts';
import { requireFreeAddress } from './membership-rows.ts';

export interface NewPersonRow {
  id: string;
  email: string;
  /** The address was proved to be theirs, or the operator vouches for it. */
  verified: boolean;
  passwordHash: string;
  now: string;
}

/**
 * Adds a person, who belongs nowhere yet. Others may use the same address unless it is verified twice: then raises
 * VALIDATION_ERROR.
 */
export async function insertPerson(tx: Transaction, person: NewPersonRow): Promise<void> {
  const { id, email, verified, passwordHash, now } = person;
  const [made] = await tx`
    insert into users (id, email, email_verified, password_hash, created_at, updated_at)
    values (${id}, ${email}, ${verified}, ${passwordHash}, ${now}, ${now})
    on conflict do nothing returning id`;
  if (!made) throw verifiedForOther();
}

/** What can change of how somebody signs in; undefined stays. */
export interface PersonColumns {
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
export async function changePerson(
  tx: Transaction,
  { id, keptSession = null }: { id: string; keptSession?: string | null },
  columns: PersonColumns,
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
