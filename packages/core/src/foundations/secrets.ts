import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto';

const keyBytes = 32;
const ivBytes = 12;
const tagBytes = 16;
const fingerprintBytes = 8;
/** Begins what is bound to its place; the former form began with a random number. */
export const boundMarker = Buffer.from('dks\u0002', 'latin1');

/** Where an encrypted value stands. It can be read there and nowhere else. */
export interface SealedPlace {
  readonly table: string;
  readonly column: string;
  /** What tells the row from all others of its table. */
  readonly row: readonly string[];
}

interface Key {
  readonly bytes: Buffer;
  /** The same, as OpenSSL wants it: making it of bytes at each use costs more than a short text's encryption. */
  readonly sealing: KeyObject;
  /** Tells which key it is, and nothing of it. */
  readonly fingerprint: string;
  /** What everything begins with that is encrypted under it. */
  readonly prefix: Buffer;
  readonly signing: KeyObject;
}

/** A value was encrypted under a key that is not at hand, or for another place. */
export class UnreadableSecret extends Error {
  override readonly name = 'UnreadableSecret';

  constructor() {
    super('A stored secret cannot be decrypted: SECRETS_KEY lacks the key that it was encrypted with');
  }
}

/** Encrypts what must be read again (webhook secrets, stored answers) with AES-256-GCM under `SECRETS_KEY`. */
export class Secrets {
  readonly #keys: readonly Key[];
  readonly #first: Key;
  /** Whether what is not bound to its place is read, as it was before there were places. */
  readonly #readsFormer: boolean;

  /** The first key encrypts, all decrypt, so that keys can be rotated. */
  constructor(keys: readonly Buffer[], { readsFormer = true } = {}) {
    if (keys.some((key) => key.length !== keyBytes))
      throw new Error('SECRETS_KEY must hold keys of 32 bytes');
    this.#keys = keys.map(keyOf);
    const [first] = this.#keys;
    if (!first) throw new Error('SECRETS_KEY is empty');
    this.#first = first;
    this.#readsFormer = readsFormer;
  }

  /** The fingerprints of all keys; that of the key that encrypts comes first. */
  get fingerprints(): readonly string[] {
    return this.#keys.map(({ fingerprint }) => fingerprint);
  }

  /** Fingerprint of the key that encrypts. */
  get fingerprint(): string {
    return this.#first.fingerprint;
  }

  /** What everything begins with that needs no rotation: it is bound, and encrypted under the first key. */
  get prefix(): Buffer {
    return this.#first.prefix;
  }

  /**
   * The same keys without the former form, for a database that holds nothing of it: from then on, a value that was
   * copied to another place is refused.
   */
  withoutFormer(): Secrets {
    return new Secrets(
      this.#keys.map(({ bytes }) => bytes),
      { readsFormer: false },
    );
  }

  encrypt(text: string, place: SealedPlace): Buffer {
    const iv = randomBytes(ivBytes);
    const cipher = createCipheriv('aes-256-gcm', this.#first.sealing, iv).setAAD(placeBytes(place));
    const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return Buffer.concat([this.#first.prefix, iv, cipher.getAuthTag(), sealed]);
  }

  /** Throws UnreadableSecret when no key fits, or the value was encrypted for another place. */
  decrypt(sealed: Uint8Array, place: SealedPlace): string {
    const read = this.#read(sealed, place);
    if (read) return read.text;
    throw new UnreadableSecret();
  }

  /** Whether one of the keys fits. */
  canDecrypt(sealed: Uint8Array, place: SealedPlace): boolean {
    return this.#read(sealed, place) !== undefined;
  }

  /** Fingerprint of the key that a value was encrypted under; undefined when none fits. */
  fingerprintOf(sealed: Uint8Array, place: SealedPlace): string | undefined {
    return this.#read(sealed, place)?.key.fingerprint;
  }

  #read(sealed: Uint8Array, place: SealedPlace): { text: string; key: Key } | undefined {
    const bytes = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength);
    const key = this.#keys.find(({ prefix }) => bytes.subarray(0, prefix.length).equals(prefix));
    const text = key && open(key, bytes.subarray(key.prefix.length), placeBytes(place));
    if (key && text !== undefined) return { text, key };
    for (const key of this.#readsFormer ? this.#keys : []) {
      const text = open(key, bytes);
      if (text !== undefined) return { text, key };
    }
    return undefined;
  }

  /** Signs what a client carries back to us, such as cursors. One signature for each key, the newest first. */
  signatures(text: string): Buffer[] {
    return this.#keys.map(({ signing }) =>
      createHmac('sha256', signing).update(text).digest().subarray(0, 16),
    );
  }
}

function keyOf(bytes: Buffer): Key {
  const derived = (purpose: string, length: number): Buffer =>
    Buffer.from(hkdfSync('sha256', bytes, '', purpose, length));
  const fingerprint = derived('fingerprint', fingerprintBytes);
  return {
    bytes,
    sealing: createSecretKey(bytes),
    fingerprint: fingerprint.toString('hex'),
    prefix: Buffer.concat([boundMarker, fingerprint]),
    signing: createSecretKey(derived('cursor', keyBytes)),
  };
}

const placeBytes = ({ table, column, row }: SealedPlace): Buffer =>
  Buffer.from(JSON.stringify([table, column, ...row]));

/** Undefined when the key or the place is another one. */
function open({ sealing }: Key, sealed: Buffer, place?: Buffer): string | undefined {
  if (sealed.length < ivBytes + tagBytes) return undefined;
  const decipher = createDecipheriv('aes-256-gcm', sealing, sealed.subarray(0, ivBytes));
  decipher.setAuthTag(sealed.subarray(ivBytes, ivBytes + tagBytes));
  if (place) decipher.setAAD(place);
  const head = decipher.update(sealed.subarray(ivBytes + tagBytes));
  try {
    return Buffer.concat([head, decipher.final()]).toString('utf8');
  } catch {
    // Encrypted under another key, or for another place.
    return undefined;
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
