import { randomUUIDv7 } from 'node:crypto';
import {
  comparisonForm,
  type PermissionReach,
  permissionEntities,
  permissionRights,
} from '@dealkeep/contract';
import { addAuditEntries, operator } from '../../change/audit/audit-log.ts';
import type { Services } from '../../change/services.ts';
import type { OrganizationName } from '../../change/verb/unit-of-work.ts';
import { isChanging, type ReadContext, writes } from '../../change/verb/verb.ts';
import type { Clock } from '../../foundations/clock.ts';
import type { Database, Fragment, Statements, Transaction } from '../../foundations/database/connect.ts';
import { breaksConstraint } from '../../foundations/database/failures.ts';
import { inTransaction, lockAll, lockNumber } from '../../foundations/database/in-transaction.ts';
import { OperatorError, operatorName } from '../../foundations/operator.ts';
import { invalidField, notFound, Problem } from '../../foundations/problem.ts';
import type { RolePermissions } from '../../identity/credentials/credential.ts';
import { namedOrganization } from '../../identity/tenancy/named-organization.ts';
import { type MemberKey, ownerRole } from './members.ts';

/** Makes a role from `leads.view=all,leads.edit=assigned`. Raises OperatorError and VALIDATION_ERROR. */
export async function createRole(
  { sql, clock }: { sql: Database; clock: Clock },
  role: { organization: string; name: string; permissions: string },
): Promise<{ id: string; name: string }> {
  const name = operatorName(role.name);
  const permissions = parsePermissions(role.permissions);
  const { id: organization } = await namedOrganization(sql, role.organization);
  const id = randomUUIDv7();
  const row = { organization, id, name, permissions, now: clock.now().toISOString() };
  await inTransaction(sql, async (tx) => {
    await requireGoodName(tx, { organization }, name);
    await insertRole(tx, row);
    const entry = {
      operation: 'roles.add',
      resource: 'role',
      recordId: id,
      recordName: name,
      by: operator,
    } as const;
    await addAuditEntries(tx, organization, row.now, entry);
  });
  return { id, name };
}

function parsePermissions(text: string): Record<string, PermissionReach> {
  const permissions: Record<string, PermissionReach> = {};
  for (const part of text.split(',')) {
    const [, entity = '', right = '', reach] = /^\s*(\w+)\.(\w+)=(all|assigned)\s*$/.exec(part) ?? [];
    const known =
      permissionEntities.some((each) => each === entity) && permissionRights.some((each) => each === right);
    if (!known || (reach !== 'all' && reach !== 'assigned')) {
      throw new OperatorError(
        `takes ENTITY.RIGHT=all or =assigned, separated by commas, not "${part}"; entities: ${permissionEntities.join(', ')}; rights: ${permissionRights.join(', ')}`,
        { field: 'permissions' },
      );
    }
    permissions[`${entity}.${right}`] = reach;
  }
  return permissions;
}

/** Adds a role, whose name was judged. */
async function insertRole(
  tx: Transaction,
  {
    organization,
    id,
    name,
    permissions,
    now,
  }: MemberKey & { name: string; permissions: RolePermissions; now: string },
): Promise<void> {
  const [made] = await tx`
    insert into roles (organization_id, id, name, permissions, created_at)
    values (${organization}, ${id}, ${name}, ${tx.json(permissions)}, ${now})
    on conflict (organization_id, name) do nothing returning id`;
  if (!made) throw nameTaken();
}

/**
 * Changes a role, whose name was judged; undefined stays, permissions are replaced as a whole. Roles are read for
 * every request and event, so sessions, connections and their hooks follow at once.
 */
async function changeRole(
  tx: Transaction,
  { organization, id }: MemberKey,
  { name, permissions }: { name?: string | undefined; permissions?: RolePermissions | undefined },
): Promise<void> {
  const permitted = permissions === undefined ? null : tx.json(permissions);
  try {
    await tx`
      update roles set name = coalesce(${name ?? null}, name), permissions = coalesce(${permitted}, permissions)
      where organization_id = ${organization} and id = ${id}`;
  } catch (error) {
    throw breaksConstraint(error, 'roles_organization_id_name_key') ? nameTaken() : error;
  }
}

interface NamedRole {
  readonly organization: string;
  /** Absent of a new role. */
  readonly id?: string | undefined;
}

