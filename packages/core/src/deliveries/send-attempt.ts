import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Dispatcher as HttpDispatcher } from 'undici';
import { roleBacks } from '../credentials/authorize.ts';
import type { Database, Statements } from '../database/connect.ts';
import { type RequestOutcome, sendRequest } from '../outgoing/index.ts';
import type { Secrets } from '../secrets.ts';
import { placeOfSecret, webhookSecretBytes } from '../webhooks/targets.ts';
import type { LeasedDelivery } from './claim.ts';
import { standing, standingJoins, type WebhookStanding } from './webhook-health.ts';

interface AttemptSenderOptions {
  /** The guarded agent. */
  agent: HttpDispatcher;
  secrets: Secrets;
  limitMs: number;
}

const rememberedSigningKeys = 10_000;

/** What of a delivery an attempt needs. */
export type SentDelivery = Pick<
  ClaimedDelivery,
  'organization_id' | 'webhook_id' | 'event_id' | 'number' | 'target_url' | 'secret' | 'previous_secret'
>;

/** Signs and posts attempts. */
export class AttemptSender {
  readonly #options: AttemptSenderOptions;
  readonly #running = new Set<() => void>();
  readonly #signingKeys = new LRUCache<string, SigningKeys>({ max: rememberedSigningKeys });

  constructor(options: AttemptSenderOptions) {
    this.#options = options;
  }

  /** Throws when the secret cannot be decrypted; trouble of the network is an outcome. */
  async send(delivery: SentDelivery, event: SentEvent, startedAt: Date): Promise<RequestOutcome> {
    const { agent, limitMs } = this.#options;
    const { previous_secret: previous } = delivery;
    const keys = [
      this.#keysOf(delivery, 'secret', delivery.secret),
      ...(previous ? [this.#keysOf(delivery, 'previous_secret', previous)] : []),
    ];
    const headers = deliveryHeaders(keys, {
      eventId: delivery.event_id,
      type: event.type,
      body: event.envelope,
      attempt: delivery.number,
      timestamp: Math.floor(startedAt.getTime() / 1000),
    });
    const url = addressOf(delivery.target_url);
    const running = this.#running;
    return sendRequest(agent, { url, headers, body: event.envelope, timeoutMs: limitMs, running });
  }

  /** Ends what runs. */
  stop(): void {
    for (const end of [...this.#running]) end();
  }

  #keysOf(
    { organization_id, webhook_id: id }: SentDelivery,
    column: 'secret' | 'previous_secret',
    secret: Buffer,
  ): SigningKeys {
    // The place is part of the key, so that a value that somebody copied into another row is not answered from memory
    // either.
    const sealed = `${id} ${column} ${secret.toString('base64')}`;
    const known = this.#signingKeys.get(sealed);
    if (known) return known;
    const keys = signingKeys(
      this.#options.secrets.decrypt(secret, placeOfSecret({ organization_id, id }, column)),
    );
    this.#signingKeys.set(sealed, keys);
    return keys;
  }
}

/** The webhook that a delivery goes to, as it is at this moment. */
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

/** An event as it was read, with the size of its envelope. */
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

/** What is needed of a target's URL at each attempt. */
interface TargetAddress {
  readonly origin: string;
  readonly host: string;
  readonly pathname: string;
  readonly search: string;
}

const rememberedAddresses = 10_000;
const known = new LRUCache<string, TargetAddress>({ max: rememberedAddresses });

/** Parses a target's URL once. Throws a TypeError for what is no URL. */
export function addressOf(target: string): TargetAddress {
  const remembered = known.get(target);
  if (remembered) return remembered;
  const { origin, host, pathname, search } = new URL(target);
  const address = { origin, host, pathname, search };
  known.set(target, address);
  return address;
}

/** A secret made ready: signing with a KeyObject is six times as fast as with a buffer. */
export interface SigningKeys {
  readonly standard: KeyObject;
  readonly older: KeyObject;
}

export const signingKeys = (secret: string): SigningKeys => ({
  standard: createSecretKey(webhookSecretBytes(secret)),
  older: createSecretKey(Buffer.from(secret, 'utf8')),
});

interface UnsignedAttempt {
  eventId: string;
  type: string;
  /** 1 for the first. */
  attempt: number;
  /** Unix seconds of this attempt. */
  timestamp: number;
}

interface SignedAttempt extends UnsignedAttempt {
  body: string;
}

/** The headers of a delivery without its signatures. */
export const unsignedHeaders = ({ eventId, type, attempt, timestamp }: UnsignedAttempt) => ({
  'content-type': 'application/json',
  'user-agent': 'Service-Webhooks/1.0',
  'webhook-id': eventId,
  'webhook-timestamp': String(timestamp),
  'x-service-event': type,
  'x-service-attempt': String(attempt),
});

/**
 * The eight headers of a delivery (rule deliveries 2). Signed anew for each attempt.
 *
 * @param keys the secret's, and behind it those of a former secret that still signs; the older header has no room for it
 */
export function deliveryHeaders(keys: readonly SigningKeys[], signed: SignedAttempt): Record<string, string> {
  const { eventId, body, timestamp } = signed;
  const [current] = keys;
  if (!current) throw new Error('A delivery is signed with at least one secret');
  const signatures = keys.map(({ standard }) => {
    const signature = createHmac('sha256', standard).update(`${eventId}.${timestamp}.${body}`);
    return `v1,${signature.digest('base64')}`;
  });
  const older = createHmac('sha256', current.older).update(body).digest('hex');
  return {
    ...unsignedHeaders(signed),
    'webhook-signature': signatures.join(' '),
    'x-service-signature': `sha256=${older}`,
  };
}
