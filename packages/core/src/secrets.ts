import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';

const keyBytes = 32;
const ivBytes = 12;
const tagBytes = 16;

/** Encrypts what must be read again (webhook secrets, stored answers) with AES-256-GCM under `SECRETS_KEY`. */
export class Secrets {
  readonly #keys: readonly Buffer[];
  readonly #signingKeys: readonly Buffer[];

  /** The first key encrypts, all decrypt, so that keys can be rotated. */
  constructor(keys: readonly Buffer[]) {
    if (keys.length === 0 || keys.some((key) => key.length !== keyBytes)) {
      throw new Error('SECRETS_KEY must hold keys of 32 bytes');
    }
    this.#keys = keys;
    this.#signingKeys = keys.map((key) => Buffer.from(hkdfSync('sha256', key, '', 'cursor', keyBytes)));
  }

  encrypt(text: string): Buffer {
    const iv = randomBytes(ivBytes);
    const cipher = createCipheriv('aes-256-gcm', this.#first(this.#keys), iv);
    const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return Buffer.concat([iv, cipher.getAuthTag(), sealed]);
  }

  /** Throws when no key fits. */
  decrypt(sealed: Uint8Array): string {
    const text = this.#open(sealed);
    if (text !== undefined) return text;
    throw new Error(
      'A stored secret cannot be decrypted: SECRETS_KEY lacks the key that it was encrypted with',
    );
  }

  /** Whether one of the keys fits. */
  canDecrypt(sealed: Uint8Array): boolean {
    return this.#open(sealed) !== undefined;
  }

  #open(sealed: Uint8Array): string | undefined {
    for (const key of this.#keys) {
      const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, ivBytes));
      decipher.setAuthTag(sealed.subarray(ivBytes, ivBytes + tagBytes));
      const head = decipher.update(sealed.subarray(ivBytes + tagBytes));
      try {
        return Buffer.concat([head, decipher.final()]).toString('utf8');
      } catch {
        // Sealed under another key: the next one is tried.
      }
    }
    return undefined;
  }

  /** Signs what a client carries back to us, such as cursors. One signature for each key, the newest first. */
  signatures(text: string): Buffer[] {
    return this.#signingKeys.map((key) => createHmac('sha256', key).update(text).digest().subarray(0, 16));
  }

  #first(keys: readonly Buffer[]): Buffer {
    const [key] = keys;
    if (!key) throw new Error('SECRETS_KEY is empty');
    return key;
  }
}

/** Reads `SECRETS_KEY`: base64 keys of 32 bytes, comma-separated. Throws with what it accepts. */
export function parseSecretsKey(text: string): Secrets {
  const keys = text.split(',').map((part) => Buffer.from(part.trim(), 'base64'));
  if (keys.some((key) => key.length !== keyBytes)) {
    throw new Error('must be 32 bytes in base64, or several of them separated by commas');
  }
  return new Secrets(keys);
}

export const newSecretsKey = (): string => randomBytes(keyBytes).toString('base64');
