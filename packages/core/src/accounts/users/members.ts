import type { Language } from '@dealkeep/contract';
import { type AuditedActor, auditedActor } from '../../change/audit/audit-log.ts';
import type { Services } from '../../change/services.ts';
import { isChanging, type ReadContext, type Writing, writes } from '../../change/verb/verb.ts';
import type { Fragment, Statements, Transaction } from '../../foundations/database/connect.ts';
import { invalidField, notFound, Problem } from '../../foundations/problem.ts';
import { noteRevocation, untilEffective } from '../../identity/credentials/revocation.ts';
import { touchReferenceData } from '../../identity/reference-data/reference-data.ts';
import { endConnection, listConnections } from '../oauth/connections.ts';
import { leaveOrganization } from '../sessions/sessions.ts';

/** Whose row: the id is that of a user in the API. */
export interface MemberKey {
  readonly organization: string;
  readonly id: string;
}

/** The name of the role that is no row: its members have no `role_id`. */
export const ownerRole = 'owner';

interface NewMembershipRow extends MemberKey {
  /** Of the row of `users`, the same in all their organizations; the column is `person_id` (decision 24). */
  accountId: string;
  /** What they are called in the organization. */
  name: string;
  /** By which nobody else of the organization signs in. */
  email: string;
  /** Null is an owner. */
  roleId: string | null;
  language: Language | null;
  now: string;
}

/** Adds a member to an organization. Raises VALIDATION_ERROR when somebody of the organization has the address. */
export async function insertMembership(tx: Transaction, membership: NewMembershipRow): Promise<void> {
  const { organization, id, accountId, name, email, roleId, language, now } = membership;
  // Locks the organization, so that of two at once the second finds the first.
  await touchReferenceData(tx, organization);
  await requireFreeAddress(tx, organization, { email });
  await tx`
    insert into memberships (organization_id, id, person_id, name, role_id, language, created_at, updated_at)
    values (${organization}, ${id}, ${accountId}, ${name}, ${roleId}, ${language}, ${now}, ${now})`;
}

/**
 * Raises VALIDATION_ERROR when another member of the organization has the address. The caller has locked the
 * organization, so that it stays free until the commit.
 */
export async function requireFreeAddress(
  tx: Statements,
  organization: string,
  { email, accountId = null }: { email: string; accountId?: string | null },
): Promise<void> {
  if (await hasAddress(tx, organization, { email, accountId }))
    throw invalidField('email', 'field.email_taken');
}

/** Whether a member of an organization, other than that of this account, has an address. */
export async function hasAddress(
  sql: Statements,
  organization: string,
  { email, accountId = null }: { email: string; accountId?: string | null },
): Promise<boolean> {
  const [member] = await sql`
    select from memberships m join users u on u.id = m.person_id
    where m.organization_id = ${organization} and comparison_form(u.email) = comparison_form(${email})
      and m.person_id is distinct from ${accountId}`;
  return member !== undefined;
}

/** What can change; undefined stays. */
interface MembershipColumns {
  name?: string | undefined;
  /** Null is an owner. */
  role_id?: string | null | undefined;
  active?: boolean | undefined;
  language?: Language | null | undefined;
}

/**
 * Changes what somebody is in an organization. Deactivation ends their access to this organization and to no other:
 * their sessions here, what they connected to it (rules users 4 and oauth 17) and codes that an application
 * could still redeem. Their keys are refused, and hooks of these paused, as long as they are not active: by every
 * process once `effectiveEverywhere`.
 */
export async function changeMembership(
  tx: Transaction,
  { organization, id }: MemberKey,
  columns: MembershipColumns,
  now: string,
  by: AuditedActor,
): Promise<void> {
  const given = Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== undefined));
  if (Object.keys(given).length === 0) return;
  // The organization is locked before the row, in the order in which everybody locks them, so that two changes
  // cannot deadlock.
  if (inReferenceData.some((column) => column in given)) await touchReferenceData(tx, organization);
  await tx`
    update memberships set ${tx({ ...given, updated_at: now })}
    where organization_id = ${organization} and id = ${id}`;
  if (columns.active === false) {
    await leaveOrganization(tx, { organization, id });
    await tx`
      delete from oauth_codes where organization_id = ${organization} and user_id = ${id} and redeemed_at is null`;
    for (const connection of await listConnections(tx, { organization, user: id })) {
      await endConnection(tx, { organization, id: connection.id }, 'person', { now, by });
    }
  }
  // Comes last, because revocations of all organizations wait for this one row.
  if (columns.active !== undefined) await noteRevocation(tx);
}

/** What every process keeps in memory of members. */
const inReferenceData: readonly (keyof MembershipColumns)[] = ['name', 'active'];

/**
 * The id of a role by its name, null for owners. In a transaction, the role cannot be removed until its end. Raises
 * VALIDATION_ERROR.
 */
export async function roleIdOf(
  sql: Statements,
  organization: string,
  role: string,
  options?: { readonly locked: boolean },
): Promise<string | null> {
  const found = await findRole(sql, organization, role, options);
  if (found === undefined) throw invalidField('role', 'field.not_found');
  return found;
}

