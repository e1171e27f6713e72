import type { Fragment, Statements } from '../database/connect.ts';
import { nothingPaused } from '../installation/queue.ts';

/** A delivery that this worker holds the lease of. */
export interface LeasedDelivery {
  id: string;
  organization_id: string;
  webhook_id: string;
  event_id: string;
  /** Attempts of the schedule made before. */
  attempts: number;
  /** Number of the attempt to be made, extra ones counted; `X-Service-Attempt`. */
  number: number;
  /** An extra attempt that somebody asked for. */
  by_hand: boolean;
  /** When the schedule goes on after an extra attempt; null when it is over. */
  retry_at: string | null;
  /** When its event happened. */
  created_at: string;
  /** It was held: the next held event of its webhook follows when its attempt is over. */
  in_order: boolean;
}

export interface ClaimBounds {
  workerId: number;
  now: string;
  /** Deliveries at most. */
  most: number;
  /** For one webhook at most. */
  perWebhook: number;
  /** Webhooks of which less may be claimed now, and how much. */
  room: ReadonlyMap<string, number>;
  /** The webhook at which the last claim ended; the next one goes on behind it. */
  after: string;
}

/** Ids that sort before and behind those of all webhooks. */
export const firstOfAll = '00000000-0000-0000-0000-000000000000';
const lastOfAll = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/**
 * Claims due deliveries across webhooks: round and round, a few of each, its oldest first, so that every webhook gets
 * its turn, however much waits for another one.
 *
 * The walk goes from webhook to webhook along the index and no further than needed, so its cost grows with the
 * webhooks that have something waiting, never with the backlog.
 */
export async function claimDeliveries(sql: Statements, bounds: ClaimBounds): Promise<LeasedDelivery[]> {
  const { now, perWebhook, after } = bounds;
  const room = sql.json(Object.fromEntries(bounds.room));
  return lease(
    sql,
    bounds,
    sql`
      select waiting.webhook_id, coalesce((${room}::jsonb ->> waiting.webhook_id::text)::integer, ${perWebhook}) as room
      from (with recursive onward (webhook_id, due_at) as (${walk(sql, 'onward', after, lastOfAll)}) select * from onward
            union all
            select * from (
              with recursive around (webhook_id, due_at) as (${walk(sql, 'around', firstOfAll, after)})
              select * from around) around) waiting
      where waiting.due_at <= ${now}`,
  );
}

/**
 * Claims due deliveries of these webhooks alone, the one behind the last claim's end first. It costs as much as there
 * are webhooks in `room`, whatever waits for others.
 */
export async function claimOfWebhooks(
  sql: Statements,
  bounds: Omit<ClaimBounds, 'perWebhook'>,
): Promise<LeasedDelivery[]> {
  const { room, after } = bounds;
  const webhooks = [...room.keys()].filter((webhook) => room.get(webhook) !== 0).sort();
  if (webhooks.length === 0) return [];
  const next = webhooks.findIndex((webhook) => webhook > after);
  const ordered = next < 0 ? webhooks : [...webhooks.slice(next), ...webhooks.slice(0, next)];
  return lease(
    sql,
    bounds,
    sql`
      select * from unnest(${ordered}::uuid[], ${ordered.map((webhook) => room.get(webhook) ?? 0)}::integer[])
        as waiting (webhook_id, room)`,
  );
}

/**
 * Leases what is due of these webhooks, in their order, to each as much as it has room for. Whoever takes a lost
 * worker's leases over locks its row first: a worker that others have taken for lost gets nothing until it has shown
 * itself again; nor does one that has not since the server started, whom others will soon take for lost.
 */
function lease(
  sql: Statements,
  { workerId, now, most }: Pick<ClaimBounds, 'workerId' | 'now' | 'most'>,
  waiting: Fragment,
): Promise<LeasedDelivery[]> {
  return sql<LeasedDelivery[]>`
    with me as materialized (
      select from workers
      where worker_id = ${workerId} and seen_at >= pg_postmaster_start_time() and ${nothingPaused(sql)}
      for key share
    ),
    due (place) as (
      select chosen.ctid
      from me cross join (${waiting}) waiting
      cross join lateral (
        select d.ctid from deliveries d
        where d.worker_id is null and d.webhook_id = waiting.webhook_id and d.due_at <= ${now}
        order by d.due_at, d.event_id
        limit waiting.room
        for update skip locked
      ) chosen
      limit ${most}
    )
    update deliveries d set worker_id = ${workerId}
    from due where d.ctid = due.place
    returning d.id, d.organization_id, d.webhook_id, d.event_id, d.attempts, d.attempts + d.extra_attempts + 1 as number,
              d.by_hand, d.retry_at, d.created_at, d.in_order`;
}

/** Each webhook behind one and up to another that has something waiting, and when its first becomes due. */
function walk(sql: Statements, name: string, after: string, upTo: string): Fragment {
  const next = (previous: Fragment) => sql`
    select d.webhook_id, d.due_at from deliveries d
    where d.worker_id is null and d.webhook_id > ${previous} and d.webhook_id <= ${upTo}
    order by d.webhook_id, d.due_at limit 1`;
  return sql`
    (${next(sql`${after}`)})
    union all
    select following.* from ${sql(name)} previous cross join lateral (${next(sql`previous.webhook_id`)}) following`;
}

/** The webhook behind which the next claim goes on, after one that began behind `after`. */
export function endOfClaim(claimed: readonly LeasedDelivery[], after: string): string {
  const webhooks = claimed.map((delivery) => delivery.webhook_id).sort();
  // The walk began behind `after` and went round, so webhooks up to `after` were reached last.
  return webhooks.findLast((webhook) => webhook <= after) ?? webhooks.at(-1) ?? after;
}
