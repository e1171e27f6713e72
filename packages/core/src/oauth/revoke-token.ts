import type { Core } from '../core.ts';
import { tokenHash } from '../credentials/token.ts';
import { inTransaction } from '../database/in-transaction.ts';
import { authenticateClient } from './authenticate-client.ts';
import { endConnection } from './end-connection.ts';
import { type ClientRequest, refuseRepeated } from './exchange-tokens.ts';
import { required } from './redeem-code.ts';

/**
 * The revocation endpoint (RFC 7009). A refresh token ends the whole connection with its hooks, an access token only
 * itself. An unknown token, or one of another application, is a success and changes nothing. Raises OAuthError.
 */
export async function revokeToken(core: Core, { authorization, parameters }: ClientRequest): Promise<void> {
  refuseRepeated(parameters);
  const app = await authenticateClient(core, authorization, parameters);
  const hash = tokenHash(required(parameters, 'token'));
  const now = core.clock.now().toISOString();
  await inTransaction(core.sql, async (tx) => {
    const [connection] = await tx<{ organization: string; id: string }[]>`
      select c.organization_id as organization, c.id
      from oauth_refresh_tokens r
      join oauth_connections c on c.organization_id = r.organization_id and c.id = r.connection_id
      where r.token_hash = ${hash} and c.client_id = ${app.client_id}`;
    if (connection) await endConnection(tx, connection, 'revoked', now);
    await tx`
      delete from oauth_access_tokens t using oauth_connections c
      where t.token_hash = ${hash} and c.organization_id = t.organization_id and c.id = t.connection_id
        and c.client_id = ${app.client_id}`;
  });
}
