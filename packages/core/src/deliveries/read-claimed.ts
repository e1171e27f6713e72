import { roleBacks } from '../credentials/role-backs.ts';
import type { Database, Statements } from '../database/connect.ts';
import type { LeasedDelivery } from './claim.ts';
import { standing, standingJoins, type WebhookStanding } from './webhook-standing.ts';

/** Where a delivery goes, as it is at this moment. */
interface Target {
  target_url: string;
  secret: Buffer;
  /** Signs too, for a day after the secret was rotated. */
  previous_secret: Buffer | null;
  webhook_standing: WebhookStanding;
}

/** A delivery that this worker holds the lease of, with all that its attempt needs. */
export interface ClaimedDelivery extends LeasedDelivery, Target {}

/** What the role of the person behind a connection does not let be read, of what its hook is subscribed to. */
interface Withheld {
  withheld_types: readonly string[];
}

/** An event as it is sent. */
export interface SentEvent {
  type: string;
  envelope: string;
}

/** The same as it was read, with the size of its envelope. */
export interface ReadEvent extends SentEvent {
  bytes: number;
}

/** How much may be read at once: the envelope of each delivery counts. */
export interface Room {
  readonly bytes: number;
  /** The first delivery is read however large its envelope is. */
  readonly atLeastOne: boolean;
}

/**
 * What the attempts of leased deliveries need, of the first ones that there is room for (`read` of them); each webhook
 * and event is read once. A delivery whose webhook was removed meanwhile is gone with it.
 */
export async function readClaimed(
  sql: Database,
  leased: readonly LeasedDelivery[],
  now: string,
  room: Room,
): Promise<{ claimed: ClaimedDelivery[]; events: Map<string, ReadEvent>; read: number }> {
  const [targets, { events, read }] = await Promise.all([
    readTargets(sql, leased, now),
    readEvents(sql, leased, room),
  ]);
  const claimed = leased.slice(0, read).flatMap((delivery) => {
    const known = targets.get(delivery.webhook_id);
    if (!known) return [];
    const { withheld_types: withheld, ...target } = known;
    const type = events.get(delivery.event_id)?.type;
    const isWithheld = target.webhook_standing === 'active' && type !== undefined && withheld.includes(type);
    return [Object.assign(delivery, target, isWithheld ? { webhook_standing: 'paused' as const } : {})];
  });
  return { claimed, events, read };
}

async function readTargets(
  sql: Statements,
  leased: readonly LeasedDelivery[],
  now: string,
): Promise<Map<string, Target & Withheld>> {
  const organizations = new Map(leased.map((each) => [each.webhook_id, each.organization_id]));
  const rows = await sql<(Target & Withheld & { id: string })[]>`
    select w.id, w.target_url, w.secret,
           case when w.previous_secret_until > ${now} then w.previous_secret end as previous_secret,
           ${standing(sql, now, sql`'{}'::text[]`)} as webhook_standing,
           case when w.oauth_connection_id is null then '{}' else
             array(select type from unnest(w.events) subscribed (type) where not ${roleBacks(sql, sql`array[type]`)})
           end as withheld_types
    from unnest(${[...organizations.values()]}::uuid[], ${[...organizations.keys()]}::uuid[])
      as wanted (organization_id, id)
    join webhooks w on w.organization_id = wanted.organization_id and w.id = wanted.id
    ${standingJoins(sql)}`;
  return new Map(rows.map(({ id, ...target }) => [id, target]));
}

async function readEvents(
  sql: Statements,
  leased: readonly LeasedDelivery[],
  { bytes, atLeastOne }: Room,
): Promise<{ events: Map<string, ReadEvent>; read: number }> {
  // The sizes are known to PostgreSQL without unpacking anything; only what fits is sent here.
  const rows = await sql<(ReadEvent & { id: string | null; last: number })[]>`
    with sized as materialized (
      select wanted.*, octet_length(e.envelope) as bytes,
             sum(coalesce(octet_length(e.envelope), 0)) over (order by wanted.place) as so_far
      from unnest(${leased.map((each) => each.organization_id)}::uuid[], ${leased.map((each) => each.event_id)}::text[])
        with ordinality as wanted (organization_id, id, place)
      left join events e on e.organization_id = wanted.organization_id and e.id = wanted.id)
    select e.id, e.type, e.envelope, fitting.bytes, fitting.last
    from (select organization_id, id, bytes, max(place)::integer as last from sized
          where so_far <= ${bytes} or (place = 1 and ${atLeastOne})
          group by organization_id, id, bytes) fitting
    left join events e on e.organization_id = fitting.organization_id and e.id = fitting.id`;
  const events = rows.flatMap(({ id, last: _, ...event }) => (id === null ? [] : [[id, event] as const]));
  return { events: new Map(events), read: Math.max(0, ...rows.map(({ last }) => last)) };
}
