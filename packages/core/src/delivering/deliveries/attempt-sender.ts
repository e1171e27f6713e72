import { asciiLowerCase } from '@dealkeep/contract';
import { LRUCache } from 'lru-cache';
import type { Dispatcher as HttpDispatcher } from 'undici';
import { type RequestOutcome, sendRequest } from '../../foundations/outgoing/index.ts';
import type { Secrets } from '../../foundations/secrets.ts';
import { type OpenSpan, type SpanOutcome, type SpanStart, tracing } from '../../foundations/tracing.ts';
import { deliveryHeaders, type Opened, openSealed, type Sealed } from '../webhooks/signed-headers.ts';
import { type SealedColumn, sealedColumns } from '../webhooks/signing-keys.ts';
import { type StaticHeader, withoutValues } from '../webhooks/static-headers.ts';
import type { LeasedDelivery, SentEvent } from './lease/lease.ts';

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

/** An attempt as it leaves. */
export interface SignedRequest {
  readonly url: URL;
  readonly headers: Record<string, string>;
  readonly body: string;
  /** The headers of its webhook, whose values the log does not keep. */
  readonly own: readonly StaticHeader[];
  readonly span: OpenSpan | undefined;
}

/** Signs attempts, and posts them. */
export class AttemptSender {
  readonly #options: AttemptSenderOptions;
  readonly #running = new Set<() => void>();
  /** By webhook: what its columns hold, as long as they are the same. */
  readonly #opened = new LRUCache<string, Opened & { sealed: Sealed }>({ max: rememberedSecrets });

  constructor(options: AttemptSenderOptions) {
    this.#options = options;
  }

  /** Throws UnreadableSecret when a secret cannot be decrypted. */
  sign(delivery: SentDelivery, event: SentEvent, startedAt: Date): SignedRequest {
    const { keys, pairs, headers: own } = this.#open(delivery);
    const body = event.envelope;
    const signed = {
      eventId: delivery.event_id,
      type: event.type,
      body,
      attempt: delivery.number,
      timestamp: Math.floor(startedAt.getTime() / 1000),
    };
    const url = addressOf(delivery.target_url);
    const span = tracing?.begin(spanOf(delivery, event, url));
    const headers = {
      ...deliveryHeaders(keys, signed, pairs),
      ...(span && !own.some(isTraceparent) ? { traceparent: span.traceparent } : {}),
      ...Object.fromEntries(own.map(({ name, value }) => [name, value])),
    };
    return { url, headers, body, own, span };
  }

  /** Trouble of the network is an outcome. */
  async send({ url, headers, body, own, span }: SignedRequest): Promise<RequestOutcome> {
    const { agent, limitMs: timeoutMs } = this.#options;
    const outcome = await sendRequest(agent, { url, headers, body, timeoutMs, running: this.#running });
    span?.end(endOf(outcome));
    return own.length === 0 ? outcome : unrepeated(outcome, own);
  }

  /** Ends what runs. */
  stop(): void {
    for (const end of [...this.#running]) end();
  }

  #open(delivery: SentDelivery): Opened {
    const { organization_id, webhook_id: id } = delivery;
    const known = this.#opened.get(id);
    const isSame = (column: SealedColumn): boolean => {
      const [then, now] = [known?.sealed[column], delivery[column]];
      return then && now ? then.equals(now) : then === now;
    };
    if (known && sealedColumns.every(isSame)) return known;
    const sealed = Object.fromEntries(sealedColumns.map((column) => [column, delivery[column]]));
    const opened = { ...openSealed(this.#options.secrets, { organization_id, id }, sealed), sealed };
    this.#opened.set(id, opened);
    return opened;
  }
}

const isTraceparent = ({ name }: StaticHeader): boolean => asciiLowerCase(name) === 'traceparent';

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
