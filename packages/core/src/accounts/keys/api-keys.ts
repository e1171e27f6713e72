import { randomUUIDv7 } from 'node:crypto';
import {
  type AssistantAccess,
  allScopes,
  type FieldProblem,
  keyPurposes,
  type Platform,
  type Scope,
  scopes,
} from '@dealkeep/contract';
import { addAuditEntries, operator } from '../../change/audit/audit-log.ts';
import { changedValues } from '../../change/audit/changed-values.ts';
import type { Services } from '../../change/services.ts';
import type { ValidPart } from '../../change/verb/check-input.ts';
import type { OrganizationName } from '../../change/verb/unit-of-work.ts';
import { type InputOf, isChanging, writes } from '../../change/verb/verb.ts';
import type { Clock } from '../../foundations/clock.ts';
import type { Database, Fragment, Statements, Transaction } from '../../foundations/database/connect.ts';
import { inTransaction } from '../../foundations/database/in-transaction.ts';
import type { Environment } from '../../foundations/environment.ts';
import { OperatorError, operatorMoment, operatorName } from '../../foundations/operator.ts';
import { invalidFields, notFound, Problem, refusalOf } from '../../foundations/problem.ts';
import { newToken, tokenHash } from '../../identity/credentials/credential.ts';
import {
  effectiveEverywhere,
  noteRevocation,
  untilEffective,
} from '../../identity/credentials/revocation.ts';
import { namedOrganization } from '../../identity/tenancy/named-organization.ts';

/** A key as people see it, never with its token. Moments are RFC 3339 in UTC. */
export interface ApiKey {
  id: string;
  name: string;
  /** The end of its token, by which people tell which one it is; null for one made before this was kept. */
  last_characters: string | null;
  /** E-mail of the user it belongs to. */
  owner: string;
  /**
   * Whether the operator made it by a command, or its owner in the console; null for one made before this was kept.
   */
  by_operator: boolean | null;
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
  /** What AI assistants may do with it, as far as the organization lets them. */
  assistant_access: AssistantAccess;
  /** With which sets of tools; null is every one. */
  assistant_tool_sets: string[] | null;
  created_at: string;
}

/** Of `api_keys k` and the account `users u` of the user it belongs to. */
const keyColumns = (sql: Statements): Fragment => sql`
  k.id, k.name, k.last_characters, u.email as owner, k.by_operator, k.scopes, k.legacy, k.expires_at, k.revoked_at,
  k.last_used_at, k.last_used_by, k.platforms, k.assistant_access, k.assistant_tool_sets, k.created_at`;

/** Every key of an organization, the oldest first. */
const readApiKeys = (sql: Statements, organization: string) => sql<ApiKey[]>`
  select ${keyColumns(sql)}
  from api_keys k join memberships m on m.organization_id = k.organization_id and m.id = k.user_id
  join users u on u.id = m.person_id
  where k.organization_id = ${organization} order by k.created_at, k.id`;

interface ApiKeyRow {
  organization: string;
  id: string;
  token: string;
  /** Id of the user it belongs to. */
  user: string;
  name: string;
  scopes: readonly Scope[];
  legacy: boolean;
  byOperator: boolean;
  expiresAt: string | null;
  assistantAccess?: AssistantAccess | undefined;
  assistantToolSets?: readonly string[] | null | undefined;
  now: string;
}

/** Of 43 that nobody can guess, so that those that are left still cannot be. */
const keptCharacters = 4;

/** Raises LIMIT_EXCEEDED when the organization has its maximum of keys that can be used. */
async function insertApiKey(tx: Transaction, key: ApiKeyRow): Promise<void> {
  const { organization, now, assistantAccess = 'all', assistantToolSets: toolSets = null } = key;
  await requireRoomForKey(tx, { organization, now });
  await tx`
    insert into api_keys (organization_id, id, user_id, name, token_hash, scopes, legacy, expires_at, created_at,
                          assistant_access, assistant_tool_sets, last_characters, by_operator)
    values (${organization}, ${key.id}, ${key.user}, ${key.name}, ${tokenHash(key.token)}, ${[...key.scopes]},
            ${key.legacy}, ${key.expiresAt}, ${now}, ${assistantAccess}, ${toolSets && [...toolSets]},
            ${key.token.slice(-keptCharacters)}, ${key.byOperator})`;
}

