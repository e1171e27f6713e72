import { events, eventTypes, scopePermissions } from '@dealkeep/contract';
import type { Fragment, Statements } from '../database/connect.ts';

/** The permission that an event of each type is read by; none for what no connection reaches. */
const viewPermissions = Object.fromEntries(
  eventTypes.map((type) => [type, scopePermissions[events[type].scope]?.[0] ?? null]),
);

/**
 * Whether the role of the person behind the connection of `webhooks w` lets events of all these types be read
 * (specification, OAuth access tokens). Owners, and hooks of a key or made by hand, are bound to no role.
 *
 * @param types a text array
 */
export const roleBacks = (sql: Statements, types: Fragment): Fragment => sql`(
  w.oauth_connection_id is null or exists (
    select from oauth_connections connection
    join memberships person on person.organization_id = connection.organization_id and person.id = connection.user_id
    left join roles role on role.organization_id = person.organization_id and role.id = person.role_id
    where connection.organization_id = w.organization_id and connection.id = w.oauth_connection_id
      and (person.role_id is null or not exists (
        select from unnest(${types}) as needed (type)
        where role.permissions ->> (${sql.json(viewPermissions)}::jsonb ->> needed.type) is distinct from 'all'))))`;
