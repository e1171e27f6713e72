import type { WebhookKey } from '../../change/queue/delivery-jobs.ts';
import type { Clock } from '../../foundations/clock.ts';
import type { Database, Transaction } from '../../foundations/database/connect.ts';
import { inTransaction } from '../../foundations/database/in-transaction.ts';
import type { Log } from '../../foundations/log.ts';
import { lockForRemoval } from './webhook-locks.ts';
import type { WebhookStatus } from './webhook-status.ts';

const withdrawnAtOnce = 5000;

/** A delivery that a worker has the lease of. */
interface ClaimedDelivery extends WebhookKey {
  readonly id: string;
  readonly webhook_status: WebhookStatus;
}

/** A delivery that left the queue: to the held events, or dropped. */
export interface WithdrawnDelivery {
  event_id: string;
  webhook_id: string;
  organization_id: string;
  held: boolean;
}

/**
 * Takes what waits for webhooks that get nothing now out of the queue: it becomes held events, or is dropped where
 * the webhook was disabled by hand or is gone. For a paused webhook only what is due is taken, so that retries keep
 * their time; for the hook of a connection only what was claimed, because its role may permit the other events. What
 * was claimed goes in any case, since nobody else gives its lease up; what does not fit into the batch, or is being
 * sent by another worker, is taken when it is claimed later.
 *
 * @param claimed ids of deliveries that the caller holds the lease of and has not sent
 */
export async function withdrawDeliveries(
  tx: Transaction,
  webhooks: readonly string[],
  { now, claimed = [] }: { now: string; claimed?: readonly string[] },
): Promise<WithdrawnDelivery[]> {
  return tx<WithdrawnDelivery[]>`
    with withdrawn as (
      delete from deliveries where ctid = any(array(
        select d.ctid from deliveries d
        where d.webhook_id = any(${webhooks}::uuid[]) and d.id = any(${claimed}::uuid[])
        for update skip locked) || array(
        select d.ctid from webhooks w join deliveries d on d.webhook_id = w.id
        where w.id = any(${webhooks}::uuid[]) and d.worker_id is null
          and (w.disabled_reason is not null or d.due_at <= ${now} and w.oauth_connection_id is null)
        limit ${withdrawnAtOnce} for update of d skip locked))
      returning organization_id, webhook_id, event_id, attempts, extra_attempts, created_at, by_hand, retry_at),
    judged as (
      -- An extra attempt that cannot be made is not made up for.
      select d.*, coalesce(w.disabled_reason, 'failing') = 'failing' and (not d.by_hand or d.retry_at is not null) as held
      from withdrawn d join webhooks w on w.organization_id = d.organization_id and w.id = d.webhook_id),
    kept as (
      insert into held_events (organization_id, webhook_id, event_id, attempts, extra_attempts, occurred_at, held_at)
      select organization_id, webhook_id, event_id, attempts, extra_attempts, created_at, ${now} from judged where held
      on conflict do nothing)
    select event_id, webhook_id, organization_id, held from judged`;
}

/** Tells, after the commit, what became of each. */
export function tellWithdrawn(log: Log, withdrawn: readonly WithdrawnDelivery[]): void {
  for (const { held, ...delivery } of withdrawn) log.info(delivery, `Delivery: ${held ? 'held' : 'dropped'}`);
}

/**
 * Deals with claimed deliveries that are not to be sent: hooks of a key that has ended go; what waits for a paused
 * or disabled webhook leaves the queue.
 */
export async function dismissDeliveries(
  { sql, log }: { sql: Database; log: Log },
  claimed: readonly ClaimedDelivery[],
  now: string,
): Promise<void> {
  const ended = claimed.filter(({ webhook_status: standing }) => standing === 'ended');
  const idle = claimed.filter(
    ({ webhook_status: standing }) => standing === 'paused' || standing === 'disabled',
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