/** Raises LIMIT_EXCEEDED when the organization has its maximum of keys that can be used. */
async function requireRoomForKey(
  sql: Statements,
  { organization, now }: Pick<ApiKeyRow, 'organization' | 'now'>,
  { locked = true } = {},
): Promise<void> {
  // The lock makes the count hold until the commit.
  const [limit] = await sql<{ max_keys: number }[]>`
    select max_keys from organizations where id = ${organization} ${locked ? sql`for no key update` : sql``}`;
  const [count] = await sql<{ keys: number }[]>`
    select count(*)::integer as keys from api_keys
    where organization_id = ${organization} and revoked_at is null and (expires_at is null or expires_at > ${now})`;
  const max = limit?.max_keys ?? 0;
  if ((count?.keys ?? 0) >= max) throw new Problem('api_key.limit', { max });
}

/**
 * Ends a key; its REST hooks go with it. Undefined when there is none. Counts for every request once
 * `effectiveEverywhere`.
 */
async function endApiKey(
  tx: Transaction,
  { organization, id }: { organization: string; id: string },
  now: string,
): Promise<ApiKey | undefined> {
  const [key] = await tx<ApiKey[]>`
    update api_keys k set revoked_at = coalesce(revoked_at, ${now})
    from memberships m join users u on u.id = m.person_id
    where k.organization_id = ${organization} and k.id = ${id}
      and m.organization_id = k.organization_id and m.id = k.user_id
    returning ${keyColumns(tx)}`;
  if (!key) return undefined;
  await tx`delete from webhooks where organization_id = ${organization} and api_key_id = ${id}`;
  await noteRevocation(tx);
  return key;
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
  const name = operatorName(key.name);
  const organization = await namedOrganization(sql, key.organization);
  const now = clock.now();
  const expiresAt = key.expiresAt === undefined ? null : parseExpiry(key.expiresAt, now);
  const granted = grantedScopes(key.grant);
  const id = randomUUIDv7();
  const token = newToken(environment);
  await inTransaction(sql, async (tx) => {
    const owner = await findOwner(tx, organization.id, key.user);
    await insertApiKey(tx, {
      organization: organization.id,
      id,
      token,
      user: owner,
      name,
      scopes: granted,
      expiresAt,
      legacy: 'legacy' in key.grant,
      byOperator: true,
      now: now.toISOString(),
    });
    const detail = { changes: changedValues({}, { scopes: granted, expires_at: expiresAt }) };
    const what = { operation: 'api-keys.create', resource: 'key', recordId: id, recordName: name } as const;
    await addAuditEntries(tx, organization.id, now.toISOString(), { ...what, detail, by: operator });
  });
  return { id, token };
}

function parseExpiry(text: string, now: Date): string {
  const date = operatorMoment('expires_at', text);
  if (date <= now) throw new OperatorError('must lie in the future', { field: 'expires_at' });
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
  if (granted.length === 0) throw new OperatorError('must name at least one scope', { field: 'scopes' });
  return granted;
}

async function findOwner(sql: Transaction, organization: string, email: string | undefined): Promise<string> {
  const [row] =
    email !== undefined
      ? await sql<{ id: string }[]>`
        select m.id from memberships m join users u on u.id = m.person_id
        where m.organization_id = ${organization} and comparison_form(u.email) = comparison_form(${email})`
      : await sql<{ id: string }[]>`
        select id from memberships where organization_id = ${organization} and role_id is null
        order by created_at, id limit 1`;
  if (row) return row.id;
  if (email === undefined) {
    throw new OperatorError('The organization has no owner yet', { help: { made: 'owner' } });
  }
  throw new OperatorError(`There is no user with the e-mail address ${email} in this organization`);
}

export async function listApiKeys(sql: Database, slug: string): Promise<ApiKey[]> {
  return readApiKeys(sql, (await namedOrganization(sql, slug)).id);
}

/**
 * Ends a key; its REST hooks go with it. When this is answered, no process takes it any more. Raises OperatorError.
 */
export async function revokeApiKey(
  { sql, clock }: { sql: Database; clock: Clock },
  id: string,
): Promise<ApiKey> {
  if (!/^[0-9a-f-]{36}$/i.test(id)) throw new OperatorError(`"${id}" is not the id of a key`);
  return effectiveEverywhere(
    inTransaction(sql, async (tx) => {
      const [key] = await tx<{ organization: string }[]>`
      select organization_id as organization from api_keys where id = ${id}`;
      const now = clock.now().toISOString();
      const revoked = key && (await endApiKey(tx, { ...key, id }, now));
      if (!revoked) throw new OperatorError(`There is no key with the id ${id}`, { help: { shown: 'keys' } });
      const what = { operation: 'api-keys.revoke', resource: 'key' } as const;
      const entry = { ...what, recordId: id, recordName: revoked.name, by: operator };
      await addAuditEntries(tx, key.organization, now, entry);
      return revoked;
    }),
  );
}

/**
 * Makes a key that belongs to whoever asks. Answers its token, this once. Raises VALIDATION_ERROR and
 * LIMIT_EXCEEDED.
 */
