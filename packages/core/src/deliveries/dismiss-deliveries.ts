import type { Database } from '../database/connect.ts';
import { inTransaction } from '../database/in-transaction.ts';
import type { Log } from '../log.ts';
import { endRestHooks } from './end-rest-hooks.ts';
import type { ClaimedDelivery } from './read-claimed.ts';
import type { WebhookKey } from './webhook-locks.ts';
import { tellWithdrawn, type WithdrawnDelivery, withdrawDeliveries } from './withdraw-deliveries.ts';

/**
 * Deals with claimed deliveries that are not to be sent: hooks of a key that has ended go; what waits for a paused or
 * disabled webhook leaves the queue.
 */
export async function dismissDeliveries(
  { sql, log }: { sql: Database; log: Log },
  claimed: readonly ClaimedDelivery[],
  now: string,
): Promise<void> {
  const ended = claimed.filter(({ webhook_standing: standing }) => standing === 'ended');
  const idle = claimed.filter(
    ({ webhook_standing: standing }) => standing === 'paused' || standing === 'disabled',
  );
  if (ended.length > 0) await inTransaction(sql, (tx) => endRestHooks(tx, ended));
  if (idle.length > 0) tellWithdrawn(log, await withdraw(sql, idle, now));
}

async function withdraw(
  sql: Database,
  claimed: readonly ClaimedDelivery[],
  now: string,
): Promise<WithdrawnDelivery[]> {
  return inTransaction(sql, async (tx) => {
    await tx`
      update webhooks w set idle_since = ${now}
      from (select w.organization_id, w.id from webhooks w
            join unnest(${columnOf(claimed, 'organization_id')}::uuid[], ${columnOf(claimed, 'webhook_id')}::uuid[])
              as paused (organization_id, id)
              on paused.organization_id = w.organization_id and paused.id = w.id
            where w.failing_since is not null and w.idle_since is null
            order by w.id for no key update of w) failing
      where w.organization_id = failing.organization_id and w.id = failing.id`;
    const ids = claimed.map(({ id }) => id);
    return withdrawDeliveries(tx, columnOf(claimed, 'webhook_id'), { now, claimed: ids });
  });
}

const columnOf = (webhooks: readonly WebhookKey[], column: keyof WebhookKey): string[] =>
  webhooks.map((each) => each[column]);
