import type { Core } from '../core.ts';
import { processMissedAfterSeconds } from '../operating-limits.ts';

/** Why nothing is sent, neither webhooks nor mails, by decision of an operator. */
export interface DeliveryHold {
  /** `paused`: by `dealkeep queue pause --all`. `held`: every worker runs with `DELIVERIES=held`. */
  reason: 'paused' | 'held';
  /** Since when it is paused. */
  since: string | null;
}

/**
 * Why nothing is sent at this moment; undefined while things are sent. `held` means that every worker is held, since
 * the others would send; where no worker has noted itself, the setting of this process decides.
 */
export async function deliveryHold({
  sql,
  deliveriesHeld = false,
}: Pick<Core, 'sql' | 'deliveriesHeld'>): Promise<DeliveryHold | undefined> {
  const [row] = await sql<{ paused_at: string | null; held: boolean | null }[]>`
    select deliveries_paused_at as paused_at,
           (select bool_and(deliveries_held) from processes
            where 'worker' = any (roles) and seen_at > now() - make_interval(secs => ${processMissedAfterSeconds})) as held
    from installation`;
  if (row && row.paused_at !== null) return { reason: 'paused', since: row.paused_at };
  return (row?.held ?? deliveriesHeld) ? { reason: 'held', since: null } : undefined;
}
