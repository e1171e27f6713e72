import { Webhook } from 'standardwebhooks';
import { type Envelope, isEnvelope } from './envelope.ts';

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
 * any parsing; `secret` is the `whsec_…` that creating the webhook answered. One matching signature of several is
 * enough, so that a secret can be changed without a gap. The same event can come twice: its `id` tells.
 *
 * Throws WebhookVerificationError for a delivery that cannot be trusted, TypeError for a secret that is none.
 */
export function verifyWebhook(
  payload: string | Uint8Array,
  headers: DeliveryHeaders,
  secret: string,
  options: VerifyOptions = {},
): Envelope {
  const id = requireHeader(headers, 'webhook-id');
  const timestamp = readTimestamp(requireHeader(headers, 'webhook-timestamp'), options);
  const signatures = requireHeader(headers, 'webhook-signature').split(' ');
  const text = readText(payload);
  // Webhook.verify has no tolerance to set and refuses a Uint8Array, so its signature is compared here.
  const expected = readSecret(secret).sign(id, timestamp, text);
  if (!signatures.some((signature) => isSame(signature, expected))) {
    throw new WebhookVerificationError(
      'NO_MATCHING_SIGNATURE',
      'No signature of the delivery matches. Pass the body exactly as it came, and the secret of this webhook.',
    );
  }
  return readEnvelope(text, id);
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

function readTimestamp(header: string, options: VerifyOptions): Date {
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
  return new Date(seconds * 1000);
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

function readSecret(secret: string): Webhook {
  try {
    return new Webhook(secret);
  } catch {
    throw new TypeError('secret must be the signing secret of the webhook: whsec_… as it was answered.');
  }
}

/** In the same time for every signature of that length. */
function isSame(signature: string, expected: string): boolean {
  if (signature.length !== expected.length) return false;
  let difference = 0;
  for (let index = 0; index < expected.length; index += 1) {
    difference |= signature.charCodeAt(index) ^ expected.charCodeAt(index);
  }
  return difference === 0;
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
