import type { FieldProblem } from '@dealkeep/contract';
import type { RolePermissions } from '../credentials/credential.ts';
import type { Statements, Transaction } from '../database/connect.ts';
import { breaksConstraint } from '../database/failures.ts';
import { invalidField } from '../problem.ts';
import { ownerRole, type PersonKey } from './membership-rows.ts';

/** Adds a role. Raises VALIDATION_ERROR for a name that is taken, or is that of the owners. */
export async function insertRole(
  tx: Transaction,
  {
    organization,
    id,
    name,
    permissions,
    now,
  }: PersonKey & { name: string; permissions: RolePermissions; now: string },
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
export async function changeRole(
  tx: Transaction,
  { organization, id }: PersonKey,
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
export async function nameProblems(
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
