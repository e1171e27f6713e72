import { randomUUIDv7 } from 'node:crypto';
import {
  CreateRole,
  type FieldProblem,
  type PermissionReach,
  permissionEntities,
  permissionRights,
  UpdateRole,
} from '@dealkeep/contract';
import type * as z from 'zod';
import type { Clock } from '../clock.ts';
import type { Core } from '../core.ts';
import type { RolePermissions } from '../credentials/credential.ts';
import type { Database, Fragment, Statements, Transaction } from '../database/connect.ts';
import { breaksConstraint } from '../database/failures.ts';
import { inTransaction } from '../database/in-transaction.ts';
import { asOperator, OperatorError, operatorName } from '../operator.ts';
import { findOrganization } from '../organizations/organizations.ts';
import { invalidField, notFound, Problem } from '../problem.ts';
import { checkInputThroughout, problemsThroughout } from '../verb/check-input.ts';
import { type Once, type OrganizationName, transact } from '../verb/transact.ts';
import { type MemberKey, ownerRole } from './members.ts';

/** Makes a role from `leads.view=all,leads.edit=assigned`. Raises OperatorError. */
export async function createRole(
  { sql, clock }: { sql: Database; clock: Clock },
  role: { organization: string; name: string; permissions: string },
): Promise<{ id: string; name: string }> {
  const name = operatorName('--name', role.name);
  const permissions = parsePermissions(role.permissions);
  const { id: organization } = await findOrganization(sql, role.organization);
  const id = randomUUIDv7();
  const row = { organization, id, name, permissions, now: clock.now().toISOString() };
  await asOperator(inTransaction(sql, (tx) => insertRole(tx, row)));
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
        `--permissions takes ENTITY.RIGHT=all or =assigned, separated by commas, not "${part}"; entities: ${permissionEntities.join(', ')}; rights: ${permissionRights.join(', ')}`,
      );
    }
    permissions[`${entity}.${right}`] = reach;
  }
  return permissions;
}

/** Adds a role. Raises VALIDATION_ERROR for a name that is taken, or is that of the owners. */
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
  checkName(name);
  const [made] = await tx`
    insert into roles (organization_id, id, name, permissions, created_at)
    values (${organization}, ${id}, ${name}, ${tx.json(permissions)}, ${now})
    on conflict (organization_id, name) do nothing returning id`;
  if (!made) throw nameTaken();
}

/**
 * Changes a role; undefined stays, permissions are replaced as a whole. Roles are read for every request and event, so
 * sessions, connections and their hooks follow at once. Raises what adding one raises.
 */
async function changeRole(
  tx: Transaction,
  { organization, id }: MemberKey,
  { name, permissions }: { name?: string | undefined; permissions?: RolePermissions | undefined },
): Promise<void> {
  if (name !== undefined) checkName(name);
  const permitted = permissions === undefined ? null : tx.json(permissions);
  try {
    await tx`
      update roles set name = coalesce(${name ?? null}, name), permissions = coalesce(${permitted}, permissions)
      where organization_id = ${organization} and id = ${id}`;
  } catch (error) {
    throw breaksConstraint(error, 'roles_organization_id_name_key') ? nameTaken() : error;
  }
}

/** What is wrong with the name of a role that is refused for something else. */
async function nameProblems(
  sql: Statements,
  { organization, id }: { organization: string; id?: string },
  name: string | undefined,
): Promise<FieldProblem[]> {
  if (name === undefined) return [];
  if (isOfOwners(name)) return [{ path: 'name', key: 'field.name_of_owners' }];
  const rows = await sql`
    select 1 from roles
    where organization_id = ${organization} and name = ${name} and id is distinct from ${id ?? null}`;
  return rows.length > 0 ? [{ path: 'name', key: 'field.name_taken' }] : [];
}

const isOfOwners = (name: string): boolean => name.toLowerCase() === ownerRole;

function checkName(name: string): void {
  if (isOfOwners(name)) throw invalidField('name', 'field.name_of_owners');
}

const nameTaken = () => invalidField('name', 'field.name_taken');

/** A role, and who has it. */
export interface Role {
  id: string;
  name: string;
  permissions: RolePermissions;
  /** In the order of their names; people who are not active, too. */
  people: { id: string; name: string; active: boolean }[];
}

type Of = Pick<OrganizationName, 'id'>;

/** The roles of an organization by name. Owners are no role of theirs. */
export const listRoles = ({ sql }: Pick<Core, 'sql'>, { id }: Of): Promise<Role[]> =>
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
                   from memberships m where m.organization_id = r.organization_id and m.role_id = r.id), '[]') as people
  from roles r where ${which} order by r.name collate "sk-x-icu", r.id`;

/** What is wrong with a role that is made, or with changes of one, for a form that is refused anyway. */
export const roleProblems = (
  { sql }: Pick<Core, 'sql'>,
  organization: Of,
  { id, ...input }: { id?: string } & Readonly<Record<string, unknown>>,
): Promise<FieldProblem[]> => {
  const key = { organization: organization.id, ...(id === undefined ? {} : { id }) };
  return problemsThroughout(id === undefined ? CreateRole : UpdateRole, input, ({ part }) =>
    nameProblems(sql, key, part.name),
  );
};

/** Makes a role. Raises VALIDATION_ERROR. */
export async function addRole(
  core: Core,
  organization: OrganizationName,
  input: z.input<typeof CreateRole>,
  once?: Once,
): Promise<{ id: string }> {
  const role = await checkInputThroughout(CreateRole, input, ({ part }) =>
    nameProblems(core.sql, { organization: organization.id }, part.name),
  );
  return transact(
    core,
    organization,
    async ({ sql, now }) => {
      const id = randomUUIDv7();
      await insertRole(sql, { organization: organization.id, id, ...role, now });
      return { id };
    },
    once,
  );
}

/** Changes a role; an absent field stays, permissions are replaced as a whole. Raises VALIDATION_ERROR and NOT_FOUND. */
export async function editRole(
  { sql }: Pick<Core, 'sql'>,
  organization: Of,
  { id, ...input }: { id: string } & z.input<typeof UpdateRole>,
): Promise<Role> {
  const changes = await checkInputThroughout(UpdateRole, input, ({ part }) =>
    nameProblems(sql, { organization: organization.id, id }, part.name),
  );
  return inTransaction(sql, async (tx) => {
    await getRole({ sql: tx }, organization, id);
    await changeRole(tx, { organization: organization.id, id }, changes);
    return getRole({ sql: tx }, organization, id);
  });
}

const namedHolders = 10;

/** Removes a role that nobody has or is invited to. Raises CONFLICT, which names who has it, and NOT_FOUND. */
export async function removeRole(
  { sql }: Pick<Core, 'sql'>,
  organization: Of,
  { id }: { id: string },
): Promise<void> {
  await inTransaction(sql, async (tx) => {
    // Waits for whoever gives the role to somebody just now.
    await tx`select from roles where organization_id = ${organization.id} and id = ${id} for update`;
    const { people } = await getRole({ sql: tx }, organization, id);
    const invited = await tx<{ email: string }[]>`
      select email from invitations where organization_id = ${organization.id} and role_id = ${id} order by email`;
    const all = [...people.map(({ name }) => name), ...invited.map(({ email }) => email)];
    if (all.length > 0) {
      throw new Problem('role.in_use', {
        people: [...all.slice(0, namedHolders), ...(all.length > namedHolders ? ['…'] : [])].join(', '),
      });
    }
    await tx`delete from roles where organization_id = ${organization.id} and id = ${id}`;
  });
}
