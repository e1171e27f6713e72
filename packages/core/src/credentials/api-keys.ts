import { randomUUIDv7 } from 'node:crypto';
import { allScopes, type Scope, scopes } from '@dealkeep/contract';
import type { Clock } from '../clock.ts';
import type { Environment } from '../core.ts';
import type { Database, Transaction } from '../database/connect.ts';
import { inTransaction } from '../database/in-transaction.ts';
import { OperatorError } from '../operator-error.ts';
import { operatorMoment } from '../operator-moment.ts';
import { operatorName } from '../operator-name.ts';
import { findOrganization } from '../organizations/organizations.ts';
import { newToken, tokenHash } from './token.ts';

export interface ApiKey {
  id: string;
  name: string;
  owner: string;
  scopes: Scope[];
  legacy: boolean;
  expires_at: string | null;
  revoked_at: string | null;
  last_used_at: string | null;
  created_at: string;
}

export interface NewApiKey {
  organization: string;
  /** E-mail of the owner; the oldest owner of the organization when absent. */
  user?: string | undefined;
  name: string;
  /** Which scopes: all, some, or those of a legacy key (everything readable). */
  grant: { preset: 'automation' } | { scopes: readonly string[] } | { legacy: true };
  expiresAt?: string | undefined;
}

/** Makes a key. The token is shown here and never again. Raises OperatorError. */
export async function createApiKey(
  { sql, clock, environment }: { sql: Database | Transaction; clock: Clock; environment: Environment },
  key: NewApiKey,
): Promise<{ id: string; token: string }> {
  const name = operatorName('--name', key.name);
  const organization = await findOrganization(sql, key.organization);
  const now = clock.now();
  const expiresAt = key.expiresAt === undefined ? null : parseExpiry(key.expiresAt, now);
  const granted = grantedScopes(key.grant);
  const id = randomUUIDv7();
  const token = newToken(environment);
  await inTransaction(sql, async (tx) => {
    const owner = await findOwner(tx, organization.id, key.user);
    // The lock makes the count hold until the commit.
    const [limit] = await tx<{ max_keys: number }[]>`
      select max_keys from organizations where id = ${organization.id} for no key update`;
    const [count] = await tx<{ keys: number }[]>`
      select count(*)::integer as keys from api_keys
      where organization_id = ${organization.id} and revoked_at is null
        and (expires_at is null or expires_at > ${now.toISOString()})`;
    const max = limit?.max_keys ?? 0;
    if ((count?.keys ?? 0) >= max) {
      throw new OperatorError(
        `The organization has reached its maximum of ${max} keys; revoke one that is not needed`,
      );
    }
    await tx`
      insert into api_keys (organization_id, id, user_id, name, token_hash, scopes, legacy, expires_at, created_at)
      values (${organization.id}, ${id}, ${owner}, ${name}, ${tokenHash(token)}, ${granted},
              ${'legacy' in key.grant}, ${expiresAt}, ${now.toISOString()})`;
  });
  return { id, token };
}

function parseExpiry(text: string, now: Date): string {
  const date = operatorMoment('--expires-at', text);
  if (date <= now) throw new OperatorError('--expires-at must lie in the future');
  return date.toISOString();
}

function grantedScopes(grant: NewApiKey['grant']): Scope[] {
  if ('preset' in grant) return allScopes;
  if ('legacy' in grant) return allScopes.filter((scope) => scope.endsWith(':read'));
  const granted = [...new Set(grant.scopes)].map((scope) => {
    const known = allScopes.find((each) => each === scope);
    if (known) return known;
    throw new OperatorError(`There is no scope "${scope}"; there are ${Object.keys(scopes).join(', ')}`);
  });
  if (granted.length === 0) throw new OperatorError('--scopes must name at least one scope');
  return granted;
}

async function findOwner(sql: Transaction, organization: string, email: string | undefined): Promise<string> {
  const [row] =
    email !== undefined
      ? await sql<{ id: string }[]>`
        select id from users where organization_id = ${organization} and lower(email) = lower(${email})`
      : await sql<{ id: string }[]>`
        select id from users where organization_id = ${organization} and role_id is null
        order by created_at, id limit 1`;
  if (row) return row.id;
  throw new OperatorError(
    email !== undefined
      ? `There is no user with the e-mail address ${email} in this organization`
      : 'The organization has no owner yet; create one with `dealkeep users create … --role owner`',
  );
}

export async function listApiKeys(sql: Database, slug: string): Promise<ApiKey[]> {
  const organization = await findOrganization(sql, slug);
  return sql<ApiKey[]>`
    select k.id, k.name, u.email as owner, k.scopes, k.legacy, k.expires_at, k.revoked_at, k.last_used_at, k.created_at
    from api_keys k join users u on u.organization_id = k.organization_id and u.id = k.user_id
    where k.organization_id = ${organization.id} order by k.created_at, k.id`;
}

/** Ends a key; its REST hooks go with it. Effective on every process within a second. */
export async function revokeApiKey(
  { sql, clock }: { sql: Database; clock: Clock },
  id: string,
): Promise<ApiKey> {
  if (!/^[0-9a-f-]{36}$/i.test(id)) throw new OperatorError(`"${id}" is not the id of a key`);
  return inTransaction(sql, async (tx) => {
    const [key] = await tx<(ApiKey & { organization_id: string })[]>`
      update api_keys k set revoked_at = coalesce(revoked_at, ${clock.now().toISOString()})
      from users u
      where k.id = ${id} and u.organization_id = k.organization_id and u.id = k.user_id
      returning k.organization_id, k.id, k.name, u.email as owner, k.scopes, k.legacy, k.expires_at, k.revoked_at,
                k.last_used_at, k.created_at`;
    if (!key) throw new OperatorError(`There is no key with the id ${id}; \`dealkeep keys list\` shows all`);
    const { organization_id: organization, ...shown } = key;
    await tx`delete from webhooks where organization_id = ${organization} and api_key_id = ${id}`;
    return shown;
  });
}
