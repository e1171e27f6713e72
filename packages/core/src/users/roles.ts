import { randomUUIDv7 } from 'node:crypto';
import { type PermissionReach, permissionEntities, permissionRights } from '@dealkeep/contract';
import type { Clock } from '../clock.ts';
import type { Database } from '../database/connect.ts';
import { OperatorError } from '../operator-error.ts';
import { operatorName } from '../operator-name.ts';
import { findOrganization } from '../organizations/organizations.ts';

/** Makes a role from `leads.view=all,leads.edit=assigned`. Raises OperatorError. */
export async function createRole(
  { sql, clock }: { sql: Database; clock: Clock },
  role: { organization: string; name: string; permissions: string },
): Promise<{ id: string; name: string }> {
  const name = operatorName('--name', role.name);
  if (name === 'owner') throw new OperatorError('--name takes a name other than owner');
  const permissions = parsePermissions(role.permissions);
  const organization = await findOrganization(sql, role.organization);
  const id = randomUUIDv7();
  const [made] = await sql`
    insert into roles (organization_id, id, name, permissions, created_at)
    values (${organization.id}, ${id}, ${name}, ${sql.json(permissions)}, ${clock.now().toISOString()})
    on conflict (organization_id, name) do nothing returning id`;
  if (!made) throw new OperatorError(`There is already a role "${name}" in this organization`);
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
