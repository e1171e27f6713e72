import type { Clock } from '../clock.ts';
import type { Database, Transaction } from '../database/connect.ts';
import { inTransaction } from '../database/in-transaction.ts';
import { lockForRemoval, type WebhookKey } from './webhook-locks.ts';

/** Removes REST hooks; what waits for them goes with them. A webhook made by hand stays. Answers how many. */
export async function endRestHooks(tx: Transaction, hooks: readonly WebhookKey[]): Promise<number> {
  const locked = await lockForRemoval(tx, hooks);
  const { count } = await tx`
    delete from webhooks w
    using unnest(${locked.map((each) => each.organization_id)}::uuid[],
                 ${locked.map((each) => each.webhook_id)}::uuid[]) as ended (organization_id, id)
    where w.organization_id = ended.organization_id and w.id = ended.id 
      and (w.api_key_id is not null or w.oauth_connection_id is not null)`;
  return count;
}

/**
 * Removes the hooks of keys that have expired, and of keys and connections that ended while a hook was being made;
 * otherwise they go with these at once. Answers how many.
 */
export async function endHooksOfDeadKeys({ sql, clock }: { sql: Database; clock: Clock }): Promise<number> {
  return inTransaction(sql, async (tx) => {
    const hooks = await tx<WebhookKey[]>`
      select w.organization_id, w.id as webhook_id from webhooks w
      left join api_keys k on k.organization_id = w.organization_id and k.id = w.api_key_id
      left join oauth_connections c on c.organization_id = w.organization_id and c.id = w.oauth_connection_id
      where k.revoked_at is not null or k.expires_at <= ${clock.now().toISOString()} or c.ended_at is not null`;
    return hooks.length === 0 ? 0 : endRestHooks(tx, hooks);
  });
}
