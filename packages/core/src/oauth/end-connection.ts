import type { Transaction } from '../database/connect.ts';
import { endRestHooks } from '../deliveries/end-rest-hooks.ts';
import type { WebhookKey } from '../deliveries/webhook-locks.ts';

/** Why a connection ended. */
export type EndOfConnection = 'disconnected' | 'revoked' | 'idle' | 'reused' | 'person';

/**
 * Ends a connection: its tokens go at once, its REST hooks with them (specification, OAuth access tokens). Answers
 * whether it had not ended before.
 */
export async function endConnection(
  sql: Transaction,
  { organization, id }: { organization: string; id: string },
  because: EndOfConnection,
  now: string,
): Promise<boolean> {
  const [ended] = await sql`
    update oauth_connections set ended_at = ${now}, ended_because = ${because}
    where organization_id = ${organization} and id = ${id} and ended_at is null returning 1`;
  if (!ended) return false;
  await sql`
    with access as (
      delete from oauth_access_tokens where organization_id = ${organization} and connection_id = ${id})
    delete from oauth_refresh_tokens where organization_id = ${organization} and connection_id = ${id}`;
  const hooks = await sql<WebhookKey[]>`
    select organization_id, id as webhook_id from webhooks
    where organization_id = ${organization} and oauth_connection_id = ${id}`;
  await endRestHooks(sql, hooks);
  return true;
}
