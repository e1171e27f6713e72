import type { EveryOperationId } from '@dealkeep/contract';
import type { Core } from '@dealkeep/core';
import type { ResultOf } from '@dealkeep/core/change';
import type { StorageState } from '@dealkeep/core/identity';
import { runAsUser, type UserRequest } from '@dealkeep/core/operations';

/** What an operation is given: the id of its record, and what its form says. */
type Input = { readonly id?: string; readonly uuid?: string; readonly delivery_id?: string } & Readonly<
  Record<string, unknown>
>;

interface Owner {
  id: string;
  name: string;
  email: string;
  organization: {
    id: string;
    name: string;
    slug: string;
    currency: string;
    time_zone: string;
    country_code: string;
    storage_state: StorageState | null;
  };
}

/**
 * Runs an operation as the console does, for the first owner of an organization. Answers and raises what it does.
 */
export async function inConsole<Id extends EveryOperationId>(
  core: Core,
  organization: { readonly id: string },
  operation: Id,
  { id, uuid, delivery_id, ...body }: Input,
  more: Pick<UserRequest, 'unchangedSince'> = {},
): Promise<ResultOf<Id>> {
  const [owner] = await core.sql<Owner[]>`
    select m.id, m.name, u.email, to_json(o) as organization
    from memberships m join users u on u.id = m.person_id join organizations o on o.id = m.organization_id
    where m.organization_id = ${organization.id} and m.role_id is null order by m.id limit 1`;
  if (!owner) throw new Error(`The organization ${organization.id} has no owner`);
  const {
    currency,
    time_zone: timeZone,
    country_code: countryCode,
    storage_state: storage,
    ...named
  } = owner.organization;
  const session = {
    accountId: owner.id,
    user: { id: owner.id, name: owner.name, email: owner.email, active: true, permissions: 'owner' as const },
    organization: {
      ...named,
      currency,
      timeZone,
      countryCode,
      subscription: 'active' as const,
      ...(storage === null ? {} : { storage }),
    },
    assistants: { access: 'all' as const, toolSets: null },
    organizations: [],
    language: null,
    csrfToken: '',
    newToken: undefined,
  };
  const path = {
    ...(id === undefined ? {} : { id }),
    ...(uuid === undefined ? {} : { uuid }),
    ...(delivery_id === undefined ? {} : { delivery_id }),
  };
  return runAsUser(core, session, operation, { path, body, ...more });
}
