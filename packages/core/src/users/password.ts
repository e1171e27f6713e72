import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { Problem } from '../problem.ts';
import { BoundedWork } from './bounded-work.ts';

const derive = promisify(argon2);

interface Cost {
  /** KiB. */
  memory: number;
  passes: number;
  parallelism: number;
}
/** OWASP, Password Storage: the least memory among its equals, because a small machine serves everything else too. */
const currentCost: Cost = { memory: 19 * 1024, passes: 2, parallelism: 1 };
const saltBytes = 16;
const tagLength = 32;

/**
 * Each takes its memory and one of libuv's four threads, which name lookups and files need as well. Who would wait for
 * more than a second or two is told to come back.
 */
const hashing = new BoundedWork({ atOnce: 2, waiting: 64 });

/** Stored where there is no password: none fits it. */
export const noPassword = 'none';

/**
 * The PHC string `$argon2id$v=19$m=…,t=…,p=…$salt$hash`, so that passwords stay good when the cost is raised. Raises
 * SERVICE_UNAVAILABLE when too many wait.
 */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(saltBytes);
  const hash = await hashOf(password, salt, currentCost);
  const { memory, passes, parallelism } = currentCost;
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${base64(salt)}$${base64(hash)}`;
}

const phc = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/;

/** Takes as long where there is no password as where there is one. Raises SERVICE_UNAVAILABLE when too many wait. */
export async function verifyPassword(password: string, stored: string): Promise<boolean> {
  const [, memory, passes, parallelism, salt, hash] = phc.exec(stored) ?? [];
  if (salt === undefined || hash === undefined) {
    await hashOf(password, Buffer.alloc(saltBytes), currentCost);
    return false;
  }
  const cost = { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) };
  const derived = await hashOf(password, Buffer.from(salt, 'base64'), cost);
  const expected = Buffer.from(hash, 'base64');
  return expected.length === derived.length && timingSafeEqual(derived, expected);
}

async function hashOf(message: string, nonce: Buffer, cost: Cost): Promise<Buffer> {
  const work = hashing.run(() => derive('argon2id', { ...cost, tagLength, message, nonce }));
  if (!work) throw new Problem('service.unavailable');
  return Buffer.from(await work);
}

/** Without the padding, as PHC strings have it. */
const base64 = (bytes: Buffer): string => bytes.toString('base64').replace(/=+$/, '');
