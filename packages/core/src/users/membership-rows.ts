import type { FieldProblem, Language } from '@dealkeep/contract';
import { noteRevocation } from '../credentials/revocation.ts';
import type { Statements, Transaction } from '../database/connect.ts';
import { touchDirectory } from '../directory/directory.ts';
import { listConnections } from '../oauth/connections.ts';
import { endConnection } from '../oauth/end-connection.ts';
import { invalidField } from '../problem.ts';
import { leaveOrganization } from '../sessions/sessions.ts';

/** Whose row: the id is that of a user in the API. */
export interface PersonKey {
  readonly organization: string;
  readonly id: string;
}

/** The name of the role that is no row: its people have no `role_id`. */
export const ownerRole = 'owner';

export interface NewMembershipRow extends PersonKey {
  person: string;
  /** What the person is called in the organization. */
  name: string;
  /** The person's, by which nobody else of the organization signs in. */
  email: string;
  /** Null is an owner. */
  roleId: string | null;
  language: Language | null;
  now: string;
}

/** Adds a person to an organization. Raises VALIDATION_ERROR when somebody of the organization has the address. */
export async function insertMembership(tx: Transaction, membership: NewMembershipRow): Promise<void> {
  const { organization, id, person, name, email, roleId, language, now } = membership;
  // Locks the organization, so that of two at once the second finds the first.
  await touchDirectory(tx, organization);
  await requireFreeAddress(tx, organization, { email });
  await tx`
    insert into memberships (organization_id, id, person_id, name, role_id, language, created_at, updated_at)
    values (${organization}, ${id}, ${person}, ${name}, ${roleId}, ${language}, ${now}, ${now})`;
}

/**
 * Whoever locked the organization before may give the address to somebody of it. Raises VALIDATION_ERROR when another
 * person of the organization has it.
 */
export async function requireFreeAddress(
  tx: Statements,
  organization: string,
  { email, person = null }: { email: string; person?: string | null },
): Promise<void> {
  if (await hasAddress(tx, organization, { email, person })) throw invalidField('email', 'field.email_taken');
}

/** Whether somebody of an organization, other than this person, has an address. */
export async function hasAddress(
  sql: Statements,
  organization: string,
  { email, person = null }: { email: string; person?: string | null },
): Promise<boolean> {
  const [member] = await sql`
    select from memberships m join users u on u.id = m.person_id
    where m.organization_id = ${organization} and lower(u.email) = lower(${email})
      and m.person_id is distinct from ${person}`;
  return member !== undefined;
}

/** What can change; undefined stays. */
export interface MembershipColumns {
  name?: string | undefined;
  /** Null is an owner. */
  role_id?: string | null | undefined;
  active?: boolean | undefined;
  language?: Language | null | undefined;
}

/**
 * Changes what somebody is in an organization. Deactivation ends their access to this organization and to no other:
 * their sessions here, what they connected to it (specification, OAuth access tokens) and codes that an application
 * could still redeem. Their keys are refused, and hooks of these paused, as long as they are not active: by every
 * process once `effectiveEverywhere`.
 */
export async function changeMembership(
  tx: Transaction,
  { organization, id }: PersonKey,
  columns: MembershipColumns,
  now: string,
): Promise<void> {
  const given = Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== undefined));
  if (Object.keys(given).length === 0) return;
  // Before the row, as whoever locks the organization first does: two at once do not wait for each other.
  if (inDirectory.some((column) => column in given)) await touchDirectory(tx, organization);
  await tx`
    update memberships set ${tx({ ...given, updated_at: now })}
    where organization_id = ${organization} and id = ${id}`;
  if (columns.active === false) {
    await leaveOrganization(tx, { organization, id });
    await tx`
      delete from oauth_codes where organization_id = ${organization} and user_id = ${id} and redeemed_at is null`;
    for (const connection of await listConnections(tx, { organization, user: id })) {
      await endConnection(tx, { organization, id: connection.id }, 'person', now);
    }
  }
  // Last, because all revocations wait for that row.
  if (columns.active !== undefined) await noteRevocation(tx);
}

/** What every process keeps in memory of people. */
const inDirectory: readonly (keyof MembershipColumns)[] = ['name', 'active'];

/**
 * The id of a role by its name, null for owners. In a transaction, the role cannot be removed until its end. Raises
 * VALIDATION_ERROR.
 */
export async function roleIdOf(sql: Statements, organization: string, role: string): Promise<string | null> {
  const found = await findRole(sql, organization, role);
  if (found === undefined) throw invalidField('role', 'field.not_found');
  return found;
}

/** The same; undefined where there is no such role. */
async function findRole(
  sql: Statements,
  organization: string,
  role: string,
): Promise<string | null | undefined> {
  if (role === ownerRole) return null;
  const [row] = await sql<{ id: string }[]>`
    select id from roles where organization_id = ${organization} and name = ${role} for key share`;
  return row?.id;
}

/** What is wrong with the name of a role that somebody is given. */
export const roleNameProblems = async (
  sql: Statements,
  organization: string,
  role: string | undefined,
): Promise<FieldProblem[]> =>
  role === undefined || (await findRole(sql, organization, role)) !== undefined
    ? []
    : [{ path: 'role', key: 'field.not_found' }];