/**
 * The id of a role, null for owners; undefined where there is no such role. Locked, it cannot be removed until the
 * end of the transaction.
 */
export async function findRole(
  sql: Statements,
  organization: string,
  role: string,
  { locked = true } = {},
): Promise<string | null | undefined> {
  if (role === ownerRole) return null;
  const [row] = await sql<{ id: string }[]>`
    select id from roles where organization_id = ${organization} and name = ${role} ${locked ? sql`for key share` : sql``}`;
  return row?.id;
}

/** Somebody of an organization, as its owners see them. Moments are RFC 3339 in UTC. */
export interface Member {
  id: string;
  name: string;
  email: string;
  /** `owner`, or the name of their role. */
  role: string;
  active: boolean;
  /** Of the mails to them and of the console; null when they chose none. */
  language: Language | null;
  /** When they last came to this organization in the console, or switched to it; null for never. */
  last_signed_in_at: string | null;
}

/** Everybody of an organization: who is active first, then by name. */
export const listMembers = (
  { sql }: Pick<Services, 'sql'>,
  { id }: { readonly id: string },
): Promise<Member[]> => readMembers(sql, sql`m.organization_id = ${id}`);

/** One member. Raises NOT_FOUND. */
export async function getMember(sql: Statements, { organization, id }: MemberKey): Promise<Member> {
  const [member] = await readMembers(sql, sql`m.organization_id = ${organization} and m.id = ${id}`);
  if (!member) throw notFound();
  return member;
}

const readMembers = (sql: Statements, which: Fragment): Promise<Member[]> => sql<Member[]>`
  select m.id, m.name, u.email, coalesce(r.name, ${ownerRole}) as role, m.active, m.language, m.last_signed_in_at
  from memberships m join users u on u.id = m.person_id
  left join roles r on r.organization_id = m.organization_id and r.id = m.role_id
  where ${which} order by m.active desc, m.name collate "sk-x-icu", m.id`;

/**
 * Changes a member; an absent field stays. A new role counts from their next request on. Raises VALIDATION_ERROR,
 * NOT_FOUND, and CONFLICT where the organization would be left without an active owner.
 */
export const editMember = writes('members.edit', {
  async check(context, { path: { id }, body: { role } }) {
    const { sql, organization } = context;
    const before = await memberOfChange(context, id);
    const locked = isChanging(context);
    const roleId = role === undefined ? undefined : await roleIdOf(sql, organization, role, { locked });
    // A change looks itself whether an owner is left.
    if (!isChanging(context) && roleId && !(await hasOwner(sql, { organization, id }))) throw lastOwner();
    return { before, roleId };
  },
  async run(context, { body: { role: _, ...changes } }, { before, roleId }) {
    await change(context, before, { ...changes, role_id: roleId });
    return undefined;
  },
});

/** Whether an organization has an active owner, other than this member. */
async function hasOwner(sql: Statements, { organization, id }: MemberKey): Promise<boolean> {
  const [other] = await sql`
    select from memberships where organization_id = ${organization} and role_id is null and active and id <> ${id}
    limit 1`;
  return other !== undefined;
}

const lastOwner = (): Problem => new Problem('member.last_owner', {}, { about: 'role' });

/**
 * Takes somebody's access to the organization, and to no other: their sessions here and what they connected end,
 * with its REST hooks; their keys are refused and the hooks of these paused until they are active again. Records
 * stay. Raises NOT_FOUND, and CONFLICT for the last active owner.
 */
export const deactivateMember = writes('members.deactivate', async (context, { path }) => {
  await change(context, await memberOfChange(context, path.id), { active: false });
  context.afterCommit(untilEffective);
  return undefined;
});

/** Gives access again: they can sign in, and their keys work. What they connected stays ended. Raises NOT_FOUND. */
export const activateMember = writes('members.activate', async (context, { path }) => {
  await change(context, await memberOfChange(context, path.id), { active: true });
  context.afterCommit(untilEffective);
  return undefined;
});

/** The member that an operation is about: one at a time in an organization is changed. Raises NOT_FOUND. */
async function memberOfChange(context: ReadContext, id: string): Promise<Member> {
  const { sql, organization } = context;
  if (isChanging(context)) await sql`select from organizations where id = ${organization} for no key update`;
  return getMember(sql, { organization, id });
}

/** Changes a member, so that an active owner is left. Raises CONFLICT. */
async function change(
  { sql, organization, now, describe, actor }: Writing,
  before: Member,
  columns: MembershipColumns,
): Promise<void> {
  const member = { organization, id: before.id };
  describe({ name: before.name, ...(columns.active === undefined ? { before } : {}) });
  await changeMembership(sql, member, columns, now, auditedActor(actor));
  const [owner] = await sql`
    select from memberships where organization_id = ${organization} and role_id is null and active limit 1`;
  if (!owner) throw lastOwner();
}
