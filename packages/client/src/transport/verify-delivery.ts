import { WebhookVerificationError as Mismatch, Webhook } from 'standardwebhooks';

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

export interface VerifyOptions {
  /** How far the delivery's time may be from now, either way. 300 when absent; Infinity behind a queue. */
  readonly toleranceSeconds?: number;
  /** Milliseconds since 1970; the system's clock when absent. */
  readonly now?: () => number;
}

/** A delivery as it was signed: `ID.TIMESTAMP.BODY`. */
export interface SignedDelivery {
  readonly id: string;
  /** In seconds, as the header says it. */
  readonly timestamp: string;
  readonly body: string;
  /** The header: signatures of several versions and keys, separated by spaces, `v1,BASE64 v1a,BASE64`. */
  readonly signatures: string;
}

/** What checks the signatures of one version of Standard Webhooks. */
export interface WebhookKey {
  readonly version: 'v1' | 'v1a';
  /** Whether one of the delivery's signatures was made of it with this key. */
  hasSigned(delivery: SignedDelivery): boolean;
}

/** What checks by a secret, `whsec_…`: the library of Standard Webhooks. Throws its error for a secret that is none. */
export function secretKey(secret: string): WebhookKey {
  const webhook = new Webhook(secret);
  // The library knows five minutes by the system's clock and no other time. Receivers of ours may set both, and a platform
  // may hold a delivery back for longer, so checkTime decides instead; the signature is the library's to compare.
  Object.defineProperty(webhook, 'verifyTimestamp', {
    value: (seconds: string) => new Date(Number(seconds) * 1000),
  });
  return {
    version: 'v1',
    hasSigned({ id, timestamp, body, signatures }) {
      const headers = { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures };
      try {
        webhook.verify(body, headers, { jsonParse: false });
        return true;
      } catch (error) {
        if (error instanceof Mismatch) return false;
        throw error;
      }
    },
  };
}

/**
 * The id and the text of a delivery that one of the keys has signed, and that is not too old or too new. `payload` is the
 * body exactly as it came. Throws WebhookVerificationError for every other one.
 */
export function verifyDelivery(
  payload: string | Uint8Array,
  header: (name: string) => string | null | undefined,
  keys: readonly WebhookKey[],
  options: VerifyOptions = {},
): { readonly id: string; readonly body: string } {
  const [id, timestamp, signatures] = [
    requireHeader(header, 'webhook-id'),
    requireHeader(header, 'webhook-timestamp'),
    requireHeader(header, 'webhook-signature'),
  ];
  checkTime(timestamp, options);
  const body = readText(payload);
  if (!keys.some((key) => key.hasSigned({ id, timestamp, body, signatures }))) {
    const versions = signatures.split(' ').map((each) => each.split(',', 1)[0]);
    const isComparable = keys.some(({ version }) => versions.includes(version));
    throw new WebhookVerificationError('NO_MATCHING_SIGNATURE', isComparable ? noMatch : missing(keys));
  }
  return { id, body };
}

const noMatch =
  'No signature of the delivery matches. Pass the body exactly as it came, and the secret or public key of this webhook.';

const missing = (keys: readonly WebhookKey[]): string =>
  keys.every(({ version }) => version === 'v1a')
    ? 'The delivery has no v1a signature, which a public key (whpk_…) checks: let the webhook sign with a key pair, too, or pass its secret (whsec_…).'
    : 'The delivery has no v1 signature, which a secret (whsec_…) checks.';

function requireHeader(header: (name: string) => string | null | undefined, name: string): string {
  const value = header(name);
  if (!value) throw new WebhookVerificationError('MISSING_HEADER', `The header ${name} is missing.`);
  return value;
}

function checkTime(timestamp: string, { toleranceSeconds = 300, now = Date.now }: VerifyOptions): void {
  const seconds = Number(timestamp);
  // Beyond this there is no Date.
  if (!/^\d+$/.test(timestamp) || seconds > 8.64e12) {
    throw new WebhookVerificationError('INVALID_TIMESTAMP', 'The header webhook-timestamp is no Unix time.');
  }
  const age = Math.floor(now() / 1000) - seconds;
  if (age > toleranceSeconds) {
    throw new WebhookVerificationError('TOO_OLD', `The delivery was signed ${age} seconds ago.`);
  }
  if (-age > toleranceSeconds) {
    throw new WebhookVerificationError('TOO_NEW', `The delivery was signed ${-age} seconds in the future.`);
  }
}

/** The library takes a text. Read strictly: two different bodies must never read as the same text. */
function readText(payload: string | Uint8Array): string {
  if (typeof payload === 'string') return payload;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(payload);
  } catch {
    throw new WebhookVerificationError('INVALID_PAYLOAD', 'The body is no UTF-8 text.');
  }
}
