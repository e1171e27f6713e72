import { roleBacks } from '../../credentials/authorize.ts';
import type { Fragment, Statements } from '../../database/connect.ts';
import { isPaused, nothingPaused } from '../../installation/queue-pauses.ts';
import { attemptsGranted, pacedAfter, pacedStartMs, paceLockedMs } from '../../webhooks/pace.ts';
import { standing, standingJoins, type WebhookStanding } from '../../webhooks/webhook-standing.ts';
import { eventsBeside, eventsElsewhere, readEnvelopes } from './due-events.ts';

/** A delivery that this worker holds the lease of, with the webhook that it goes to as it is at this moment. */
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
  target_url: string;
  secret: Buffer;
  /** Signs too, for a day after the secret was rotated. */
  previous_secret: Buffer | null;
  /** Private keys that sign besides, and headers that it carries; all encrypted. */
  signing_key: Buffer | null;
  previous_signing_key: Buffer | null;
  headers: Buffer | null;
  webhook_standing: WebhookStanding;
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
  /** As `Core.distributed`. */
  distributed?: boolean | undefined;
}

/** A delivery with what it sends; undefined when its event is gone. */
export interface Leased {
  delivery: LeasedDelivery;
  event: ReadEvent | undefined;
  /** By the clock; of a webhook that has a pace: what begins later, begins too soon before the next. */
  startBy?: number | undefined;
}

/** How a webhook with a pace goes on. */
export interface Pace {
  /** Attempts that might begin. */
  granted: number;
  /** When these have begun, one more may in so many milliseconds. */
  inMs: number;
}

interface Leases {
  leased: Leased[];
  /** There was room for the envelopes of all. */
  allFit: boolean;
  /** Of the webhooks that have one, by their ids. */
  paces: Readonly<Record<string, Pace>>;
}

/** `id` is null where nothing is leased, `type` and what follows where the event is gone. */
type LeasedRow = {
  chosen: number;
  paces?: Leases['paces'] | null;
  passed?: string[] | null;
  id: string | null;
  type: string | null;
} & Omit<LeasedDelivery, 'id'> &
  Omit<ReadEvent, 'type'>;

/**
 * Leases what is due of these webhooks, of each its oldest and as much as it has room for, and reads all that their
 * attempts need. It costs as much as there are webhooks in `rooms`, whatever waits for others.
 *
 * A pause holds from the next statement on, whatever jobs still run: graphile-worker takes jobs in batches, and looks at
 * no flags then.
 *
 * Whoever takes a lost worker's leases over locks its row first: a worker that others have taken for lost gets nothing
 * until it has shown itself again; nor does one that has not since the server started, whom others will soon take for
 * lost.
 */
export async function leaseDeliveries(sql: Statements, bounds: LeaseBounds): Promise<Leases> {
  const first = await leaseBy(sql, bounds);
  const { leased, allFit, passed } = first;
  if (passed.length === 0) return first;
  const paced = await leaseBy(
    sql,
    {
      ...bounds,
      rooms: new Map(passed.map((id) => [id, bounds.rooms.get(id) ?? 0])),
      bytes: leased.reduce((rest, { event }) => rest - (event?.bytes ?? 0), bounds.bytes),
      atLeastOne: bounds.atLeastOne && leased.length === 0,
    },
    pacing(sql, bounds.now),
  );
  return { leased: [...leased, ...paced.leased], allFit: allFit && paced.allFit, paces: paced.paces };
}

/** What the statement has besides for webhooks that have a pace, so that it costs nothing for the others. */
interface Pacing {
  readonly buckets: Fragment;
  readonly join: Fragment;
  readonly room: Fragment;
  readonly begun: Fragment;
  readonly paces: Fragment;
}

function pacing(sql: Statements, now: string): Pacing {
  const granted = attemptsGranted(sql, now);
  return {
    // Locked before any delivery, as everywhere. Not waited for: others would wait with it.
    buckets: sql`
    paced as materialized (
      select w.organization_id, w.id, ${granted} as granted, ${pacedAfter(sql, now, granted)} - ${now} as wait
      from targets t join webhooks w on w.organization_id = t.organization_id and w.id = t.id
      for no key update of w skip locked
    ),`,
    join: sql`join paced on paced.id = w.id`,
    room: sql`least(w.room, paced.granted)`,
    begun: sql`,
    begun as (
      update webhooks w set paced_until = ${pacedAfter(sql, now, sql`counted.begun`)}
      from (select p.organization_id, p.id, count(*) as begun from paced p join leased l on l.webhook_id = p.id
            where l.webhook_standing = 'active' group by 1, 2) counted
      where w.organization_id = counted.organization_id and w.id = counted.id and w.max_per_minute is not null
    )`,
    paces: sql`
      (select json_object_agg(t.id, json_build_object(
                'granted', coalesce(p.granted, 0),
                'inMs', coalesce(ceil(extract(epoch from p.wait) * 1000), ${paceLockedMs})))
       from targets t left join paced p on p.id = t.id) as paces`,
  };
}

