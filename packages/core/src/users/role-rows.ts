import type { RolePermissions } from '../credentials/credential.ts';
import type { Transaction } from '../database/connect.ts';
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

function checkName(name: string): void {
  if (name.toLowerCase() === ownerRole) throw invalidField('name', 'field.name_of_owners');
}

const nameTaken = () => invalidField('name', 'field.name_taken');
