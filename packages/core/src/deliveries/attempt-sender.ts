import type { Dispatcher as HttpDispatcher } from 'undici';
import { type RequestOutcome, sendRequest } from '../outgoing/index.ts';
import type { Secrets } from '../secrets.ts';
import type { ClaimedDelivery } from './claim.ts';
import { deliveryHeaders, type SigningKeys, signingKeys } from './sign.ts';

export interface AttemptSenderOptions {
  /** The guarded agent. */
  agent: HttpDispatcher;
  secrets: Secrets;
  limitMs: number;
  /** Ends what runs. */
  signal: AbortSignal;
}

/** An event as it is sent. */
export interface SentEvent {
  type: string;
  envelope: string;
}

const mostSigningKeys = 10_000;

/** What of a delivery an attempt needs. */
export type SentDelivery = Pick<
  ClaimedDelivery,
  'event_id' | 'number' | 'target_url' | 'secret' | 'previous_secret'
>;

/** Signs and posts attempts. */
export class AttemptSender {
  readonly #options: AttemptSenderOptions;
  readonly #signingKeys = new Map<string, SigningKeys>();

  constructor(options: AttemptSenderOptions) {
    this.#options = options;
  }

  /** Throws when the secret cannot be decrypted; trouble of the network is an outcome. */
  async send(delivery: SentDelivery, event: SentEvent, startedAt: Date): Promise<RequestOutcome> {
    const { agent, limitMs, signal } = this.#options;
    const { secret, previous_secret: previous } = delivery;
    const keys = [this.#keysOf(secret), ...(previous ? [this.#keysOf(previous)] : [])];
    const headers = deliveryHeaders(keys, {
      eventId: delivery.event_id,
      type: event.type,
      body: event.envelope,
      attempt: delivery.number,
      timestamp: Math.floor(startedAt.getTime() / 1000),
    });
    const url = new URL(delivery.target_url);
    return sendRequest(agent, { url, headers, body: event.envelope, timeoutMs: limitMs, signal });
  }

  #keysOf(secret: Buffer): SigningKeys {
    const sealed = secret.toString('base64');
    const known = this.#signingKeys.get(sealed);
    if (known) return known;
    const keys = signingKeys(this.#options.secrets.decrypt(secret));
    this.#signingKeys.set(sealed, keys);
    const [oldest] = this.#signingKeys.keys();
    if (this.#signingKeys.size > mostSigningKeys && oldest !== undefined) this.#signingKeys.delete(oldest);
    return keys;
  }
}
