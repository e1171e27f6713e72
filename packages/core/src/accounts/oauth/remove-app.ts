import { operator } from '../../change/audit/audit-log.ts';
import type { Clock } from '../../foundations/clock.ts';
import type { Database } from '../../foundations/database/connect.ts';
import { inTransaction } from '../../foundations/database/in-transaction.ts';
import { withoutNul } from '../../foundations/database/values.ts';
import { OperatorError } from '../../foundations/operator.ts';
import { endConnection } from './connections.ts';

/**
 * Removes an application from the installation: nobody can connect it any more, its tokens end at once and its REST
 * hooks with them. Answers how many connections that ended. Raises OperatorError.
 */
export async function removeOAuthApp(
  { sql, clock }: { sql: Database; clock: Clock },
  clientId: string,
): Promise<{ client_id: string; name: string; connections: number }> {
  const now = clock.now().toISOString();
  return inTransaction(sql, async (tx) => {
    // From here on nobody agrees to it, and codes that wait are redeemed by nobody.
    const [app] = await tx<{ client_id: string; name: string }[]>`
      select client_id, name from oauth_apps where client_id = ${withoutNul(clientId)} for update`;
    if (!app) {
      throw new OperatorError(`There is no application with the id ${clientId}`, {
        help: { shown: 'oauth-apps' },
      });
    }
    const { client_id: id } = app;
    await tx`delete from oauth_codes where client_id = ${id}`;
    const connections = await tx<{ organization: string; id: string }[]>`
      select organization_id as organization, id from oauth_connections
      where client_id = ${id} and ended_at is null order by organization_id, id for update`;
    for (const connection of connections)
      await endConnection(tx, connection, 'revoked', { now, by: operator });
    // Webhooks that name an ended connection are gone already; nothing else is kept of them.
    await tx`delete from oauth_connections where client_id = ${id}`;
    await tx`delete from oauth_app_organizations where client_id = ${id}`;
    await tx`delete from oauth_apps where client_id = ${id}`;
    return { ...app, connections: connections.length };
  });
}
