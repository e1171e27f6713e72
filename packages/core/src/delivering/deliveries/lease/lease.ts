import { isPaused, nothingPaused } from '../../../change/queue/queue-pauses.ts';
import type { Database, Fragment, Statements, Transaction } from '../../../foundations/database/connect.ts';
import { inTransaction } from '../../../foundations/database/in-transaction.ts';
import { roleBacks } from '../../../identity/credentials/authorize.ts';
import {
  drawFromBuckets,
  lockBuckets,
  type PacedWebhook,
  pacedStartMs,
  paceLockedMs,
} from '../../webhooks/pace.ts';
import { type WebhookStatus, webhookStatus, webhookStatusJoins } from '../../webhooks/webhook-status.ts';
import type { DueEvents } from './due-events.ts';

/** A delivery that this worker holds the lease of, with the webhook that it goes to as it is at this moment. */
export interface LeasedDelivery {
  id: string;
  /** Its `ctid`, until somebody else changes it. */
  place: string;
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
  target_url: string;
  secret: Buffer;
  /** Signs too, for a day after the secret was rotated. */
  previous_secret: Buffer | null;
  /** Private keys that sign besides, and headers that it carries; all encrypted. */
  signing_key: Buffer | null;
  previous_signing_key: Buffer | null;
  headers: Buffer | null;
  webhook_status: WebhookStatus;
}

/** An event as it is sent. */
export interface SentEvent {
  type: string;
  envelope: string;
}

/** The same with the size of its envelope. */
export interface ReadEvent extends SentEvent {
  bytes: number;
}

export interface LeaseBounds {
  workerId: number;
  now: string;
  /** The webhooks, and how much of each. */
  rooms: ReadonlyMap<string, number>;
  /** How much there is room for of envelopes, of which that of each delivery counts. */
  bytes: number;
  /** The first delivery is leased however large its envelope is. */
  atLeastOne: boolean;
  events: DueEvents;
}

/** A delivery with what it sends; undefined when its event is gone. */
export interface Leased {
  delivery: LeasedDelivery;
  event: ReadEvent | undefined;
  /** By the clock; of a webhook that has a pace: what begins later, begins too soon before the next. */
  startBy: number | undefined;
}

interface Leases {
  leased: Leased[];
  /** There was room for the envelopes of all. */
  allFit: boolean;
  /** Of webhooks whose pace lets no more attempts begin, by their ids: in how many milliseconds one more may. */
  pacedForMs: ReadonlyMap<string, number>;
}

/**
 * Leases what is due of these webhooks, of each its oldest and as much as it has room for, and reads all that their
 * attempts need. It costs as much as there are webhooks in `rooms`, whatever waits for others.
 *
 * A pause holds from the next statement on, whatever jobs still run: graphile-worker takes jobs in batches, and
 * looks at no flags then.
 *
 * Whoever takes a lost worker's leases over locks its row first: a worker that others have taken for lost gets
 * nothing until it has shown itself again; nor does one that has not since the server started, whom others will soon
 * take for lost.
 */
export async function leaseDeliveries(sql: Database | Transaction, bounds: LeaseBounds): Promise<Leases> {
  const { paced, ...others } = await lease(sql, bounds, false);
  if (paced.length === 0) return { ...others, pacedForMs: new Map() };
  const rest = {
    ...bounds,
    bytes: others.leased.reduce((left, { event }) => left - (event?.bytes ?? 0), bounds.bytes),
    atLeastOne: bounds.atLeastOne && others.leased.length === 0,
  };
  const ofPaced = await inTransaction(sql, (tx) => leasePaced(tx, rest, paced));
  return {
    ...ofPaced,
    leased: [...others.leased, ...ofPaced.leased],
    allFit: others.allFit && ofPaced.allFit,
  };
}

/** Webhooks with a pace are leased for by themselves, so that it costs nothing for the others. */
async function leasePaced(
  tx: Transaction,
  bounds: LeaseBounds,
  paced: readonly PacedWebhook[],
): Promise<Leases> {
  const { now } = bounds;
  // Before any delivery, as everywhere.
  const buckets = new Map((await lockBuckets(tx, paced, now)).map((bucket) => [bucket.id, bucket]));
  const grantedTo = (id: string): number => buckets.get(id)?.granted ?? 0;
  const roomOf = (id: string): number => bounds.rooms.get(id) ?? 0;
  const rooms = new Map(paced.map(({ id }) => [id, Math.min(roomOf(id), grantedTo(id))]));
  const { leased, allFit } = await lease(tx, { ...bounds, rooms }, true);
  const leasedOf = ({ id }: PacedWebhook): Leased[] =>
    leased.filter(({ delivery }) => delivery.webhook_id === id);
  const begun = paced.map((each) => ({ ...each, attempts: leasedOf(each).filter(isActive).length }));
  await drawFromBuckets(tx, begun, now);
  const empty = paced.filter(
    (each) => grantedTo(each.id) <= roomOf(each.id) && leasedOf(each).length >= grantedTo(each.id),
  );
  const pacedForMs = new Map(empty.map(({ id }) => [id, buckets.get(id)?.nextInMs ?? paceLockedMs]));
  return { leased, allFit, pacedForMs };
}

