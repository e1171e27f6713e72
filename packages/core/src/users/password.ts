import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { Problem } from '../problem.ts';
import { BoundedWork } from './bounded-work.ts';

const derive = promisify(argon2);
// RFC 9106, second recommended option, and above the least of OWASP's Password Storage: 64 MiB, three passes.
const cost = { parallelism: 4, tagLength: 32, memory: 64 * 1024, passes: 3 };

/**
 * Each takes 64 MiB and one of libuv's four threads, which name lookups and files need as well. Who would wait for
 * more than a few seconds is told to come back.
 */
const hashing = new BoundedWork({ atOnce: 2, waiting: 16 });

/** Stored where there is no password: none fits it. */
export const noPassword = 'none';

/** `argon2id$<salt>$<hash>`, base64. Raises SERVICE_UNAVAILABLE when too many wait. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const hash = await hashOf(password, salt);
  return ['argon2id', salt.toString('base64'), hash.toString('base64')].join('$');
}

/** Takes as long where there is no password as where there is one. Raises SERVICE_UNAVAILABLE when too many wait. */
export async function verifyPassword(password: string, stored: string): Promise<boolean> {
  const [salt, expected] = stored
    .split('$')
    .slice(1)
    .map((part) => Buffer.from(part, 'base64'));
  const derived = await hashOf(password, salt ?? Buffer.alloc(16));
  return expected?.length === derived.length && timingSafeEqual(derived, expected);
}

async function hashOf(password: string, nonce: Buffer): Promise<Buffer> {
  const work = hashing.run(() => derive('argon2id', { ...cost, message: password, nonce }));
  if (!work) throw new Problem('service.unavailable');
  return Buffer.from(await work);
}
