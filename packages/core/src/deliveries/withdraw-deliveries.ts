import type { Transaction } from '../database/connect.ts';
import type { Log } from '../log.ts';

const batch = 5000;

/** A delivery that left the queue: to the held events, or dropped. */
export interface WithdrawnDelivery {
  event_id: string;
  webhook_id: string;
  organization_id: string;
  held: boolean;
}

/**
 * Takes what waits for webhooks that get nothing now out of the queue: to the held events, or away when the webhook was
 * disabled by hand or is gone. Of a paused one only what is due; retries keep their time. Of a
 * connection's only what was claimed: its role may permit the other events. What does not fit in a
 * batch is taken when it is claimed; so is what another worker sends at this moment.
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
        select d.ctid from webhooks w join deliveries d on d.webhook_id = w.id
        where w.id = any(${webhooks}::uuid[])
          and (d.id = any(${claimed}::uuid[])
               or d.worker_id is null and (w.disabled_reason is not null
                                           or d.due_at <= ${now} and w.oauth_connection_id is null))
        limit ${batch} for update of d skip locked))
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