export const createOwnApiKey = writes('api-keys.create', {
  async check(context, { body }) {
    const { sql, organization, now } = context;
    const problems = keyProblems(body, now);
    // Whether there is room for a good one is looked at when it is made.
    const full = isChanging(context)
      ? undefined
      : await refusalOf(() => requireRoomForKey(sql, { organization, now }, { locked: false }));
    if (full) problems.push({ path: '', key: full.key, values: full.values });
    if (problems.length > 0) throw invalidFields(problems);
  },
  async run({ core, sql, organization, now, actor }, { body }) {
    const { name, access, scopes: chosen = [], expires_at: expiresAt = null } = body;
    const { assistant_access: assistantAccess, assistant_tool_sets: assistantToolSets } = body;
    const scopes = access === 'chosen' ? [...new Set(chosen)] : keyPurposes[access].scopes;
    const made = { id: randomUUIDv7(), token: newToken(core.environment) };
    const assistants = { assistantAccess, assistantToolSets };
    const key = {
      ...made,
      organization,
      user: actor.user.id,
      name,
      scopes,
      expiresAt,
      now,
      legacy: false,
      byOperator: false,
    };
    await insertApiKey(sql, { ...key, ...assistants });
    return made;
  },
});

/** Scopes that contradict the purpose of a key, and an end that has passed. */
function keyProblems(
  { access, scopes = [], expires_at: expiresAt }: ValidPart<InputOf<'api-keys.create'>['body']>,
  now: string,
): FieldProblem[] {
  const problems: FieldProblem[] = [];
  if (access === 'chosen' && scopes.length === 0) {
    problems.push({ path: 'scopes', key: 'field.too_few', values: { min: 1 } });
  }
  if (access !== undefined && access !== 'chosen' && scopes.length > 0) {
    problems.push({ path: 'scopes', key: 'field.scopes_beside_purpose' });
  }
  if (expiresAt && Date.parse(expiresAt) <= Date.parse(now)) {
    problems.push({ path: 'expires_at', key: 'field.not_in_the_future' });
  }
  return problems;
}

/** The keys of an organization that can be used, the oldest first. */
export async function listApiKeysOf(
  { sql, clock }: Pick<Services, 'sql' | 'clock'>,
  { id }: Pick<OrganizationName, 'id'>,
): Promise<ApiKey[]> {
  const now = clock.now().toISOString();
  const keys = await readApiKeys(sql, id);
  return keys.filter(
    ({ revoked_at: revoked, expires_at: expires }) => revoked === null && (expires === null || expires > now),
  );
}

const mostEnded = 20;

/** The keys of an organization that were revoked or have expired, the last one first, no more than some. */
export async function listEndedApiKeysOf(
  { sql, clock }: Pick<Services, 'sql' | 'clock'>,
  { id }: Pick<OrganizationName, 'id'>,
): Promise<ApiKey[]> {
  const now = clock.now().toISOString();
  return sql<ApiKey[]>`
    select ${keyColumns(sql)}
    from api_keys k join memberships m on m.organization_id = k.organization_id and m.id = k.user_id
    join users u on u.id = m.person_id
    where k.organization_id = ${id} and (k.revoked_at is not null or k.expires_at <= ${now})
    order by coalesce(k.revoked_at, k.expires_at) desc, k.id limit ${mostEnded}`;
}

/** Ends a key; its REST hooks go with it. When this is answered, no process takes it any more. Raises NOT_FOUND. */
export const revokeApiKeyOf = writes(
  'api-keys.revoke',
  async ({ sql, organization, now, afterCommit, describe }, { path: { id } }) => {
    const ended = await endApiKey(sql, { organization, id }, now);
    if (!ended) throw notFound();
    describe({ name: ended.name });
    afterCommit(untilEffective);
    return undefined;
  },
);

/**
 * Changes what AI assistants may do with a key. When this is answered, it counts on every process. Raises NOT_FOUND.
 */
export const updateApiKey = writes(
  'api-keys.update',
  async ({ sql, organization, afterCommit, describe }, { path: { id }, body }) => {
    const [before] = await sql<Pick<ApiKey, 'name' | 'assistant_access' | 'assistant_tool_sets'>[]>`
      select name, assistant_access, assistant_tool_sets from api_keys
      where organization_id = ${organization} and id = ${id} and revoked_at is null for no key update`;
    if (!before) throw notFound();
    describe({ name: before.name, before });
    const given = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
    if (Object.keys(given).length > 0) {
      await sql`update api_keys set ${sql(given)} where organization_id = ${organization} and id = ${id}`;
    }
    await noteRevocation(sql);
    afterCommit(untilEffective);
    return undefined;
  },
);
