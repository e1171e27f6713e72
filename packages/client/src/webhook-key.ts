import { ed25519 } from '@noble/curves/ed25519.js';
import { secretKey, type WebhookKey } from './transport/index.ts';

/**
 * The keys that a receiver passes, each in the text form in which Dealkeep shows it. Throws TypeError without
 * showing any.
 */
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
  return readSecret(key);
}

function readSecret(secret: unknown): WebhookKey {
  try {
    if (typeof secret === 'string') return secretKey(secret);
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
    hasSigned({ id, timestamp, body, signatures }) {
      const content = new TextEncoder().encode(`${id}.${timestamp}.${body}`);
      return signatures.split(' ').some((each) => {
        const bytes = each.startsWith('v1a,') ? readBase64(each.slice('v1a,'.length), 64) : undefined;
        // As RFC 8032 decides it, and with it Node and OpenSSL: without the exceptions of ZIP-215.
        return bytes !== undefined && ed25519.verify(bytes, content, point, { zip215: false });
      });
    },
  };
}

/** Exactly so many bytes in padded base64. */
function readBase64(text: string, length: number): Uint8Array | undefined {
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(text) || text.length !== Math.ceil(length / 3) * 4) return undefined;
  const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  return bytes.length === length ? bytes : undefined;
}
