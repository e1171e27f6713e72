import { randomUUIDv7 } from 'node:crypto';
import type { Clock } from '../clock.ts';
import type { Database } from '../database/connect.ts';
import { OperatorError } from '../operator-error.ts';
import { operatorName } from '../operator-name.ts';
import { findOrganization } from '../organizations/organizations.ts';

/** What a role can be given rights on (specification, Scopes). */
const entities = [
  'companies',
  'clients',
  'leads',
  'activities',
  'tasks',
  'projects',
  'budget',
  'booking',
  'orders',
  'users',
];
const rights = ['view', 'create', 'edit'];

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

function parsePermissions(text: string): Record<string, 'all' | 'assigned'> {
  const permissions: Record<string, 'all' | 'assigned'> = {};
  for (const part of text.split(',')) {
    const [, entity = '', right = '', reach] = /^\s*(\w+)\.(\w+)=(all|assigned)\s*$/.exec(part) ?? [];
    if (!entities.includes(entity) || !rights.includes(right) || (reach !== 'all' && reach !== 'assigned')) {
      throw new OperatorError(
        `--permissions takes ENTITY.RIGHT=all or =assigned, separated by commas, not "${part}"; entities: ${entities.join(', ')}; rights: ${rights.join(', ')}`,
      );
    }
    permissions[`${entity}.${right}`] = reach;
  }
  return permissions;
}
