import { createHmac, createSecretKey, type KeyObject, sign } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Dispatcher as HttpDispatcher } from 'undici';
import { type RequestOutcome, sendRequest } from '../../outgoing/index.ts';
import type { Secrets } from '../../secrets.ts';
import { type SpanOutcome, type SpanStart, tracing } from '../../tracing.ts';
import {
  placeOfSecret,
  type SealedColumn,
  sealedColumns,
  signerOf,
  webhookSecretBytes,
} from '../../webhooks/signing-keys.ts';
import { openHeaders, type StaticHeader, withoutValues } from '../../webhooks/static-headers.ts';
import type { LeasedDelivery, SentEvent } from '../queue/lease.ts';

interface AttemptSenderOptions {
  /** The guarded agent. */
  agent: HttpDispatcher;
  secrets: Secrets;
  limitMs: number;
}

const rememberedSecrets = 10_000;

/** What of a delivery an attempt needs. */
export type SentDelivery = Pick<
  LeasedDelivery,
  'organization_id' | 'webhook_id' | 'event_id' | 'number' | 'target_url' | SealedColumn
>;

/** What the encrypted columns of a webhook hold. */
interface Opened {
  /** The secret's, and behind it those of a former secret that still signs. */
  readonly keys: readonly SigningKeys[];
  /** The same of private keys. */
  readonly pairs: readonly KeyObject[];
  readonly headers: readonly StaticHeader[];
}

/** Signs and posts attempts. */
export class AttemptSender {
  readonly #options: AttemptSenderOptions;
  readonly #running = new Set<() => void>();
  readonly #opened = new LRUCache<string, Opened>({ max: rememberedSecrets });

  constructor(options: AttemptSenderOptions) {
    this.#options = options;
  }

  /** Throws when a secret cannot be decrypted; trouble of the network is an outcome. */
  async send(delivery: SentDelivery, event: SentEvent, startedAt: Date): Promise<RequestOutcome> {
    const { agent, limitMs } = this.#options;
    const opened = this.#open(delivery);
    const signed = {
      eventId: delivery.event_id,
      type: event.type,
      body: event.envelope,
      attempt: delivery.number,
      timestamp: Math.floor(startedAt.getTime() / 1000),
    };
    const own = opened.headers.map(({ name, value }) => [name, value]);
    const url = addressOf(delivery.target_url);
    const span = tracing?.begin(spanOf(delivery, event, url));
    const headers = {
      ...deliveryHeaders(opened.keys, signed, opened.pairs),
      ...(span && !opened.headers.some(isTraceparent) ? { traceparent: span.traceparent } : {}),
      ...Object.fromEntries(own),
    };
    const running = this.#running;
    const outcome = await sendRequest(agent, {
      url,
      headers,
      body: event.envelope,
      timeoutMs: limitMs,
      running,
    });
    span?.end(endOf(outcome));
    return opened.headers.length === 0 ? outcome : unrepeated(outcome, opened.headers);
  }

  /** Ends what runs. */
  stop(): void {
    for (const end of [...this.#running]) end();
  }

  #open({ organization_id, webhook_id: id, ...sealed }: SentDelivery): Opened {
    // The place is part of the key, so that a value that somebody copied into another row is not answered from memory
    // either.
    const key = [id, ...sealedColumns.map((column) => sealed[column]?.toString('base64'))].join(' ');
    const known = this.#opened.get(key);
    if (known) return known;
    const { secrets } = this.#options;
    const webhook = { organization_id, id };
    const textsOf = (...columns: SealedColumn[]): string[] =>
      columns.flatMap((column) => {
        const value = sealed[column];
        return value ? [secrets.decrypt(value, placeOfSecret(webhook, column))] : [];
      });
    const opened = {
      keys: textsOf('secret', 'previous_secret').map(signingKeys),
      pairs: textsOf('signing_key', 'previous_signing_key').map(signerOf),
      headers: sealed.headers ? openHeaders(secrets, webhook, sealed.headers) : [],
    };
    this.#opened.set(key, opened);
    return opened;
  }
}

const isTraceparent = ({ name }: StaticHeader): boolean => name.toLowerCase() === 'traceparent';

/** Of the address only the host, because paths often hold secrets. */
const spanOf = (
  { event_id, webhook_id, organization_id, number }: SentDelivery,
  { type }: SentEvent,
  { hostname }: URL,
): SpanStart => ({
  name: `deliver ${type}`,
  kind: 'client',
  parent: { event: event_id },
  attributes: {
    'http.request.method': 'POST',
    'server.address': hostname,
    'dealkeep.event_id': event_id,
    'dealkeep.webhook_id': webhook_id,
    'dealkeep.organization_id': organization_id,
    'dealkeep.attempt': number,
  },
});

function endOf(outcome: RequestOutcome): SpanOutcome {
  if (outcome.outcome === 'failed') return { fault: outcome.reason };
  const { status } = outcome;
  const attributes = { 'http.response.status_code': status };
  return status < 300 ? { attributes } : { attributes, fault: String(status) };
}

/** A receiver may answer with what it was sent; the log does not keep values of headers. */
function unrepeated(outcome: RequestOutcome, headers: readonly StaticHeader[]): RequestOutcome {
  if (outcome.outcome === 'failed') return outcome;
  const { location } = outcome.headers;
  return {
    ...outcome,
    responseStart: withoutValues(outcome.responseStart, headers),
    headers: {
      ...outcome.headers,
      ...(location === undefined ? {} : { location: withoutValues(location, headers) }),
    },
  };
}

const rememberedAddresses = 10_000;
const addresses = new LRUCache<string, URL>({
  max: rememberedAddresses,
  memoMethod: (target) => new URL(target),
});

/** Parses a target's URL once. Throws a TypeError for what is no URL. */
export const addressOf = (target: string): URL => addresses.memo(target);

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
 * @param pairs private Ed25519 keys that sign besides
 */
export function deliveryHeaders(
  keys: readonly SigningKeys[],
  signed: SignedAttempt,
  pairs: readonly KeyObject[] = [],
): Record<string, string> {
  const { eventId, body, timestamp } = signed;
  const [current] = keys;
  if (!current) throw new Error('A delivery is signed with at least one secret');
  const content = `${eventId}.${timestamp}.${body}`;
  const signatures = keys.map(
    ({ standard }) => `v1,${createHmac('sha256', standard).update(content).digest('base64')}`,
  );
  for (const pair of pairs) {
    signatures.push(`v1a,${sign(null, Buffer.from(content), pair).toString('base64')}`);
  }
  const older = createHmac('sha256', current.older).update(body).digest('hex');
  return {
    ...unsignedHeaders(signed),
    'webhook-signature': signatures.join(' '),
    'x-service-signature': `sha256=${older}`,
  };
}
