import { apiVersion, type Scope } from '@dealkeep/contract';
import type { Environment } from '../core.ts';
import type { Database } from '../database/connect.ts';
import { defaultLimits } from '../rate-limits/take-tokens.ts';
import { reads } from '../verb/verb.ts';
import type { Credential, RolePermissions } from './credential.ts';

/** A credential, and what is noted of its use. */
export interface FoundCredential {
  readonly credential: Credential;
  readonly use: NotedUse;
}

/** What the database knows of the use of a credential, or is just being told. */
interface NotedUse {
  /** Of the last one, in milliseconds. */
  at: number | null;
  /** The program of the last one, as it introduced itself. */
  by: string | null;
  /** All platforms of automation that ever used it. */
  platforms: readonly string[];
}

/** The API key whose token has this hash, unless it was revoked. */
export async function readApiKey(
  sql: Database,
  hash: Uint8Array,
  environment: Environment,
): Promise<FoundCredential | undefined> {
  const [row] = await sql<CredentialRow[]>`
    select k.id, k.name, k.scopes, k.legacy, k.expires_at, k.last_used_at, k.last_used_by, k.platforms,
           o.id as organization_id, o.name as organization_name, o.slug, o.subscription,
           o.requests_per_minute, o.org_requests_per_minute,
           m.id as user_id, m.name as user_name, u.email, m.active, null as permissions
    from api_keys k
    join organizations o on o.id = k.organization_id
    join memberships m on m.organization_id = k.organization_id and m.id = k.user_id
    join users u on u.id = m.person_id
    where k.token_hash = ${hash} and k.revoked_at is null`;
  return row && found('api_key', row, environment);
}

/** The OAuth connection whose access token has this hash, unless it has ended. */
export async function readAccessToken(
  sql: Database,
  hash: Uint8Array,
  environment: Environment,
): Promise<FoundCredential | undefined> {
  const [row] = await sql<CredentialRow[]>`
    select c.id, a.name, t.scopes, false as legacy, t.expires_at, c.last_used_at, c.last_used_by, c.platforms,
           o.id as organization_id, o.name as organization_name, o.slug, o.subscription,
           o.requests_per_minute, o.org_requests_per_minute,
           m.id as user_id, m.name as user_name, u.email, m.active, r.permissions
    from oauth_access_tokens t
    join oauth_connections c on c.organization_id = t.organization_id and c.id = t.connection_id
    join oauth_apps a on a.client_id = c.client_id
    join organizations o on o.id = c.organization_id
    join memberships m on m.organization_id = c.organization_id and m.id = c.user_id
    join users u on u.id = m.person_id
    left join roles r on r.organization_id = m.organization_id and r.id = m.role_id
    where t.token_hash = ${hash} and c.ended_at is null`;
  return row && found('oauth', row, environment);
}

function found(kind: Credential['kind'], row: CredentialRow, environment: Environment): FoundCredential {
  const usual = defaultLimits(environment);
  return {
    use: {
      at: row.last_used_at === null ? null : Date.parse(row.last_used_at),
      by: row.last_used_by,
      platforms: row.platforms,
    },
    credential: {
      kind,
      id: row.id,
      name: row.name,
      scopes: new Set(row.scopes),
      legacy: row.legacy,
      expiresAt: row.expires_at,
      organization: {
        id: row.organization_id,
        name: row.organization_name,
        slug: row.slug,
        subscription: row.subscription,
        requestsPerMinute: row.requests_per_minute ?? usual.requestsPerMinute,
        organizationRequestsPerMinute: row.org_requests_per_minute ?? usual.organizationRequestsPerMinute,
      },
      user: {
        id: row.user_id,
        name: row.user_name,
        email: row.email,
        active: row.active,
        permissions: row.permissions ?? 'owner',
      },
    },
  };
}

interface CredentialRow {
  id: string;
  name: string;
  scopes: Scope[];
  legacy: boolean;
  expires_at: string | null;
  last_used_at: string | null;
  last_used_by: string | null;
  platforms: string[];
  organization_id: string;
  organization_name: string;
  slug: string;
  subscription: 'active' | 'lapsed';
  requests_per_minute: number | null;
  org_requests_per_minute: number | null;
  user_id: string;
  user_name: string;
  email: string;
  active: boolean;
  /** Null is an owner, and always so for a key, which is not bound to a role. */
  permissions: RolePermissions | null;
}

export const getMe = reads('me.get', async ({ credential }) => {
  const { organization, user } = credential;
  return {
    organization: { id: organization.id, name: organization.name, slug: organization.slug },
    token: {
      id: credential.id,
      name: credential.name,
      scopes: [...credential.scopes],
      expires_at: credential.expiresAt,
    },
    api_version: apiVersion,
    limits: {
      requests_per_minute: organization.requestsPerMinute,
      org_requests_per_minute: organization.organizationRequestsPerMinute,
    },
    auth: credential.kind === 'oauth' ? ('oauth' as const) : ('api_key' as const),
    ...(credential.kind === 'oauth' ? { user: { id: user.id, name: user.name, email: user.email } } : {}),
  };
});
