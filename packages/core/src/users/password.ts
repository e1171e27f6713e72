import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

const derive = promisify(argon2);
// RFC 9106, second recommended option: 64 MiB, three passes.
const cost = { parallelism: 4, tagLength: 32, memory: 64 * 1024, passes: 3 };

/** Stored where there is no password: none fits it. */
export const noPassword = 'none';

/** `argon2id$<salt>$<hash>`, base64. */
export async function hashPassword(password: string): Promise<string> {
  const nonce = randomBytes(16);
  const hash = await derive('argon2id', { ...cost, message: password, nonce });
  return ['argon2id', nonce.toString('base64'), Buffer.from(hash).toString('base64')].join('$');
}

export async function verifyPassword(password: string, stored: string): Promise<boolean> {
  const [kind, salt, hash] = stored.split('$');
  if (kind !== 'argon2id' || !salt || !hash) return false;
  const expected = Buffer.from(hash, 'base64');
  const derived = await derive('argon2id', {
    ...cost,
    message: password,
    nonce: Buffer.from(salt, 'base64'),
  });
  return timingSafeEqual(Buffer.from(derived), expected);
}
