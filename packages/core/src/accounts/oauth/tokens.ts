import { createHash, timingSafeEqual } from 'node:crypto';
import type { Scope } from '@dealkeep/contract';
import { theClock } from '../../change/audit/audit-log.ts';
import type { Services } from '../../change/services.ts';
import type { Transaction } from '../../foundations/database/connect.ts';
import { inTransaction } from '../../foundations/database/in-transaction.ts';
import { accessTokenSeconds, tokenRotationGraceSeconds } from '../../foundations/operating-limits.ts';
import type { SealedPlace } from '../../foundations/secrets.ts';
import { randomToken, tokenHash } from '../../identity/credentials/credential.ts';
import type { ProtectedResource } from '../../identity/credentials/resources.ts';
import { isOpenUntilCommit, type OAuthApp } from './apps.ts';
import { scopesWithin } from './authorization.ts';
import { endConnection } from './connections.ts';
import { idleSince, later, OAuthError, required } from './protocol.ts';
import { requestedResources } from './requested-resources.ts';

/** A successful answer of the token endpoint (RFC 6749, 5.1). */
export interface TokenAnswer {
  access_token: string;
  token_type: 'Bearer';
  /** Seconds. */
  expires_in: number;
  refresh_token: string;
  /** Separated by spaces. */
  scope: string;
}

/** Makes an access and a refresh token of a connection; only their hashes are kept. */
async function issueTokens(
  sql: Transaction,
  connection: { organization: string; id: string },
  { scopes, resources }: { scopes: readonly Scope[]; resources: readonly ProtectedResource[] },
  now: Date,
): Promise<TokenAnswer> {
  const accessToken = randomToken('dk_oat_');
  const refreshToken = randomToken('dk_ort_');
  await sql`
    with access as (
      insert into oauth_access_tokens (token_hash, organization_id, connection_id, scopes, resources, expires_at)
      values (${tokenHash(accessToken)}, ${connection.organization}, ${connection.id}, ${[...scopes]},
              ${[...resources]}, ${later(now, accessTokenSeconds)}))
    insert into oauth_refresh_tokens (token_hash, organization_id, connection_id, created_at)
    values (${tokenHash(refreshToken)}, ${connection.organization}, ${connection.id}, ${now.toISOString()})`;
  return {
    access_token: accessToken,
    token_type: 'Bearer',
    expires_in: accessTokenSeconds,
    refresh_token: refreshToken,
    scope: scopes.join(' '),
  };
}

/**
 * The resources that a token request names, among those that the person agreed to; all of these when it names none.
 * Raises invalid_target.
 */
function resourcesWithin(
  { origin }: Pick<Services, 'origin'>,
  agreed: readonly ProtectedResource[],
  parameters: URLSearchParams,
): readonly ProtectedResource[] {
  const asked = requestedResources(origin, parameters.getAll('resource')) ?? agreed;
  if (asked.every((each) => agreed.includes(each))) return asked;
  throw new OAuthError('invalid_target', 'The person has not agreed to that resource');
}

interface CodeRow {
  organization_id: string;
  connection_id: string;
  client_id: string;
  user_id: string;
  active: boolean;
  scopes: Scope[];
  resources: ProtectedResource[];
  redirect_uri: string;
  redirect_uri_given: boolean;
  code_challenge: string;
  expires_at: string;
  redeemed_at: string | null;
}

/**
 * Redeems an authorization code for tokens, once (RFC 6749, 4.1.3; RFC 7636, 4.6). A code that comes a second time
 * ends what came of it the first time. Raises invalid_request or invalid_grant.
 */
