import { randomUUIDv7 } from 'node:crypto';
import { allScopes, type Scope, scopes } from '@dealkeep/contract';
import { asOperator } from '../as-operator.ts';
import type { Clock } from '../clock.ts';
import type { Environment } from '../core.ts';
import type { Database, Transaction } from '../database/connect.ts';
import { inTransaction } from '../database/in-transaction.ts';
import { OperatorError } from '../operator-error.ts';
import { operatorMoment } from '../operator-moment.ts';
import { operatorName } from '../operator-name.ts';
import { findOrganization } from '../organizations/organizations.ts';
import { type ApiKey, endApiKey, insertApiKey, readApiKeys } from './api-key-rows.ts';
import { effectiveEverywhere } from './revocation.ts';
import { newToken } from './token.ts';

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
    await asOperator(
      insertApiKey(tx, {
        ...{ organization: organization.id, id, token, user: owner, name, scopes: granted, expiresAt },
        legacy: 'legacy' in key.grant,
        now: now.toISOString(),
      }),
    );
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
        select m.id from memberships m join users u on u.id = m.person_id
        where m.organization_id = ${organization} and lower(u.email) = lower(${email})`
      : await sql<{ id: string }[]>`
        select id from memberships where organization_id = ${organization} and role_id is null
        order by created_at, id limit 1`;
  if (row) return row.id;
  throw new OperatorError(
    email !== undefined
      ? `There is no user with the e-mail address ${email} in this organization`
      : 'The organization has no owner yet; create one with `dealkeep users create … --role owner`',
  );
}

export async function listApiKeys(sql: Database, slug: string): Promise<ApiKey[]> {
  return readApiKeys(sql, (await findOrganization(sql, slug)).id);
}

/** Ends a key; its REST hooks go with it. When this is answered, no process takes it any more. Raises OperatorError. */
export async function revokeApiKey(
  { sql, clock }: { sql: Database; clock: Clock },
  id: string,
): Promise<ApiKey> {
  if (!/^[0-9a-f-]{36}$/i.test(id)) throw new OperatorError(`"${id}" is not the id of a key`);
  return effectiveEverywhere(
    inTransaction(sql, async (tx) => {
      const [key] = await tx<{ organization: string }[]>`
      select organization_id as organization from api_keys where id = ${id}`;
      const revoked = key && (await endApiKey(tx, { ...key, id }, clock.now().toISOString()));
      if (!revoked)
        throw new OperatorError(`There is no key with the id ${id}; \`dealkeep keys list\` shows all`);
      return revoked;
    }),
  );
}
