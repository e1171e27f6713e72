import type { Scope } from '@dealkeep/contract';
import type { Core } from '../core.ts';
import { tokenHash } from '../credentials/token.ts';
import type { Transaction } from '../database/connect.ts';
import { inTransaction } from '../database/in-transaction.ts';
import type { SealedPlace } from '../secrets.ts';
import type { OAuthApp } from './apps.ts';
import { scopesWithin } from './authorization-request.ts';
import { endConnection } from './end-connection.ts';
import { issueTokens, type TokenAnswer } from './issue-tokens.ts';
import { graceSeconds, idleSince, later } from './lifetimes.ts';
import { OAuthError } from './oauth-error.ts';
import { required } from './parameters.ts';

interface RefreshRow {
  organization_id: string;
  connection_id: string;
  client_id: string;
  scopes: Scope[];
  active: boolean;
  last_used_at: string;
  ended_at: string | null;
  rotated_at: string | null;
  answer: Uint8Array | null;
  successor_rotated: boolean;
}

/**
 * Exchanges a refresh token for new tokens; it is rotated on every use. Within the grace, the same client gets the
 * very same answer again, as its response may have been lost, unless the successor is in use already; every other use
 * of a rotated token ends the connection (decisions, section 8; RFC 9700, 4.14.2). Raises invalid_request,
 * invalid_scope or invalid_grant.
 */
export async function refreshTokens(
  core: Core,
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
      await endConnection(tx, connection, 'idle', now.toISOString());
      return invalidToken();
    }
    if (row.rotated_at !== null) return answerAgain(core, tx, { ...row, token_hash: tokenHash(token) }, now);
    const answer = await issueTokens(tx, connection, scopesWithin(row.scopes, parameters.get('scope')), now);
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
    select c.organization_id, c.id as connection_id, c.client_id, c.scopes, m.active, c.last_used_at, c.ended_at,
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
  core: Core,
  sql: Transaction,
  row: RefreshRow & { token_hash: Buffer },
  now: Date,
): Promise<TokenAnswer | OAuthError> {
  const until = later(new Date(row.rotated_at ?? now), graceSeconds);
  if (row.answer && !row.successor_rotated && now.toISOString() <= until) {
    return JSON.parse(core.secrets.decrypt(row.answer, placeOfTokenAnswer(row.token_hash))) as TokenAnswer;
  }
  const connection = { organization: row.organization_id, id: row.connection_id };
  await endConnection(sql, connection, 'reused', now.toISOString());
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