/** @param paced for webhooks that have a pace alone; without it these are passed by, and named */
async function leaseBy(
  sql: Statements,
  { workerId, now, rooms, bytes, atLeastOne, distributed }: LeaseBounds,
  paced?: Pacing,
): Promise<Leases & { passed: string[] }> {
  const events = distributed ? await eventsElsewhere(sql, { rooms, now }) : eventsBeside(sql);
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
             ${standing(sql, now, sql`'{}'::text[]`)} as standing
      from me cross join unnest(${[...rooms.keys()]}::uuid[], ${[...rooms.values()]}::integer[])
        as asking (webhook_id, room)
      cross join lateral (select organization_id from deliveries where webhook_id = asking.webhook_id limit 1) owner
      join webhooks w on w.organization_id = owner.organization_id and w.id = asking.webhook_id
      ${standingJoins(sql)}
      where not ${isPaused(sql)} ${paced ? sql`and w.max_per_minute is not null` : sql``}
    ),
    ${paced?.buckets ?? sql``}
    chosen as materialized (
      select due.place, w.target_url, w.secret, w.previous_secret, w.signing_key, w.previous_signing_key, w.headers,
             e.type, e.envelope,
             ${events.bytes} as bytes,
             case when w.standing = 'active' and not ${roleBacks(sql, sql`array_remove(array[e.type], null)`)}
               then 'paused' else w.standing end as standing
      from targets w ${paced?.join ?? sql``} cross join lateral (
        select d.ctid as place, d.event_id from deliveries d
        where d.worker_id is null and d.webhook_id = w.id and d.due_at <= ${now}
        order by d.due_at, d.event_id
        limit ${paced?.room ?? sql`w.room`}
        for update skip locked
      ) due
      ${events.join}
      ${paced ? sql`` : sql`where w.max_per_minute is null`}
    ),
    fitting as (
      select chosen.*, row_number() over in_turn as number, sum(coalesce(bytes, 0)) over in_turn as so_far
      from chosen window in_turn as (rows unbounded preceding)
    ),
    leased as (
      update deliveries d set worker_id = ${workerId}
      from fitting f where d.ctid = f.place and (f.so_far <= ${bytes} or (f.number = 1 and ${atLeastOne}))
      returning d.id, d.organization_id, d.webhook_id, d.event_id, d.attempts,
                d.attempts + d.extra_attempts + 1 as number, d.by_hand, d.retry_at, d.created_at, d.in_order,
                f.target_url, f.secret, f.previous_secret, f.signing_key, f.previous_signing_key, f.headers,
                f.standing as webhook_standing, f.type, f.envelope, f.bytes
    )${paced?.begun ?? sql``}
    select counted.*, leased.*
    from (select (select count(*)::integer from chosen) as chosen,
                 ${paced?.paces ?? sql`(select json_agg(id) from targets where max_per_minute is not null) as passed`}
         ) counted
    left join leased on true`;
  const paces = rows[0]?.paces ?? {};
  const envelopes = distributed
    ? await readEnvelopes(
        sql,
        rows.filter(({ id, type }) => id !== null && type !== null),
      )
    : undefined;
  const leased = rows.flatMap(
    ({ chosen: _, paces: __, passed: ___, id, type, envelope: beside, bytes: size, ...delivery }) => {
      if (id === null) return [];
      const envelope = envelopes ? envelopes.get(delivery.event_id) : beside;
      const event = type === null || envelope === undefined ? undefined : { type, envelope, bytes: size };
      return [
        {
          delivery: { id, ...delivery },
          event,
          ...(paced ? { startBy: Date.parse(now) + pacedStartMs } : {}),
        },
      ];
    },
  );
  return { leased, allFit: leased.length === (rows[0]?.chosen ?? 0), paces, passed: rows[0]?.passed ?? [] };
}
