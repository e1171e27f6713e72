import type { Scope } from '@dealkeep/contract';
import { randomToken, tokenHash } from '../credentials/token.ts';
import type { Transaction } from '../database/connect.ts';
import { accessTokenSeconds, later } from './lifetimes.ts';

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
export async function issueTokens(
  sql: Transaction,
  connection: { organization: string; id: string },
  scopes: readonly Scope[],
  now: Date,
): Promise<TokenAnswer> {
  const accessToken = randomToken('dk_oat_');
  const refreshToken = randomToken('dk_ort_');
  await sql`
    with access as (
      insert into oauth_access_tokens (token_hash, organization_id, connection_id, scopes, expires_at)
      values (${tokenHash(accessToken)}, ${connection.organization}, ${connection.id}, ${[...scopes]},
              ${later(now, accessTokenSeconds)}))
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
