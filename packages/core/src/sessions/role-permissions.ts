import {
  type OperationDeclaration,
  operations,
  type Permission,
  permissionEntities,
  scopePermissions,
} from '@dealkeep/contract';

/** What a role must permit for an operation. Products have no permission of their own: they belong to orders. */
export function permissionsFor({ scope, permissions = [] }: OperationDeclaration): readonly Permission[] {
  const ofScope: readonly Permission[] =
    scope === 'products:read' ? ['orders.view'] : ((scope && scopePermissions[scope]) ?? []);
  return [...ofScope, ...permissions];
}

const lists = Object.values<OperationDeclaration>(operations).filter(({ kind }) => kind === 'list');

/** The filter of a resource's list that says whose a record is. */
export function assignmentFilter(resource: string): 'assignee_id' | 'owner_id' | undefined {
  const query = lists.find((each) => each.resource === resource)?.query;
  return (['assignee_id', 'owner_id'] as const).find((name) => query && Object.hasOwn(query.shape, name));
}

/** The entities of permissions with records that are assigned to people: only there, a reach of `assigned` shows any. */
export const assignedEntities = permissionEntities.filter((entity) =>
  lists.some(
    (list) =>
      assignmentFilter(list.resource) !== undefined && permissionsFor(list).includes(`${entity}.view`),
  ),
);
