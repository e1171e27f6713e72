import { type Envelope, isEnvelope } from './envelope.ts';
import {
  type RefusedDelivery,
  type VerifyOptions,
  verifyDelivery,
  type WebhookKey,
  type WebhookRefusal,
} from './transport/index.ts';
import { readWebhookKeys } from './webhook-key.ts';

/** A delivery that cannot be trusted. Answer it with 400 or 401 and do nothing else. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';
  readonly code: WebhookRefusal;

  constructor(code: WebhookRefusal, message: string) {
    super(message);
    this.code = code;
  }
}

/** Headers as fetch has them (`Headers`), or as Node has them, names in any case. */
export type DeliveryHeaders =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * Verifies a delivery by Standard Webhooks and returns its envelope. `payload` is the body exactly as it came,
 * before any parsing; `keys` is the `whsec_…` that creating the webhook answered, or the `whpk_…` of a webhook that
 * signs with a key pair, too, or several of them. One matching signature of one key is enough, so that a secret can
 * be changed without a gap. The same event can come twice: its `id` tells.
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
  const webhookKeys = readWebhookKeys(keys);
  const delivery = verifyDelivery(payload, header, webhookKeys, options);
  if (!('code' in delivery)) return readEnvelope(delivery.body, delivery.id);
  const signatures = header('webhook-signature')?.split(' ') ?? [];
  throw new WebhookVerificationError(delivery.code, reasonOf(delivery, webhookKeys, signatures));
}

function reasonOf(
  { code, header, ageSeconds = 0 }: RefusedDelivery,
  keys: readonly WebhookKey[],
  signatures: readonly string[],
): string {
  switch (code) {
    case 'MISSING_HEADER':
      return `The header ${header} is missing.`;
    case 'INVALID_TIMESTAMP':
      return 'The header webhook-timestamp is no Unix time.';
    case 'TOO_OLD':
      return `The delivery was signed ${ageSeconds} seconds ago.`;
    case 'TOO_NEW':
      return `The delivery was signed ${-ageSeconds} seconds in the future.`;
    case 'INVALID_PAYLOAD':
      return 'The body is no UTF-8 text.';
    case 'NO_MATCHING_SIGNATURE': {
      const isComparable = keys.some(({ version }) =>
        signatures.some((each) => each.startsWith(`${version},`)),
      );
      return isComparable ? noMatch : missing(keys);
    }
  }
}

const noMatch =
  'No signature of the delivery matches. Pass the body exactly as it came, and the secret or public key of this webhook.';

const missing = (keys: readonly WebhookKey[]): string =>
  keys.every(({ version }) => version === 'v1a')
    ? 'The delivery has no v1a signature, which a public key (whpk_…) checks: let the webhook sign with a key pair, too, or pass its secret (whsec_…).'
    : 'The delivery has no v1 signature, which a secret (whsec_…) checks.';

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