/** Whether another role has a name by its form to compare (rule bodies 28). A role can keep the name that it has. */
async function isTaken(
  sql: Statements,
  { organization, id = '' }: NamedRole,
  name: string,
): Promise<boolean> {
  const rows = await sql<{ id: string; name: string }[]>`
    select id, name from roles
    where organization_id = ${organization} and comparison_form(name) = comparison_form(${name})`;
  return rows.length > 0 && !rows.some((each) => each.id === id && (each.name === name || rows.length === 1));
}

/** Raises VALIDATION_ERROR for a name that is taken, or is that of the owners. */
async function requireFreeName(sql: Statements, role: NamedRole, name: string): Promise<void> {
  if (comparisonForm(name) === ownerRole) throw invalidField('name', 'field.name_of_owners');
  if (await isTaken(sql, role, name)) throw nameTaken();
}

/** The same in a transaction: of two that take one name at once, the second waits to be refused. */
async function requireGoodName(tx: Transaction, role: NamedRole, name: string): Promise<void> {
  await lockAll(tx, [lockNumber('roles', role.organization)]);
  await requireFreeName(tx, role, name);
}

/** What is left of the name of a role is judged. */
async function checkName(context: ReadContext, name: string | undefined, id?: string): Promise<void> {
  if (name === undefined) return;
  const { organization } = context;
  if (isChanging(context)) await requireGoodName(context.sql, { organization, id }, name);
  else await requireFreeName(context.sql, { organization, id }, name);
}

const nameTaken = () => invalidField('name', 'field.name_taken');

/** A role, and who has it. */
export interface Role {
  id: string;
  name: string;
  permissions: RolePermissions;
  /** In the order of their names; those who are not active, too. */
  members: { id: string; name: string; active: boolean }[];
}

type Of = Pick<OrganizationName, 'id'>;

/** The roles of an organization by name. Owners are no role of theirs. */
export const listRoles = ({ sql }: Pick<Services, 'sql'>, { id }: Of): Promise<Role[]> =>
  readRoles(sql, sql`r.organization_id = ${id}`);

/** One role. Raises NOT_FOUND. */
export async function getRole(
  { sql }: { readonly sql: Statements },
  { id: organization }: Of,
  id: string,
): Promise<Role> {
  const [role] = await readRoles(sql, sql`r.organization_id = ${organization} and r.id = ${id}`);
  if (!role) throw notFound();
  return role;
}

const readRoles = (sql: Statements, which: Fragment): Promise<Role[]> => sql<Role[]>`
  select r.id, r.name, r.permissions,
         coalesce((select json_agg(json_build_object('id', m.id, 'name', m.name, 'active', m.active)
                                   order by m.name collate "sk-x-icu", m.id)
                   from memberships m where m.organization_id = r.organization_id and m.role_id = r.id), '[]') as members
  from roles r where ${which} order by r.name collate "sk-x-icu", r.id`;

export const addRole = writes('roles.add', {
  check: (context, { body }) => checkName(context, body.name),
  async run({ sql, organization, now }, { body }) {
    const id = randomUUIDv7();
    await insertRole(sql, { organization, id, ...body, now });
    return { id };
  },
});

/** Raises NOT_FOUND, and what adding one does. */
export const editRole = writes('roles.edit', {
  async check(context, { path: { id }, body }) {
    const role = await getRole(context, { id: context.organization }, id);
    await checkName(context, body.name, id);
    return role;
  },
  async run({ sql, organization, describe }, { path: { id }, body }, { name, permissions }) {
    describe({ name, before: { name, permissions } });
    await changeRole(sql, { organization, id }, body);
    return undefined;
  },
});

const namedHolders = 10;

/** Removes a role that nobody has or is invited to. Raises CONFLICT, which names who has it, and NOT_FOUND. */
export const removeRole = writes(
  'roles.remove',
  async ({ sql, organization, describe }, { path: { id } }) => {
    // Waits for whoever gives the role to somebody just now.
    await sql`select from roles where organization_id = ${organization} and id = ${id} for update`;
    const { name, members } = await getRole({ sql }, { id: organization }, id);
    describe({ name });
    const invited = await sql<{ email: string }[]>`
    select email from invitations where organization_id = ${organization} and role_id = ${id} order by email`;
    const all = [...members.map(({ name }) => name), ...invited.map(({ email }) => email)];
    if (all.length > 0) {
      throw new Problem('role.in_use', {
        members: [...all.slice(0, namedHolders), ...(all.length > namedHolders ? ['…'] : [])].join(', '),
      });
    }
    await sql`delete from roles where organization_id = ${organization} and id = ${id}`;
    return undefined;
  },
);
