import type { Platform, Scope } from '@dealkeep/contract';
import type { Statements, Transaction } from '../database/connect.ts';
import { Problem } from '../problem.ts';
import { noteRevocation } from './revocation.ts';
import { tokenHash } from './token.ts';

/** A key as people see it, never with its token. Moments are RFC 3339 in UTC. */
export interface ApiKey {
  id: string;
  name: string;
  /** E-mail of the person it belongs to. */
  owner: string;
  scopes: Scope[];
  legacy: boolean;
  expires_at: string | null;
  revoked_at: string | null;
  /** To the minute. */
  last_used_at: string | null;
  /** The program of that use, as it introduced itself. */
  last_used_by: string | null;
  /** The platforms of automation that ever used it. */
  platforms: Platform[];
  created_at: string;
}

/** Every key of an organization, the oldest first. */
export const readApiKeys = (sql: Statements, organization: string) => sql<ApiKey[]>`
  select k.id, k.name, u.email as owner, k.scopes, k.legacy, k.expires_at, k.revoked_at, k.last_used_at,
         k.last_used_by, k.platforms, k.created_at
  from api_keys k join memberships m on m.organization_id = k.organization_id and m.id = k.user_id
  join users u on u.id = m.person_id
  where k.organization_id = ${organization} order by k.created_at, k.id`;

export interface ApiKeyRow {
  organization: string;
  id: string;
  token: string;
  /** Id of the person it belongs to. */
  user: string;
  name: string;
  scopes: readonly Scope[];
  legacy: boolean;
  expiresAt: string | null;
  now: string;
}

/** Raises LIMIT_EXCEEDED when the organization has its maximum of keys that can be used. */
export async function insertApiKey(tx: Transaction, key: ApiKeyRow): Promise<void> {
  const { organization, now } = key;
  await requireRoomForKey(tx, { organization, now });
  await tx`
    insert into api_keys (organization_id, id, user_id, name, token_hash, scopes, legacy, expires_at, created_at)
    values (${organization}, ${key.id}, ${key.user}, ${key.name}, ${tokenHash(key.token)}, ${[...key.scopes]},
            ${key.legacy}, ${key.expiresAt}, ${now})`;
}

/** Raises LIMIT_EXCEEDED when the organization has its maximum of keys that can be used. */
export async function requireRoomForKey(
  sql: Statements,
  { organization, now }: Pick<ApiKeyRow, 'organization' | 'now'>,
): Promise<void> {
  // The lock makes the count hold until the commit.
  const [limit] = await sql<{ max_keys: number }[]>`
    select max_keys from organizations where id = ${organization} for no key update`;
  const [count] = await sql<{ keys: number }[]>`
    select count(*)::integer as keys from api_keys
    where organization_id = ${organization} and revoked_at is null and (expires_at is null or expires_at > ${now})`;
  const max = limit?.max_keys ?? 0;
  if ((count?.keys ?? 0) >= max) throw new Problem('api_key.limit', { max });
}

/** Ends a key; its REST hooks go with it. Undefined when there is none. Counts for every request once `effectiveEverywhere`. */
export async function endApiKey(
  tx: Transaction,
  { organization, id }: { organization: string; id: string },
  now: string,
): Promise<ApiKey | undefined> {
  const [key] = await tx<ApiKey[]>`
    update api_keys k set revoked_at = coalesce(revoked_at, ${now})
    from memberships m join users u on u.id = m.person_id
    where k.organization_id = ${organization} and k.id = ${id}
      and m.organization_id = k.organization_id and m.id = k.user_id
    returning k.id, k.name, u.email as owner, k.scopes, k.legacy, k.expires_at, k.revoked_at, k.last_used_at,
              k.last_used_by, k.platforms, k.created_at`;
  if (!key) return undefined;
  await tx`delete from webhooks where organization_id = ${organization} and api_key_id = ${id}`;
  await noteRevocation(tx);
  return key;
}
