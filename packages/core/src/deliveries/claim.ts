import type { Database, Fragment, Statements } from '../database/connect.ts';
import { eventTypeOf, standing, standingJoins, type WebhookStanding } from './webhook-standing.ts';

/** A delivery that this worker holds the lease of. */
export interface ClaimedDelivery {
  id: string;
  organization_id: string;
  webhook_id: string;
  event_id: string;
  /** Attempts of the schedule made before. */
  attempts: number;
  /** Of the attempt to be made, extra ones counted; `X-Service-Attempt`. */
  number: number;
  /** An extra attempt that somebody asked for. */
  by_hand: boolean;
  /** When the schedule goes on after an extra attempt; null when it is over. */
  retry_at: string | null;
  /** When its event happened. */
  created_at: string;
  target_url: string;
  secret: Buffer;
  /** Signs too, for a day after the secret was rotated. */
  previous_secret: Buffer | null;
  /** It was held; the next one follows when its attempt is over. */
  in_order: boolean;
  webhook_standing: WebhookStanding;
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

/** A lease is longer than any attempt and the writing of its result. */
export const leaseSeconds = 30;
/** Before every webhook. */
export const firstOfAll = '00000000-0000-0000-0000-000000000000';

/**
 * Claims due deliveries across webhooks: round and round, a few of each, its oldest first, so that every webhook gets
 * its turn, however much waits for another one.
 *
 * The walk goes from webhook to webhook along the index and no further than needed, so its cost grows with the
 * webhooks that have something waiting, never with the backlog.
 */
export async function claimDeliveries(sql: Statements, bounds: ClaimBounds): Promise<ClaimedDelivery[]> {
  const { now, perWebhook, after } = bounds;
  const room = sql.json(Object.fromEntries(bounds.room));
  return lease(
    sql,
    bounds,
    sql`
      select waiting.webhook_id, coalesce((${room}::jsonb ->> waiting.webhook_id::text)::integer, ${perWebhook}) as room
      from (with recursive onward (webhook_id, due_at) as (${walk(sql, 'onward', after)}) select * from onward
            union all
            select * from (
              with recursive around (webhook_id, due_at) as (${walk(sql, 'around', null)}) select * from around
            ) around where webhook_id <= ${after}) waiting
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
): Promise<ClaimedDelivery[]> {
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

/** Leases what is due of these webhooks, in their order, to each as much as it has room for. */
function lease(
  sql: Statements,
  { workerId, now, most }: Pick<ClaimBounds, 'workerId' | 'now' | 'most'>,
  waiting: Fragment,
): Promise<ClaimedDelivery[]> {
  return sql<ClaimedDelivery[]>`
    with due (webhook_id, id) as (
      select chosen.webhook_id, chosen.id
      from (${waiting}) waiting
      cross join lateral (
        select d.webhook_id, d.id from deliveries d
        where d.worker_id is null and d.webhook_id = waiting.webhook_id and d.due_at <= ${now}
        order by d.due_at, d.event_id
        limit waiting.room
        for update skip locked
      ) chosen
      limit ${most}
    ),
    leased as (
      update deliveries d
      set worker_id = ${workerId}, leased_until = clock_timestamp() + make_interval(secs => ${leaseSeconds})
      from due
      where d.webhook_id = due.webhook_id and d.id = due.id
      returning d.*
    )
    select d.id, d.organization_id, d.webhook_id, d.event_id, d.attempts, d.attempts + d.extra_attempts + 1 as number,
           d.by_hand, d.retry_at, d.created_at, d.in_order, w.target_url, w.secret,
           case when w.previous_secret_until > ${now} then w.previous_secret end as previous_secret,
           ${standing(sql, now, eventTypeOf(sql, 'd'))} as webhook_standing
    from leased d
    join webhooks w on w.organization_id = d.organization_id and w.id = d.webhook_id
    ${standingJoins(sql)}`;
}

/** Each webhook behind this one that has something waiting, and when its first becomes due. */
function walk(sql: Statements, name: string, after: string | null): Fragment {
  const next = (previous: Fragment) => sql`
    select d.webhook_id, d.due_at from deliveries d
    where d.worker_id is null and d.webhook_id > ${previous}
    order by d.webhook_id, d.due_at limit 1`;
  return sql`
    (${next(sql`${after ?? firstOfAll}`)})
    union all
    select following.* from ${sql(name)} previous cross join lateral (${next(sql`previous.webhook_id`)}) following`;
}

/** The webhook behind which the next claim goes on, after one that began behind `after`. */
export function endOfClaim(claimed: readonly ClaimedDelivery[], after: string): string {
  const webhooks = claimed.map((delivery) => delivery.webhook_id).sort();
  // Those up to the beginning were reached last, once the walk had gone round.
  return webhooks.findLast((webhook) => webhook <= after) ?? webhooks.at(-1) ?? after;
}

/** The type and envelope of each event of claimed deliveries, by its id. */
export async function readEnvelopes(
  sql: Database,
  deliveries: readonly ClaimedDelivery[],
): Promise<Map<string, { type: string; envelope: string }>> {
  const rows = await sql<{ id: string; type: string; envelope: string }[]>`
    select e.id, e.type, e.envelope from events e
    join unnest(${deliveries.map((each) => each.organization_id)}::uuid[],
                ${deliveries.map((each) => each.event_id)}::text[]) as wanted (organization_id, id)
      on wanted.organization_id = e.organization_id and wanted.id = e.id`;
  return new Map(rows.map(({ id, type, envelope }) => [id, { type, envelope }]));
}
