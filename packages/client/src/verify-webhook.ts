import { type Envelope, isEnvelope } from './envelope.ts';
import { readWebhookKeys, type SignedContent, type WebhookKey } from './webhook-key.ts';

/** Why a delivery is refused. */
export type WebhookRefusal =
  | 'MISSING_HEADER'
  | 'INVALID_TIMESTAMP'
  | 'TOO_OLD'
  | 'TOO_NEW'
  | 'NO_MATCHING_SIGNATURE'
  | 'INVALID_PAYLOAD';

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

export interface VerifyOptions {
  /** How far the delivery's time may be from now, either way. 300 when absent; Infinity behind a queue. */
  readonly toleranceSeconds?: number;
  /** Milliseconds since 1970; the system's clock when absent. */
  readonly now?: () => number;
}

const defaultToleranceSeconds = 300;

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
  const id = requireHeader(headers, 'webhook-id');
  const timestamp = requireHeader(headers, 'webhook-timestamp');
  checkTimestamp(timestamp, options);
  const signatures = requireHeader(headers, 'webhook-signature');
  const body = readText(payload);
  requireSignature(signatures, readWebhookKeys(keys), { id, timestamp, body });
  return readEnvelope(body, id);
}

/** The header holds signatures of several versions and keys, separated by spaces: `v1,BASE64 v1a,BASE64`. */
function requireSignature(header: string, keys: readonly WebhookKey[], content: SignedContent): void {
  const signatures = header.split(' ').map((each) => {
    const comma = each.indexOf(',');
    return { version: each.slice(0, comma), signature: each.slice(comma + 1) };
  });
  const versions = new Set(signatures.map(({ version }) => version));
  if (!keys.some(({ version }) => versions.has(version))) {
    throw new WebhookVerificationError('NO_MATCHING_SIGNATURE', missing(keys));
  }
  const matches = keys.some((key) =>
    signatures.some(
      ({ version, signature }) => version === key.version && key.isSignatureOf(signature, content),
    ),
  );
  if (!matches) {
    throw new WebhookVerificationError(
      'NO_MATCHING_SIGNATURE',
      'No signature of the delivery matches. Pass the body exactly as it came, and the secret or public key of this webhook.',
    );
  }
}

function missing(keys: readonly WebhookKey[]): string {
  return keys.every(({ version }) => version === 'v1a')
    ? 'The delivery has no v1a signature, which a public key (whpk_…) checks: let the webhook sign with a key pair, too, or pass its secret (whsec_…).'
    : 'The delivery has no v1 signature, which a secret (whsec_…) checks.';
}

function requireHeader(headers: DeliveryHeaders, name: string): string {
  const value = headerOf(headers, name);
  if (!value) throw new WebhookVerificationError('MISSING_HEADER', `The header ${name} is missing.`);
  return value;
}

function headerOf(headers: DeliveryHeaders, name: string): string | undefined {
  if (isHeaders(headers)) return headers.get(name) ?? undefined;
  const value = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  return typeof value === 'string' ? value : value?.join(' ');
}

const isHeaders = (headers: DeliveryHeaders): headers is { get(name: string): string | null } =>
  typeof headers['get'] === 'function';

function checkTimestamp(header: string, options: VerifyOptions): void {
  const seconds = Number(header);
  // Beyond this there is no Date.
  if (!/^\d+$/.test(header) || seconds > 8.64e12) {
    throw new WebhookVerificationError('INVALID_TIMESTAMP', 'The header webhook-timestamp is no Unix time.');
  }
  const { toleranceSeconds = defaultToleranceSeconds, now = Date.now } = options;
  const age = Math.floor(now() / 1000) - seconds;
  if (age > toleranceSeconds) {
    throw new WebhookVerificationError('TOO_OLD', `The delivery was signed ${age} seconds ago.`);
  }
  if (-age > toleranceSeconds) {
    throw new WebhookVerificationError('TOO_NEW', `The delivery was signed ${-age} seconds in the future.`);
  }
}

function readText(payload: string | Uint8Array): string {
  if (typeof payload === 'string') return payload;
  if (!(payload instanceof Uint8Array)) {
    throw new TypeError('payload must be the raw body, a string or a Uint8Array: not yet parsed.');
  }
  try {
    // Strictly: two different bodies must never read as the same text.
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(payload);
  } catch {
    throw new WebhookVerificationError('INVALID_PAYLOAD', 'The body is no UTF-8 text.');
  }
}

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
