import type { Dispatcher as HttpDispatcher } from 'undici';
import { type RequestOutcome, sendRequest } from '../outgoing/index.ts';
import type { Secrets } from '../secrets.ts';
import { placeOfSecret } from '../webhooks/webhook-secret.ts';
import type { ClaimedDelivery, SentEvent } from './read-claimed.ts';
import { deliveryHeaders, type SigningKeys, signingKeys } from './sign.ts';
import { addressOf } from './target-address.ts';

export interface AttemptSenderOptions {
  /** The guarded agent. */
  agent: HttpDispatcher;
  secrets: Secrets;
  limitMs: number;
}

const mostSigningKeys = 10_000;

/** What of a delivery an attempt needs. */
export type SentDelivery = Pick<
  ClaimedDelivery,
  'organization_id' | 'webhook_id' | 'event_id' | 'number' | 'target_url' | 'secret' | 'previous_secret'
>;

/** Signs and posts attempts. */
export class AttemptSender {
  readonly #options: AttemptSenderOptions;
  readonly #running = new Set<() => void>();
  readonly #signingKeys = new Map<string, SigningKeys>();

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
    // With its place: what was put into another one is not to be read there, remembered or not.
    const sealed = `${id} ${column} ${secret.toString('base64')}`;
    const known = this.#signingKeys.get(sealed);
    if (known) return known;
    const keys = signingKeys(
      this.#options.secrets.decrypt(secret, placeOfSecret({ organization_id, id }, column)),
    );
    this.#signingKeys.set(sealed, keys);
    const [oldest] = this.#signingKeys.keys();
    if (this.#signingKeys.size > mostSigningKeys && oldest !== undefined) this.#signingKeys.delete(oldest);
    return keys;
  }
}
