import type { AssistantAccess, Scope } from '@dealkeep/contract';
import type { Database } from '../../foundations/database/connect.ts';
import { defaultLimits, type Environment } from '../../foundations/environment.ts';
import { type AssistantReach, assistantReach, lesserReach } from './assistants.ts';
import type { Credential } from './credential.ts';
import { type MemberRow, memberColumns, memberOf } from './member.ts';
import { everyResource, type ProtectedResource } from './resources.ts';

/** A credential, and what is noted of its use. */
export interface FoundCredential {
  readonly credential: Credential;
  /** What it may be sent to. */
  readonly resources: readonly ProtectedResource[];
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
  const [row] = await sql<(CredentialRow & KeyColumns)[]>`
    select k.id, k.name, k.scopes, k.legacy, k.expires_at, k.last_used_at, k.last_used_by, k.platforms,
           k.assistant_access as key_assistant_access, k.assistant_tool_sets as key_assistant_tool_sets,
           o.requests_per_minute, o.org_requests_per_minute, ${memberColumns(sql)}
    from api_keys k
    join organizations o on o.id = k.organization_id
    join memberships m on m.organization_id = k.organization_id and m.id = k.user_id
    join users u on u.id = m.person_id
    left join roles r on r.organization_id = m.organization_id and r.id = m.role_id
    where k.token_hash = ${hash} and k.revoked_at is null`;
  return row && { ...found('api_key', row, environment, ofKey(row)), resources: everyResource };
}

/** The OAuth connection whose access token has this hash, unless it has ended. */
export async function readAccessToken(
  sql: Database,
  hash: Uint8Array,
  environment: Environment,
): Promise<FoundCredential | undefined> {
  const [row] = await sql<(CredentialRow & { resources: ProtectedResource[] })[]>`
    select c.id, a.name, t.scopes, t.resources, false as legacy, t.expires_at, c.last_used_at, c.last_used_by,
           c.platforms,
           o.requests_per_minute, o.org_requests_per_minute, ${memberColumns(sql)}
    from oauth_access_tokens t
    join oauth_connections c on c.organization_id = t.organization_id and c.id = t.connection_id
    join oauth_apps a on a.client_id = c.client_id
    join organizations o on o.id = c.organization_id
    join memberships m on m.organization_id = c.organization_id and m.id = c.user_id
    join users u on u.id = m.person_id
    left join roles r on r.organization_id = m.organization_id and r.id = m.role_id
    where t.token_hash = ${hash} and c.ended_at is null`;
  return row && { ...found('oauth', row, environment), resources: row.resources };
}

const ofKey = (row: KeyColumns): AssistantReach =>
  assistantReach({
    assistant_access: row.key_assistant_access,
    assistant_tool_sets: row.key_assistant_tool_sets,
  });

function found(
  kind: Credential['kind'],
  row: CredentialRow,
  environment: Environment,
  ownReach?: AssistantReach,
): Omit<FoundCredential, 'resources'> {
  const usual = defaultLimits(environment);
  const { user, organization, assistants } = memberOf(row);
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
      assistants: ownReach ? lesserReach(assistants, ownReach) : assistants,
      organization: {
        ...organization,
        requestsPerMinute: row.requests_per_minute ?? usual.requestsPerMinute,
        organizationRequestsPerMinute: row.org_requests_per_minute ?? usual.organizationRequestsPerMinute,
      },
      user,
    },
  };
}

interface CredentialRow extends MemberRow {
  id: string;
  name: string;
  scopes: Scope[];
  legacy: boolean;
  expires_at: string | null;
  last_used_at: string | null;
  last_used_by: string | null;
  platforms: string[];
  requests_per_minute: number | null;
  org_requests_per_minute: number | null;
}

/** What an owner set for the key itself. */
interface KeyColumns {
  key_assistant_access: AssistantAccess;
  key_assistant_tool_sets: string[] | null;
}
