import {
  everyOperation,
  type OperationDeclaration,
  type Permission,
  type PermissionReach,
  permissionEntities,
  resourceNames,
  resources,
  scopePermissions,
} from '@dealkeep/contract';
import { Problem } from '../../foundations/problem.ts';
import type { Credential } from './credential.ts';

/** Somebody with a role: a session, or what it brings to a verb. */
interface RoleHolder {
  readonly user: Pick<Credential['user'], 'permissions'>;
}

/** How far a role lets a user do with a resource what needs these permissions; undefined where it does not. */
export function reachOn(
  holder: RoleHolder,
  resource: string,
  permissions: readonly Permission[],
): PermissionReach | undefined {
  try {
    return requireReach(holder, resource, permissions);
  } catch (error) {
    if (error instanceof Problem) return undefined;
    throw error;
  }
}

/**
 * What `reachOn` answers. Raises ROLE_PERMISSION_MISSING where the role does not permit it, and ROLE_SCOPE_LIMITED
 * where it permits assigned records alone and nobody is assigned to such records.
 */
export function requireReach(
  holder: RoleHolder,
  resource: string,
  permissions: readonly Permission[],
): PermissionReach {
  const reach = reachOf(holder, permissions);
  if (reach === 'assigned' && isChosenFrom(resource)) return 'all';
  if (reach === 'assigned' && !assignmentFilter(resource)) {
    throw new Problem('role.limited', { permission: permissions[0] ?? '' });
  }
  return reach;
}

/** How far all of the permissions reach. Raises ROLE_PERMISSION_MISSING. */
export function reachOf({ user }: RoleHolder, needed: readonly Permission[]): PermissionReach {
  const { permissions } = user;
  if (permissions === 'owner') return 'all';
  const missing = needed.find((permission) => permissions[permission] === undefined);
  if (missing) throw new Problem('role.missing', { permission: missing });
  return needed.some((permission) => permissions[permission] === 'assigned') ? 'assigned' : 'all';
}

/**
 * Stages, tags and the like are assigned to nobody: whoever may see some of the records may read them. The list of
 * users is another matter.
 */
const isChosenFrom = (resource: string): boolean =>
  resourceNames.some((name) => name === resource && name !== 'user' && resources[name].kind === 'lookup');

/** What a role must permit for an operation. Products have no permission of their own: they belong to orders. */
export function permissionsFor({
  scope,
  permissions = [],
}: Pick<OperationDeclaration, 'scope' | 'permissions'>): readonly Permission[] {
  const ofScope: readonly Permission[] =
    scope === 'products:read' ? ['orders.view'] : ((scope && scopePermissions[scope]) ?? []);
  return [...ofScope, ...permissions];
}

const lists = Object.values<OperationDeclaration>(everyOperation).filter(({ kind }) => kind === 'list');

/** The filter of a resource's list that says whose a record is. */
export function assignmentFilter(resource: string): 'assignee_id' | 'owner_id' | undefined {
  const query = lists.find((each) => each.resource === resource)?.query;
  return (['assignee_id', 'owner_id'] as const).find((name) => query && Object.hasOwn(query.shape, name));
}

/**
 * The entities of permissions with records that are assigned to people: only there, a reach of `assigned` shows any.
 */
export const assignedEntities = permissionEntities.filter((entity) =>
  lists.some(
    (list) =>
      assignmentFilter(list.resource) !== undefined && permissionsFor(list).includes(`${entity}.view`),
  ),
);
