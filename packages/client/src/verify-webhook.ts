import { type Envelope, isEnvelope } from './envelope.ts';
import { type VerifyOptions, verifyDelivery, WebhookVerificationError } from './transport/index.ts';
import { readWebhookKeys } from './webhook-key.ts';

/** Headers as fetch has them (`Headers`), or as Node has them, names in any case. */
export type DeliveryHeaders =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * Verifies a delivery by Standard Webhooks and returns its envelope. `payload` is the body exactly as it came, before
 * any parsing; `keys` is the `whsec_…` that creating the webhook answered, or the `whpk_…` of a webhook that signs with
 * a key pair, too, or several of them. One matching signature of one key is enough, so that a secret can be changed
 * without a gap. The same event can come twice: its `id` tells.
 *
 * Throws WebhookVerificationError for a delivery that cannot be trusted, TypeError for a key that is none.
 */
export function verifyWebhook(
  payload: string | Uint8Array,
  headers: DeliveryHeaders,
  keys: string | readonly string[],
  options: VerifyOptions = {},
): Envelope {
  if (typeof payload !== 'string' && !(payload instanceof Uint8Array)) {
    throw new TypeError('payload must be the raw body, a string or a Uint8Array: not yet parsed.');
  }
  const header = (name: string) => headerOf(headers, name);
  const { id, body } = verifyDelivery(payload, header, readWebhookKeys(keys), options);
  return readEnvelope(body, id);
}

function headerOf(headers: DeliveryHeaders, name: string): string | undefined {
  if (isHeaders(headers)) return headers.get(name) ?? undefined;
  const value = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  return typeof value === 'string' ? value : value?.join(' ');
}

const isHeaders = (headers: DeliveryHeaders): headers is { get(name: string): string | null } =>
  typeof headers['get'] === 'function';

function readEnvelope(text: string, id: string): Envelope {
  const envelope = parse(text);
  if (!isEnvelope(envelope) || envelope.id !== id) {
    throw new WebhookVerificationError('INVALID_PAYLOAD', 'The body is no envelope of this delivery.');
  }
  return envelope;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
