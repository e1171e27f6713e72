import {
  events,
  eventTypes,
  type OperationDeclaration,
  operations,
  type Permission,
  type Scope,
  scopePermissions,
} from '@dealkeep/contract';
import type { Fragment, Statements } from '../../foundations/database/connect.ts';
import { Problem } from '../../foundations/problem.ts';
import type { Credential } from './credential.ts';

/** Whether the credential may be used at all. Raises TOKEN_OWNER_INACTIVE or PAYMENT_REQUIRED. */
export function requireActiveOrganization(
  credential: {
    user: Pick<Credential['user'], 'active'>;
    organization: Pick<Credential['organization'], 'subscription'>;
  },
  { withoutSubscription }: Pick<OperationDeclaration, 'withoutSubscription'> = {},
): void {
  if (!credential.user.active) throw new Problem('credential.owner_inactive');
  const lapsed = credential.organization.subscription !== 'active';
  if (lapsed && !withoutSubscription) throw new Problem('organization.lapsed');
}

/**
 * Whether the credential may use the operation, in the order of rule keys 10: owner, subscription, legacy key,
 * scope, role. Raises TOKEN_OWNER_INACTIVE, PAYMENT_REQUIRED, LEGACY_KEY_NOT_ALLOWED, FORBIDDEN,
 * ROLE_PERMISSION_MISSING or ROLE_SCOPE_LIMITED. What only owners do is refused to everybody else with FORBIDDEN: in
 * the console before all of that, through the API after it, where no connection is enough.
 */
export function authorize(
  credential: Credential,
  operation: Pick<
    OperationDeclaration,
    'scope' | 'alsoScope' | 'permissions' | 'ownersOnly' | 'withoutSubscription' | 'refusesLegacyKeys'
  >,
): void {
  const isOwner = credential.user.permissions === 'owner';
  if (operation.ownersOnly && credential.kind === 'session' && !isOwner)
    throw new Problem('role.owners_only');
  requireActiveOrganization(credential, operation);
  if (credential.legacy && operation.refusesLegacyKeys) throw new Problem('credential.legacy');
  if (operation.scope) requireScope(credential, operation.scope, operation.permissions);
  if (operation.alsoScope) requireScope(credential, operation.alsoScope);
  if (operation.ownersOnly && (credential.kind === 'oauth' || !isOwner)) {
    throw new Problem('credential.owners_key');
  }
}

/** Raises what {@link scopeRefusal} answers. */
export function requireScope(
  credential: Credential,
  scope: Scope,
  additional: readonly Permission[] = [],
): void {
  const refusal = scopeRefusal(credential, scope, additional);
  if (refusal) throw refusal;
}

/**
 * Why a scope cannot be used, undefined when it can: the credential does not hold it (FORBIDDEN), or the role of the
 * user behind an OAuth connection does not back it for all records (ROLE_PERMISSION_MISSING, ROLE_SCOPE_LIMITED).
 */
export function scopeRefusal(
  credential: Credential,
  scope: Scope,
  additional: readonly Permission[] = [],
): Problem | undefined {
  const isConnection = credential.kind === 'oauth';
  if (isConnection && !scopePermissions[scope]) return new Problem('credential.scope_oauth', { scope });
  if (!credential.scopes.has(scope)) {
    return new Problem(isConnection ? 'credential.scope_connection' : 'credential.scope', { scope });
  }
  return roleRefusal(credential, [...(scopePermissions[scope] ?? []), ...additional]);
}

/** Why a role does not back something, undefined when it does. Owners and API keys are not bound to a role. */
function roleRefusal(
  { kind, user }: Pick<Credential, 'kind' | 'user'>,
  needed: readonly Permission[],
): Problem | undefined {
  const { permissions } = user;
  if (kind !== 'oauth' || permissions === 'owner') return undefined;
  const missing = needed.find((permission) => permissions[permission] === undefined);
  if (missing) return new Problem('role.missing', { permission: missing });
  const limited = needed.find((permission) => permissions[permission] !== 'all');
  return limited ? new Problem('role.limited', { permission: limited }) : undefined;
}

/** Records that a legacy key may not read (rule keys 7); nor what happened to them, nor that they are there. */
export const keptFromLegacyKeys: ReadonlySet<string> = new Set(
  Object.values<OperationDeclaration>(operations)
    .filter(({ refusesLegacyKeys }) => refusesLegacyKeys)
    .map(({ resource }) => resource),
);

/** The permission that an event of each type is read by; none for what no connection reaches. */
const viewPermissions = Object.fromEntries(
  eventTypes.map((type) => [type, scopePermissions[events[type].scope]?.[0] ?? null]),
);

/**
 * Whether the role of the user behind the connection of `webhooks w` lets events of all these types be read
 * (rules scopes 5, 8 and 10). Owners, and hooks of a key or made by hand, are bound to no role.
 *
 * @param types a text array
 */
export const roleBacks = (sql: Statements, types: Fragment): Fragment => sql`(
  w.oauth_connection_id is null or exists (
    select from oauth_connections connection
    join memberships member on member.organization_id = connection.organization_id and member.id = connection.user_id
    left join roles role on role.organization_id = member.organization_id and role.id = member.role_id
    where connection.organization_id = w.organization_id and connection.id = w.oauth_connection_id
      and (member.role_id is null or not exists (
        select from unnest(${types}) as needed (type)
        where role.permissions ->> (${sql.json(viewPermissions)}::jsonb ->> needed.type) is distinct from 'all'))))`;
