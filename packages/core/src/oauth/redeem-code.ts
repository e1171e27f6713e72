import { createHash, timingSafeEqual } from 'node:crypto';
import type { Scope } from '@dealkeep/contract';
import type { Core } from '../core.ts';
import { tokenHash } from '../credentials/token.ts';
import type { Transaction } from '../database/connect.ts';
import { inTransaction } from '../database/in-transaction.ts';
import type { OAuthApp } from './apps.ts';
import { endConnection } from './end-connection.ts';
import { issueTokens, type TokenAnswer } from './issue-tokens.ts';
import { OAuthError } from './oauth-error.ts';
import { required } from './parameters.ts';

interface CodeRow {
  organization_id: string;
  connection_id: string;
  client_id: string;
  user_id: string;
  active: boolean;
  scopes: Scope[];
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
  core: Core,
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
      const ended = await endConnection(tx, connection, 'reused', now.toISOString());
      if (ended) core.log.warn({ connection: row.connection_id }, 'An authorization code came a second time');
      return invalidCode();
    }
    if (row.expires_at <= now.toISOString() || !row.active) return invalidCode();
    if (!isRedirectUriOf(row, parameters.get('redirect_uri'))) {
      return new OAuthError('invalid_grant', 'The redirect_uri is not the one that the code was sent to');
    }
    if (!verifies(row.code_challenge, verifier)) {
      return new OAuthError('invalid_grant', 'The code_verifier does not fit the code_challenge');
    }
    await tx`
      with redeemed as (
        update oauth_codes set redeemed_at = ${now.toISOString()} where code_hash = ${tokenHash(code)})
      insert into oauth_connections (organization_id, id, client_id, user_id, scopes, created_at, last_used_at)
      values (${row.organization_id}, ${row.connection_id}, ${app.client_id}, ${row.user_id}, ${row.scopes},
              ${now.toISOString()}, ${now.toISOString()})`;
    return issueTokens(tx, { organization: row.organization_id, id: row.connection_id }, row.scopes, now);
  });
  if (outcome instanceof OAuthError) throw outcome;
  return outcome;
}

/**
 * Locks the membership before the code, as who deactivates it does: either this connection is not made, or it is there
 * to be ended.
 */
async function lockCode(sql: Transaction, code: string): Promise<CodeRow | undefined> {
  const hash = tokenHash(code);
  await sql`
    select 1 from memberships m
    where (m.organization_id, m.id) in (
      select organization_id, user_id from oauth_codes where code_hash = ${hash})
    for share`;
  const [row] = await sql<CodeRow[]>`
    select c.organization_id, c.connection_id, c.client_id, c.user_id, m.active, c.scopes, c.redirect_uri,
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