export async function redeemCode(
  core: Services,
  app: OAuthApp,
  parameters: URLSearchParams,
): Promise<TokenAnswer> {
  const code = required(parameters, 'code');
  const verifier = required(parameters, 'code_verifier');
  const now = core.clock.now();
  // The end of a connection must be committed, so an error leaves the transaction as a value.
  const outcome = await inTransaction(core.sql, async (tx): Promise<TokenAnswer | OAuthError> => {
    const row = await lockCode(tx, code);
    if (!row || row.client_id !== app.client_id) return invalidCode();
    if (row.redeemed_at !== null) {
      const connection = { organization: row.organization_id, id: row.connection_id };
      const ended = await endConnection(tx, connection, 'reused', { now: now.toISOString(), by: theClock });
      if (ended) core.log.warn({ connection: row.connection_id }, 'An authorization code came a second time');
      return invalidCode();
    }
    if (row.expires_at <= now.toISOString() || !row.active) return invalidCode();
    if (!(await isOpenUntilCommit(tx, app, row.organization_id))) return invalidCode();
    if (!isRedirectUriOf(row, parameters.get('redirect_uri'))) {
      return new OAuthError('invalid_grant', 'The redirect_uri is not the one that the code was sent to');
    }
    if (!verifies(row.code_challenge, verifier)) {
      return new OAuthError('invalid_grant', 'The code_verifier does not fit the code_challenge');
    }
    const resources = resourcesWithin(core, row.resources, parameters);
    await tx`
      with redeemed as (
        update oauth_codes set redeemed_at = ${now.toISOString()} where code_hash = ${tokenHash(code)})
      insert into oauth_connections (organization_id, id, client_id, user_id, scopes, resources,
                                     created_at, last_used_at)
      values (${row.organization_id}, ${row.connection_id}, ${app.client_id}, ${row.user_id}, ${row.scopes},
              ${row.resources}, ${now.toISOString()}, ${now.toISOString()})`;
    const connection = { organization: row.organization_id, id: row.connection_id };
    return issueTokens(tx, connection, { scopes: row.scopes, resources }, now);
  });
  if (outcome instanceof OAuthError) throw outcome;
  return outcome;
}

/**
 * Locks the membership before the code, as who deactivates it does: either this connection is not made, or it is
 * there to be ended.
 */
async function lockCode(sql: Transaction, code: string): Promise<CodeRow | undefined> {
  const hash = tokenHash(code);
  await sql`
    select 1 from memberships m
    where (m.organization_id, m.id) in (
      select organization_id, user_id from oauth_codes where code_hash = ${hash})
    for share`;
  const [row] = await sql<CodeRow[]>`
    select c.organization_id, c.connection_id, c.client_id, c.user_id, m.active, c.scopes, c.resources, c.redirect_uri,
           c.redirect_uri_given, c.code_challenge, c.expires_at, c.redeemed_at
    from oauth_codes c join memberships m on m.organization_id = c.organization_id and m.id = c.user_id
    where c.code_hash = ${hash} for update of c`;
  return row;
}

const invalidCode = (): OAuthError =>
  new OAuthError('invalid_grant', 'The code is unknown, has expired or was used before');

/** RFC 6749, 4.1.3: the same as in the authorization request; it may be absent only where it was left out there. */
const isRedirectUriOf = (row: CodeRow, given: string | null): boolean =>
  given === null ? !row.redirect_uri_given : given === row.redirect_uri;

function verifies(challenge: string, verifier: string): boolean {
  // RFC 7636, 4.1: 43 to 128 unreserved characters.
  if (!/^[A-Za-z0-9._~-]{43,128}$/.test(verifier)) return false;
  const computed = createHash('sha256').update(verifier, 'ascii').digest();
  const expected = Buffer.from(challenge, 'base64url');
  return expected.length === computed.length && timingSafeEqual(computed, expected);
}

interface RefreshRow {
  organization_id: string;
  connection_id: string;
  client_id: string;
  scopes: Scope[];
  resources: ProtectedResource[];
  active: boolean;
  last_used_at: string;
  ended_at: string | null;
  rotated_at: string | null;
  answer: Uint8Array | null;
  successor_rotated: boolean;
}

/**
 * Exchanges a refresh token for new tokens; it is rotated on every use. Within the grace, the same client gets the
 * very same answer again, as its response may have been lost, unless the successor is in use already; every other
 * use of a rotated token ends the connection (rules oauth 11 and 12; RFC 9700, 4.14.2). Raises invalid_request,
 * invalid_scope or invalid_grant.
 */
