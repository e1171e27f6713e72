import { ed25519 } from '@noble/curves/ed25519.js';
import { Webhook } from 'standardwebhooks';

/** What a signature is made of: `ID.TIMESTAMP.BODY`. */
export interface SignedContent {
  readonly id: string;
  /** In seconds, as the header says it. */
  readonly timestamp: string;
  readonly body: string;
}

/** What checks the signatures of one version of Standard Webhooks. */
export interface WebhookKey {
  readonly version: 'v1' | 'v1a';
  /** Whether `signature`, base64 without its version, was made of this content with this key. */
  isSignatureOf(signature: string, content: SignedContent): boolean;
}

/** The keys that a receiver passes, each in the text form in which Dealkeep shows it. Throws TypeError without showing any. */
export function readWebhookKeys(keys: string | readonly string[]): WebhookKey[] {
  const several = typeof keys === 'string' ? [keys] : keys;
  if (!Array.isArray(several) || several.length === 0) {
    throw new TypeError('Pass a key to verify with, or an array of them: whsec_… or whpk_….');
  }
  return several.map(readKey);
}

const publicPrefix = 'whpk_';
const privatePrefix = 'whsk_';

function readKey(key: unknown): WebhookKey {
  if (typeof key === 'string' && key.startsWith(publicPrefix)) return publicKey(key);
  if (typeof key === 'string' && key.startsWith(privatePrefix)) {
    throw new TypeError('whsk_… is a private key, which only signs: pass the public key, whpk_….');
  }
  return secretKey(key);
}

function secretKey(secret: unknown): WebhookKey {
  const webhook = readSecret(secret);
  return {
    version: 'v1',
    isSignatureOf(signature, { id, timestamp, body }) {
      // Webhook.verify has no tolerance to set and refuses a Uint8Array, so its signature is compared here.
      const expected = webhook.sign(id, new Date(Number(timestamp) * 1000), body);
      return isSame(`v1,${signature}`, expected);
    },
  };
}

function readSecret(secret: unknown): Webhook {
  try {
    if (typeof secret === 'string') return new Webhook(secret);
  } catch {
    // Said below, for every secret that is none.
  }
  throw new TypeError('secret must be the signing secret of the webhook: whsec_… as it was answered.');
}

function publicKey(key: string): WebhookKey {
  const point = readBase64(key.slice(publicPrefix.length), 32);
  if (!point || !ed25519.utils.isValidPublicKey(point, false)) {
    throw new TypeError("The public key must be the one that the webhook's page shows: whpk_… to its end.");
  }
  return {
    version: 'v1a',
    isSignatureOf(signature, { id, timestamp, body }) {
      const bytes = readBase64(signature, 64);
      const content = new TextEncoder().encode(`${id}.${timestamp}.${body}`);
      // As RFC 8032 decides it, and with it Node and OpenSSL: without the exceptions of ZIP-215.
      return bytes !== undefined && ed25519.verify(bytes, content, point, { zip215: false });
    },
  };
}

/** Exactly so many bytes in padded base64. */
function readBase64(text: string, length: number): Uint8Array | undefined {
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(text) || text.length !== Math.ceil(length / 3) * 4) return undefined;
  const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  return bytes.length === length ? bytes : undefined;
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
