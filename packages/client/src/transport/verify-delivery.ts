import { Webhook } from 'standardwebhooks';

/** Why a delivery is refused. */
export type WebhookRefusal =
  | 'MISSING_HEADER'
  | 'INVALID_TIMESTAMP'
  | 'TOO_OLD'
  | 'TOO_NEW'
  | 'NO_MATCHING_SIGNATURE'
  | 'INVALID_PAYLOAD';

/** Why a delivery cannot be trusted. Each receiver says it in its own words. */
export interface RefusedDelivery {
  readonly code: WebhookRefusal;
  /** The header that is missing. */
  readonly header?: string;
  /** How old the delivery is; below 0 where it comes from the future. */
  readonly ageSeconds?: number;
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

/**
 * What checks by a secret, `whsec_…`: the library of Standard Webhooks. Throws its error for a secret that is none.
 */
export function secretKey(secret: string): WebhookKey {
  const webhook = new Webhook(secret);
  // The library knows five minutes by the system's clock and no other time. Receivers of ours may set both, and a
  // platform may hold a delivery back for longer, so timeProblem decides instead; the signature is the library's to
  // compare.
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
      } catch {
        // "No matching signature found" is all that is left to refuse.
        return false;
      }
    },
  };
}

type HeaderOf = (name: string) => string | null | undefined;

/**
 * The id and the text of a delivery that one of the keys has signed, and that is not too old or too new; or why it
 * is refused. `payload` is the body exactly as it came.
 */
export function verifyDelivery(
  payload: string | Uint8Array,
  header: HeaderOf,
  keys: readonly WebhookKey[],
  options: VerifyOptions = {},
): { readonly id: string; readonly body: string } | RefusedDelivery {
  const names = ['webhook-id', 'webhook-timestamp', 'webhook-signature'];
  const [id = '', timestamp = '', signatures = ''] = names.map((name) => header(name) ?? '');
  const absent = names.find((name) => !header(name));
  if (absent !== undefined) return { code: 'MISSING_HEADER', header: absent };
  const untimely = timeProblem(timestamp, options);
  if (untimely) return untimely;
  const body = textOf(payload);
  if (body === undefined) return { code: 'INVALID_PAYLOAD' };
  const isSigned = keys.some((key) => key.hasSigned({ id, timestamp, body, signatures }));
  return isSigned ? { id, body } : { code: 'NO_MATCHING_SIGNATURE' };
}

function timeProblem(
  timestamp: string,
  { toleranceSeconds = 300, now = Date.now }: VerifyOptions,
): RefusedDelivery | undefined {
  const seconds = Number(timestamp);
  // Beyond this there is no Date.
  if (!/^\d+$/.test(timestamp) || seconds > 8.64e12) return { code: 'INVALID_TIMESTAMP' };
  const ageSeconds = Math.floor(now() / 1000) - seconds;
  if (Math.abs(ageSeconds) <= toleranceSeconds) return undefined;
  return { code: ageSeconds > 0 ? 'TOO_OLD' : 'TOO_NEW', ageSeconds };
}

/** The library takes a text. Read strictly: two different bodies must never read as the same text. */
function textOf(payload: string | Uint8Array): string | undefined {
  if (typeof payload === 'string') return payload;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(payload);
  } catch {
    return undefined;
  }
}
