import type { Fragment, Statements } from '../../foundations/database/connect.ts';
import { Problem } from '../../foundations/problem.ts';
import type { StorageState } from '../tenancy/measure-storage.ts';
import { type AssistantColumns, type AssistantReach, assistantReach } from './assistants.ts';
import type { Credential, RolePermissions } from './credential.ts';

/** A user of an organization, and the organization. */
export interface Member {
  /** As the organization knows them; the id is that of a user in the API. */
  readonly user: Credential['user'];
  readonly organization: Omit<
    Credential['organization'],
    'requestsPerMinute' | 'organizationRequestsPerMinute'
  >;
  /** What the organization lets AI assistants do. */
  readonly assistants: AssistantReach;
}

/** The same, as {@link memberColumns} reads it. */
export interface MemberRow extends AssistantColumns {
  user_id: string;
  user_name: string;
  email: string;
  active: boolean;
  /** Null is an owner. */
  permissions: RolePermissions | null;
  organization_id: string;
  organization_name: string;
  slug: string;
  subscription: 'active' | 'lapsed';
  currency: string;
  time_zone: string;
  country_code: string;
  storage_state: StorageState | null;
  moved_at: string | null;
  moved_to: string | null;
  move_ended_at: string | null;
}

/** Of `memberships m`, `users u`, `organizations o`, and `roles r` where the user is no owner. */
export const memberColumns = (sql: Statements): Fragment => sql`
  m.id as user_id, m.name as user_name, u.email, m.active, r.permissions,
  o.id as organization_id, o.name as organization_name, o.slug, o.subscription, o.currency, o.time_zone, o.country_code,
  o.storage_state, o.moved_at, o.moved_to, o.move_ended_at, o.assistant_access, o.assistant_tool_sets`;

/** Raises SERVICE_UNAVAILABLE where the organization was moved to another installation. */
export function memberOf(row: MemberRow): Member {
  if (row.moved_at !== null) throw organizationMoved(row);
  return {
    user: {
      id: row.user_id,
      name: row.user_name,
      email: row.email,
      active: row.active,
      permissions: row.permissions ?? 'owner',
    },
    organization: {
      id: row.organization_id,
      name: row.organization_name,
      slug: row.slug,
      subscription: row.subscription,
      currency: row.currency,
      timeZone: row.time_zone,
      countryCode: row.country_code,
      ...(row.storage_state === null ? {} : { storage: row.storage_state }),
    },
    assistants: assistantReach(row),
  };
}

/** What the former address of an organization says. Where it goes is told when it is known to be there. */
export function organizationMoved({
  moved_to: address,
  move_ended_at: ended,
}: Pick<MemberRow, 'moved_to' | 'move_ended_at'>): Problem {
  if (ended === null) return new Problem('organization.moving');
  return address === null
    ? new Problem('organization.moved')
    : new Problem('organization.moved_to', { address });
}
