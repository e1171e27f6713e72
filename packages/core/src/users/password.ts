import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { passwordHashes } from '../operating-limits.ts';
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
 * How many hashes run and wait at once. Each takes its memory and one of libuv's four threads, which name lookups and
 * files need as well; whoever would wait for more than a few seconds is refused (503). Known people have a queue of
 * their own, so that strangers are never in their way.
 */
const hashing = {
  known: new BoundedWork(passwordHashes.known),
  strangers: new BoundedWork(passwordHashes.strangers),
};

/** Who waits for a password's hash: those who wait take turns by lane. */
export interface Asker {
  /** Signed in, or in a browser that was signed in to the account before. */
  readonly known: boolean;
  readonly lane: string;
}

/** The lane of new passwords, which only known people set. */
const setting: Asker = { known: true, lane: 'setting' };

/** Stored where there is no password: none fits it. */
export const noPassword = 'none';

/**
 * The PHC string `$argon2id$v=19$m=…,t=…,p=…$salt$hash`, so that passwords stay good when the cost is raised. Raises
 * SERVICE_UNAVAILABLE when too many wait.
 *
 * @param beside the hash of somebody with the same address: the two share its salt, so that one derivation tells for
 *   whom of them a password is right, and the time of it not how many they are
 */
export async function hashPassword(password: string, beside = noPassword): Promise<string> {
  const salt = parse(beside)?.salt ?? randomBytes(saltBytes);
  const hash = await hashOf(setting, password, salt, currentCost);
  const { memory, passes, parallelism } = currentCost;
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${base64(salt)}$${base64(hash)}`;
}

/** Takes as long where there is no password as where there is one. Raises SERVICE_UNAVAILABLE when too many wait. */
export const verifyPassword = async (asker: Asker, password: string, stored: string): Promise<boolean> =>
  (await fittingHash(asker, password, [stored])) !== undefined;

/**
 * The first of the stored hashes that a password fits. Hashes of one salt and cost take one derivation together, and
 * none at all takes one, too. Raises SERVICE_UNAVAILABLE when too many wait.
 */
export async function fittingHash(
  asker: Asker,
  password: string,
  stored: readonly string[],
): Promise<string | undefined> {
  const hashes = stored.flatMap((text) => parse(text) ?? []);
  const alike = Map.groupBy(hashes, ({ text }) => text.slice(0, text.lastIndexOf('$')));
  if (alike.size === 0) await hashOf(asker, password, Buffer.alloc(saltBytes), currentCost);
  let fitting: string | undefined;
  for (const [first, ...others] of alike.values()) {
    if (!first) continue;
    const derived = await hashOf(asker, password, first.salt, first.cost);
    const isRight = ({ hash }: StoredHash): boolean =>
      hash.length === derived.length && timingSafeEqual(derived, hash);
    fitting ??= [first, ...others].find(isRight)?.text;
  }
  return fitting;
}

interface StoredHash {
  readonly text: string;
  readonly cost: Cost;
  readonly salt: Buffer;
  readonly hash: Buffer;
}

const phc = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/;

/** Undefined where there is no password. */
function parse(text: string): StoredHash | undefined {
  const [, memory, passes, parallelism, salt, hash] = phc.exec(text) ?? [];
  if (salt === undefined || hash === undefined) return undefined;
  return {
    text,
    cost: { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) },
    salt: Buffer.from(salt, 'base64'),
    hash: Buffer.from(hash, 'base64'),
  };
}

async function hashOf({ known, lane }: Asker, message: string, nonce: Buffer, cost: Cost): Promise<Buffer> {
  const work = () => derive('argon2id', { ...cost, tagLength, message, nonce });
  return Buffer.from(await (known ? hashing.known : hashing.strangers).run(lane, work));
}

/** Without the padding, as PHC strings have it. */
const base64 = (bytes: Buffer): string => bytes.toString('base64').replace(/=+$/, '');
