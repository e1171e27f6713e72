import { createHmac, createSecretKey, type KeyObject, sign } from 'node:crypto';
import type { Secrets } from '../../foundations/secrets.ts';
import { placeOfSecret, type SealedColumn, signerOf, webhookSecretBytes } from './signing-keys.ts';
import { openHeaders, type StaticHeader } from './static-headers.ts';

/** The encrypted columns of a webhook; those that it does not have are null, or absent. */
export type Sealed = Readonly<Partial<Record<SealedColumn, Buffer | null>>>;

/** What they hold. */
export interface Opened {
  /** The secret's, and behind it those of a former secret that still signs. */
  readonly keys: readonly SigningKeys[];
  /** The same of private keys. */
  readonly pairs: readonly KeyObject[];
  readonly headers: readonly StaticHeader[];
}

/** Throws UnreadableSecret when no key fits. */
export function openSealed(
  secrets: Secrets,
  webhook: { organization_id: string; id: string },
  sealed: Sealed,
): Opened {
  const textsOf = (...columns: SealedColumn[]): string[] =>
    columns.flatMap((column) => {
      const value = sealed[column];
      return value ? [secrets.decrypt(value, placeOfSecret(webhook, column))] : [];
    });
  return {
    keys: textsOf('secret', 'previous_secret').map(signingKeys),
    pairs: textsOf('signing_key', 'previous_signing_key').map(signerOf),
    headers: sealed.headers ? openHeaders(secrets, webhook, sealed.headers) : [],
  };
}

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
 * @param keys the secret's, and behind it those of a former secret that still signs; the older header has no room
 *   for it
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