export async function refreshTokens(
  core: Services,
  app: OAuthApp,
  parameters: URLSearchParams,
): Promise<TokenAnswer> {
  const token = required(parameters, 'refresh_token');
  const now = core.clock.now();
  // The end of a connection must be committed, so an error leaves the transaction as a value.
  const outcome = await inTransaction(core.sql, async (tx): Promise<TokenAnswer | OAuthError> => {
    const row = await lockToken(tx, token);
    if (!row || row.client_id !== app.client_id || row.ended_at !== null || !row.active)
      return invalidToken();
    const connection = { organization: row.organization_id, id: row.connection_id };
    if (row.last_used_at < idleSince(now)) {
      await endConnection(tx, connection, 'idle', { now: now.toISOString(), by: theClock });
      return invalidToken();
    }
    if (row.rotated_at !== null) return answerAgain(core, tx, { ...row, token_hash: tokenHash(token) }, now);
    const resources = resourcesWithin(core, row.resources, parameters);
    const scopes = scopesWithin(app, row.scopes, parameters.get('scope'));
    const answer = await issueTokens(tx, connection, { scopes, resources }, now);
    await tx`
      with rotated as (
        update oauth_refresh_tokens
        set rotated_at = ${now.toISOString()}, successor_hash = ${tokenHash(answer.refresh_token)},
            answer = ${core.secrets.encrypt(JSON.stringify(answer), placeOfTokenAnswer(tokenHash(token)))}
        where token_hash = ${tokenHash(token)})
      update oauth_connections set last_used_at = greatest(last_used_at, ${now.toISOString()})
      where organization_id = ${connection.organization} and id = ${connection.id}`;
    return answer;
  });
  if (outcome instanceof OAuthError) throw outcome;
  return outcome;
}

/**
 * The connection is locked before the token, as everything that ends it does, so that of two refreshes at once one
 * rotates and the other finds it rotated.
 */
async function lockToken(sql: Transaction, token: string): Promise<RefreshRow | undefined> {
  const hash = tokenHash(token);
  await sql`
    select 1 from oauth_connections c
    where (c.organization_id, c.id) in (
      select organization_id, connection_id from oauth_refresh_tokens where token_hash = ${hash})
    for update`;
  const [row] = await sql<RefreshRow[]>`
    select c.organization_id, c.id as connection_id, c.client_id, c.scopes, c.resources, m.active, c.last_used_at, c.ended_at,
           r.rotated_at, r.answer,
           exists (select 1 from oauth_refresh_tokens s
                   where s.token_hash = r.successor_hash and s.rotated_at is not null) as successor_rotated
    from oauth_refresh_tokens r
    join oauth_connections c on c.organization_id = r.organization_id and c.id = r.connection_id
    join memberships m on m.organization_id = c.organization_id and m.id = c.user_id
    where r.token_hash = ${hash}`;
  return row;
}

async function answerAgain(
  core: Services,
  sql: Transaction,
  row: RefreshRow & { token_hash: Buffer },
  now: Date,
): Promise<TokenAnswer | OAuthError> {
  const until = later(new Date(row.rotated_at ?? now), tokenRotationGraceSeconds);
  if (row.answer && !row.successor_rotated && now.toISOString() <= until) {
    return JSON.parse(core.secrets.decrypt(row.answer, placeOfTokenAnswer(row.token_hash))) as TokenAnswer;
  }
  const connection = { organization: row.organization_id, id: row.connection_id };
  await endConnection(sql, connection, 'reused', { now: now.toISOString(), by: theClock });
  core.log.warn({ connection: row.connection_id }, 'A refresh token came again after its rotation');
  return invalidToken();
}

/** Where the answer stands that a refresh token was exchanged for. */
export const placeOfTokenAnswer = (tokenHash: Buffer): SealedPlace => ({
  table: 'oauth_refresh_tokens',
  column: 'answer',
  row: [tokenHash.toString('hex')],
});

const invalidToken = (): OAuthError =>
  new OAuthError(
    'invalid_grant',
    'The refresh_token is unknown, has expired, was used before or was revoked',
  );