/** What `unnest` makes rows of `webhook_id`, `id` and `place` from. */
export const keysOf = (sql: Statements, leased: readonly Pick<Leased, 'delivery'>[]): Fragment => sql`
  ${leased.map(({ delivery }) => delivery.webhook_id)}::uuid[], ${leased.map(({ delivery }) => delivery.id)}::uuid[],
  ${leased.map(({ delivery }) => delivery.place)}::text[]::tid[]`;

/**
 * The `ctid` of the delivery that a row of `place`, `webhook_id` and `id` stands for. Found where it was leased: by
 * its key, all that wait for its webhook can be read, where the planner knows the queue as it is when it is idle.
 */
export const placeOf = (sql: Statements, row: Fragment): Fragment => sql`
  coalesce((select d.ctid from deliveries d where d.ctid = ${row}.place and d.id = ${row}.id),
           (select d.ctid from deliveries d where d.webhook_id = ${row}.webhook_id and d.id = ${row}.id))`;

/** Whether it is to be sent. */
export const isActive = ({ delivery }: Leased): boolean => delivery.webhook_status === 'active';

/** `id` is null where nothing is leased, `type` and what follows where the event is gone. */
type LeasedRow = {
  chosen: number;
  paced: PacedWebhook[] | null;
  id: string | null;
  type: string | null;
} & Omit<LeasedDelivery, 'id'> &
  Omit<ReadEvent, 'type'>;

/** @param ofPaced of webhooks that have a pace; else these are passed by, and named */
async function lease(
  sql: Statements,
  { workerId, now, rooms, bytes, atLeastOne, events: dueEvents }: LeaseBounds,
  ofPaced: boolean,
): Promise<Omit<Leases, 'pacedForMs'> & { paced: PacedWebhook[] }> {
  const events = await dueEvents.read(sql, { rooms, now });
  const rows = await sql<LeasedRow[]>`
    with me as materialized (
      select from workers
      where worker_id = ${workerId} and seen_at >= pg_postmaster_start_time() and ${nothingPaused(sql)}
      for key share
    ),
    targets as materialized (
      select w.organization_id, w.id, w.oauth_connection_id, w.target_url, w.secret, asking.room, w.max_per_minute,
             case when w.previous_secret_until > ${now} then w.previous_secret end as previous_secret,
             w.signing_key, w.headers,
             case when w.previous_secret_until > ${now} then w.previous_signing_key end as previous_signing_key,
             ${webhookStatus(sql, now, sql`'{}'::text[]`)} as standing
      from me cross join unnest(${[...rooms.keys()]}::uuid[], ${[...rooms.values()]}::integer[])
        as asking (webhook_id, room)
      cross join lateral (select organization_id from deliveries where webhook_id = asking.webhook_id limit 1) owner
      join webhooks w on w.organization_id = owner.organization_id and w.id = asking.webhook_id
      ${webhookStatusJoins(sql)}
      where not ${isPaused(sql)}
    ),
    chosen as materialized (
      select due.place, w.target_url, w.secret, w.previous_secret, w.signing_key, w.previous_signing_key, w.headers,
             e.type, e.envelope,
             ${events.bytes} as bytes,
             case when w.standing = 'active' and not ${roleBacks(sql, sql`array_remove(array[e.type], null)`)}
               then 'paused' else w.standing end as standing
      from targets w cross join lateral (
        select d.ctid as place, d.event_id from deliveries d
        where d.worker_id is null and d.webhook_id = w.id and d.due_at <= ${now}
        order by d.due_at, d.event_id
        limit w.room
        for update skip locked
      ) due
      ${events.join}
      where (w.max_per_minute is not null) = ${ofPaced}
    ),
    fitting as (
      select chosen.*, row_number() over in_turn as number, sum(coalesce(bytes, 0)) over in_turn as so_far
      from chosen window in_turn as (rows unbounded preceding)
    ),
    leased as (
      update deliveries d set worker_id = ${workerId}
      from fitting f where d.ctid = f.place and (f.so_far <= ${bytes} or (f.number = 1 and ${atLeastOne}))
      returning d.id, d.ctid as place, d.organization_id, d.webhook_id, d.event_id, d.attempts,
                d.attempts + d.extra_attempts + 1 as number, d.by_hand, d.retry_at, d.created_at, d.in_order,
                f.target_url, f.secret, f.previous_secret, f.signing_key, f.previous_signing_key, f.headers,
                f.standing as webhook_status, f.type, f.envelope, f.bytes
    )
    select counted.*, leased.*
    from (select (select count(*)::integer from chosen) as chosen,
                 (select json_agg(json_build_object('organization_id', organization_id, 'id', id))
                  from targets where max_per_minute is not null) as paced) counted
    left join leased on true`;
  const startBy = ofPaced ? Date.parse(now) + pacedStartMs : undefined;
  const envelopes = await dueEvents.envelopes(sql, rows);
  const leased = rows.flatMap(
    ({ chosen: _, paced: __, id, type, envelope: ___, bytes: size, ...delivery }, index): Leased[] => {
      if (id === null) return [];
      const envelope = envelopes[index];
      const event = type === null || envelope === undefined ? undefined : { type, envelope, bytes: size };
      return [{ delivery: { id, ...delivery }, event, startBy }];
    },
  );
  const [row] = rows;
  return { leased, allFit: leased.length === (row?.chosen ?? 0), paced: row?.paced ?? [] };
}
