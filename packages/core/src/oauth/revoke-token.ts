import type { Core } from '../core.ts';
import { tokenHash } from '../credentials/token.ts';
import type { Statements } from '../database/connect.ts';
import { inTransaction } from '../database/in-transaction.ts';
import { authenticateClient } from './authenticate-client.ts';
import { endConnection } from './end-connection.ts';
import type { ClientRequest } from './exchange-tokens.ts';
import { OAuthError } from './oauth-error.ts';
import { formParameters, required } from './parameters.ts';

/**
 * The revocation endpoint (RFC 7009). A refresh token ends the whole connection with its hooks, an access token only
 * itself. An unknown token is a success and changes nothing. Raises OAuthError; invalid_grant for a token of another
 * application.
 */
export async function revokeToken(
  core: Core,
  { authorization, parameters: given }: ClientRequest,
): Promise<void> {
  const parameters = formParameters(given, ['token', 'token_type_hint']);
  const app = await authenticateClient(core, authorization, parameters);
  const hash = tokenHash(required(parameters, 'token'));
  const now = core.clock.now().toISOString();
  await inTransaction(core.sql, async (tx) => {
    const token = await findToken(tx, hash);
    if (!token) return;
    if (token.client_id !== app.client_id) {
      throw new OAuthError('invalid_grant', 'The token was issued to another application');
    }
    if (token.refreshes) await endConnection(tx, token, 'revoked', now);
    else await tx`delete from oauth_access_tokens where token_hash = ${hash}`;
  });
}

interface FoundToken {
  organization: string;
  /** Of the connection. */
  id: string;
  client_id: string;
  refreshes: boolean;
}

/** By its hash alone: what the client says it is (`token_type_hint`) need not be right (RFC 7009, 2.1). */
async function findToken(sql: Statements, hash: Uint8Array): Promise<FoundToken | undefined> {
  const [token] = await sql<FoundToken[]>`
    select c.organization_id as organization, c.id, c.client_id, t.refreshes
    from (select organization_id, connection_id, true as refreshes
          from oauth_refresh_tokens where token_hash = ${hash}
          union all
          select organization_id, connection_id, false
          from oauth_access_tokens where token_hash = ${hash}) t
    join oauth_connections c on c.organization_id = t.organization_id and c.id = t.connection_id`;
  return token;
}
