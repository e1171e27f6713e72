import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { passwordHashes } from '../../foundations/operating-limits.ts';
import { Problem } from '../../foundations/problem.ts';

interface Waiting {
  start(): void;
  refuse(): void;
}

/**
 * Runs so much work at once, lets so much wait, and refuses the rest. What waits stands in lanes that take turns,
 * and when there is no room left, the longest lane gives way: whoever asks for much only gets in the way of
 * themselves.
 *
 * Written here because p-queue, which orders by priority, would leave all of this to a queue class of ours.
 */
export class BoundedWork {
  readonly #atOnce: number;
  readonly #mostWaiting: number;
  /** In the order of their turns; none is empty. */
  readonly #lanes = new Map<string, Waiting[]>();
  #waiting = 0;
  #running = 0;

  constructor({ atOnce, waiting }: { atOnce: number; waiting: number }) {
    this.#atOnce = atOnce;
    this.#mostWaiting = waiting;
  }

  /** What the work answers. Raises SERVICE_UNAVAILABLE, without running it, when too much waits. */
  run<Result>(lane: string, work: () => Promise<Result>): Promise<Result> {
    if (this.#running < this.#atOnce) return this.#start(work);
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    const refuse = (): void => reject(new Problem('service.unavailable'));
    if (this.#hasRoom(lane)) this.#enqueue(lane, { start: () => resolve(this.#start(work)), refuse });
    else refuse();
    return promise;
  }

  /** Makes room at the end of the longest lane, unless that is this one. */
  #hasRoom(lane: string): boolean {
    if (this.#waiting < this.#mostWaiting) return true;
    const [longest] = [...this.#lanes].sort(([, one], [, other]) => other.length - one.length);
    if (!longest || longest[1].length <= (this.#lanes.get(lane)?.length ?? 0) + 1) return false;
    longest[1].pop()?.refuse();
    this.#waiting -= 1;
    return true;
  }

  #enqueue(lane: string, waiting: Waiting): void {
    this.#lanes.set(lane, [...(this.#lanes.get(lane) ?? []), waiting]);
    this.#waiting += 1;
  }

  async #start<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#running += 1;
    try {
      return await work();
    } finally {
      this.#running -= 1;
      this.#next();
    }
  }

  #next(): void {
    const [turn] = this.#lanes;
    if (!turn) return;
    const [lane, [first, ...others]] = turn;
    this.#lanes.delete(lane);
    if (others.length > 0) this.#lanes.set(lane, others);
    this.#waiting -= 1;
    first?.start();
  }
}

const derive = promisify(argon2);

interface Cost {
  /** KiB. */
  memory: number;
  passes: number;
  parallelism: number;
}
/**
 * OWASP, Password Storage: the least memory among its equals, because a small machine serves everything else too.
 */
const currentCost: Cost = { memory: 19 * 1024, passes: 2, parallelism: 1 };
const saltBytes = 16;
const tagLength = 32;

/**
 * How many hashes run and wait at once. Each takes its memory and one of libuv's four threads, which name lookups
 * and files need as well; whoever would wait for more than a few seconds is refused (503). Known people have a queue
 * of their own, so that strangers are never in their way.
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
 * @param beside a hash of another user with the same address, whose salt is used again: one derivation then checks a
 *   password against all of them, and its time does not tell how many there are
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
