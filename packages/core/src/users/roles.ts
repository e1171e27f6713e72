import { randomUUIDv7 } from 'node:crypto';
import { type PermissionReach, permissionEntities, permissionRights } from '@dealkeep/contract';
import { asOperator } from '../as-operator.ts';
import type { Clock } from '../clock.ts';
import type { Database } from '../database/connect.ts';
import { inTransaction } from '../database/in-transaction.ts';
import { OperatorError } from '../operator-error.ts';
import { operatorName } from '../operator-name.ts';
import { findOrganization } from '../organizations/organizations.ts';
import { insertRole } from './role-rows.ts';

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
