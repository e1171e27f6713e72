import type { Database, Statements } from '../../foundations/database/connect.ts';
import { inTransaction } from '../../foundations/database/in-transaction.ts';
import { tokenLeaseShare, tokensLeasedFromPerMinute } from '../../foundations/operating-limits.ts';

/** What a process asks of one bucket. */
interface Wish {
  readonly bucket: string;
  /** Requests that may pass in a window. */
  readonly ceiling: number;
  /** How many are needed: fewer are of no use. */
  readonly needed: number;
  /** How many at most to take at once. */
  readonly lease: number;
}

/** What it was given: `lease` tokens, the last of which was number `taken` of the window. */
interface Grant {
  readonly taken: number;
  readonly lease: number;
}

/** Ends the transaction; carries the buckets that had enough left, although another one had not. */
class NotAll extends Error {
  readonly granted: ReadonlySet<string>;

  constructor(granted: ReadonlySet<string>) {
    super('Not every bucket has enough tokens left');
    this.granted = granted;
  }
}

/**
 * Takes tokens of all buckets or of none, by bucket. Otherwise answers the buckets of which the window has not
 * enough left. Callers name the buckets in the same order (credential, organization), so that two of them cannot
 * deadlock.
 */
export async function takeTokens(
  sql: Database,
  minute: number,
  wishes: readonly Wish[],
): Promise<{ grants: ReadonlyMap<string, Grant> } | { full: readonly string[] }> {
  const [only] = wishes;
  if (wishes.length === 1 && only?.needed === 1) {
    const grants = await insertLeases(sql, minute, wishes);
    return grants.size === 1 ? { grants } : { full: [only.bucket] };
  }
  try {
    return await inTransaction(sql, async (tx) => {
      const grants = await insertLeases(tx, minute, wishes);
      const enough = wishes.filter(({ bucket, needed }) => (grants.get(bucket)?.lease ?? 0) >= needed);
      if (enough.length < wishes.length) throw new NotAll(new Set(enough.map(({ bucket }) => bucket)));
      return { grants };
    });
  } catch (error) {
    if (!(error instanceof NotAll)) throw error;
    return { full: wishes.map(({ bucket }) => bucket).filter((bucket) => !error.granted.has(bucket)) };
  }
}

async function insertLeases(
  sql: Statements,
  minute: number,
  wishes: readonly Wish[],
): Promise<Map<string, Grant>> {
  const rows = await sql<(Grant & { bucket_id: string })[]>`
    insert into rate_windows as w (minute, bucket_id, taken, lease, ceiling)
    select ${minute}, bucket, lease, lease, ceiling
    from unnest(${wishes.map(({ bucket }) => bucket)}::uuid[],
                ${wishes.map(({ lease }) => lease)}::integer[],
                ${wishes.map(({ ceiling }) => ceiling)}::integer[])
      with ordinality as wish (bucket, lease, ceiling, place)
    order by place
    on conflict (minute, bucket_id) do update
      set taken = least(w.taken + excluded.lease, excluded.ceiling),
          lease = least(excluded.lease, excluded.ceiling - w.taken),
          ceiling = excluded.ceiling
      where w.taken < excluded.ceiling
    returning bucket_id, taken, lease`;
  return new Map(rows.map(({ bucket_id, taken, lease }) => [bucket_id, { taken, lease }]));
}

/** How many requests each bucket has counted; buckets without any are left out. */
export async function readTaken(
  sql: Statements,
  minute: number,
  buckets: readonly string[],
): Promise<Map<string, number>> {
  const rows = await sql<{ bucket_id: string; taken: number }[]>`
    select bucket_id, taken from rate_windows where minute = ${minute} and bucket_id = any(${buckets}::uuid[])`;
  return new Map(rows.map(({ bucket_id, taken }) => [bucket_id, taken]));
}

/** How many tokens one process takes at once, and so holds unspent at most: 5 % of the limit. */
export const leaseOf = (ceiling: number): number =>
  ceiling < tokensLeasedFromPerMinute ? 1 : Math.floor(ceiling * tokenLeaseShare);

/** What one process knows of one bucket in one window. */
export class Bucket {
  /** Tokens of this process that are not spent. */
  #left = 0;
  /** The number of the last token of this process: its tokens are the `left` ones up to it. */
  #last = 0;
  /** Tokens that all processes have taken, when the database was asked last. */
  #taken = 0;
  #askedAt = Number.NEGATIVE_INFINITY;

  /** Tokens that can be spent without asking the database. */
  get left(): number {
    return this.#left;
  }

  /** Milliseconds since the database was asked. */
  age(monotonicMs: number): number {
    return monotonicMs - this.#askedAt;
  }

  /**
   * Whether so many requests cannot pass any more under this ceiling; the operator may have changed it meanwhile.
   */
  isFull(ceiling: number, requests: number): boolean {
    // The next tokens to spend are the lowest of the lease; they count only when they lie below the ceiling.
    const spent = this.#left < requests ? this.#taken : this.#last;
    return spent - this.#left + requests > ceiling;
  }

  /** Requests left in the window, as a lower bound: what others hold unspent counts as spent. */
  remaining(ceiling: number): number {
    const own = Math.min(this.#left, ceiling - (this.#last - this.#left));
    return Math.max(0, own, ceiling - this.#taken + this.#left);
  }

  spend(tokens: number): void {
    this.#left -= tokens;
  }

  /** Tokens that a request had reserved and did not need after all. */
  giveBack(tokens: number): void {
    this.#left += tokens;
  }

  receive({ taken, lease }: Grant, monotonicMs: number): void {
    this.#left += lease;
    this.#last = taken;
    this.learn(taken, monotonicMs);
  }

  /** The database said how many were taken; that only ever grows in a window. */
  learn(taken: number, monotonicMs: number): void {
    this.#taken = Math.max(this.#taken, taken);
    this.#askedAt = monotonicMs;
  }
}
