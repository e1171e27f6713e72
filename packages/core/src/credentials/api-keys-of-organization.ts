import { randomUUIDv7 } from 'node:crypto';
import { CreateApiKey, type FieldProblem, fieldProblems, keyPurposes } from '@dealkeep/contract';
import type * as z from 'zod';
import type { Core } from '../core.ts';
import { inTransaction } from '../database/in-transaction.ts';
import { invalidFields, notFound, refusalOf } from '../problem.ts';
import { type Once, type OrganizationName, transact } from '../verb/transact.ts';
import type { Changing } from '../verb/verb.ts';
import { type ApiKey, endApiKey, insertApiKey, readApiKeys, requireRoomForKey } from './api-key-rows.ts';
import { effectiveEverywhere } from './revocation.ts';
import { newToken } from './token.ts';

/**
 * Makes a key that belongs to a person. Answers its token, this once. Raises VALIDATION_ERROR and LIMIT_EXCEEDED.
 *
 * @param user id of the person
 */
export async function createApiKeyOf(
  core: Core,
  organization: OrganizationName,
  { user, ...input }: { user: string } & z.input<typeof CreateApiKey>,
  once?: Once,
): Promise<{ id: string; token: string }> {
  const {
    name,
    access,
    scopes: chosen = [],
    expires_at: expiresAt = null,
  } = await checkKey(core, organization, input);
  const scopes = access === 'chosen' ? [...new Set(chosen)] : keyPurposes[access].scopes;
  const work = async ({ sql, now }: Changing) => {
    const made = { id: randomUUIDv7(), token: newToken(core.environment) };
    await insertApiKey(sql, {
      ...{ ...made, organization: organization.id, user, name, scopes, expiresAt, now },
      legacy: false,
    });
    return made;
  };
  return transact(core, organization, work, once);
}

/**
 * Everything that is wrong with it at once: what the contract says, scopes that contradict its purpose, its end, and that
 * there is no room for it. Whether there is room for a good one is looked at when it is made.
 */
async function checkKey(
  { sql, clock }: Pick<Core, 'sql' | 'clock'>,
  { id: organization }: Pick<OrganizationName, 'id'>,
  input: z.input<typeof CreateApiKey>,
): Promise<z.output<typeof CreateApiKey>> {
  const parsed = CreateApiKey.safeParse(input);
  const { access, scopes = [], expires_at: expiresAt } = input;
  const problems: FieldProblem[] = parsed.success ? [] : fieldProblems(parsed.error, input);
  if (access === 'chosen' && scopes.length === 0) {
    problems.push({ path: 'scopes', key: 'field.too_few', values: { min: 1 } });
  }
  if (access !== undefined && access !== 'chosen' && scopes.length > 0) {
    problems.push({ path: 'scopes', key: 'field.scopes_beside_purpose' });
  }
  if (expiresAt && Date.parse(expiresAt) <= clock.now().getTime()) {
    problems.push({ path: 'expires_at', key: 'field.not_in_the_future' });
  }
  if (parsed.success && problems.length === 0) return parsed.data;
  const now = clock.now().toISOString();
  const full = await refusalOf(() => requireRoomForKey(sql, { organization, now }));
  if (full) problems.push({ path: '', key: full.key, values: full.values });
  throw invalidFields(problems);
}

/** The keys of an organization that can be used, the oldest first. */
export async function listApiKeysOf(
  { sql, clock }: Pick<Core, 'sql' | 'clock'>,
  { id }: Pick<OrganizationName, 'id'>,
): Promise<ApiKey[]> {
  const now = clock.now().toISOString();
  const keys = await readApiKeys(sql, id);
  return keys.filter(
    ({ revoked_at: revoked, expires_at: expires }) => revoked === null && (expires === null || expires > now),
  );
}

/** Ends a key of an organization; its REST hooks go with it. When this is answered, no process takes it any more. Raises NOT_FOUND. */
export async function revokeApiKeyOf(
  { sql, clock }: Pick<Core, 'sql' | 'clock'>,
  { id: organization }: Pick<OrganizationName, 'id'>,
  { id }: { id: string },
): Promise<void> {
  const ended = await effectiveEverywhere(
    inTransaction(sql, (tx) => endApiKey(tx, { organization, id }, clock.now().toISOString())),
  );
  if (!ended) throw notFound();
}
