import type { Clock } from '../clock.ts';
import type { Credential } from '../credentials/credential.ts';
import type { Database } from '../database/connect.ts';
import { Bucket, leaseOf } from './bucket.ts';
import { readTaken, takeTokens } from './take-tokens.ts';

/** How a request stands with its limits: what the headers of its response say. */
export interface RateStanding {
  /** False: too many requests; this one was not counted. */
  readonly passed: boolean;
  /** Ceiling of the bucket with the fewest requests left. */
  readonly limit: number;
  /** Requests left in that bucket, as a lower bound. */
  readonly remaining: number;
  /** Whole seconds until the window ends, at least 1. */
  readonly secondsLeft: number;
}

interface Counted {
  readonly id: string;
  readonly ceiling: number;
  readonly bucket: Bucket;
}

/** How long a process may rely on what it was told of a bucket, for the number that it shows. */
const freshForMs = 100;
const windowMs = 60_000;

/**
 * Counts requests in fixed one-minute windows by the core's clock, once for the credential and once for its
 * organization (decisions, section 7). All processes share the counts of the database; each takes small leases, so
 * that few requests wait for it. A window never passes more than its limit, since every token is taken from the
 * database before it is spent; what a process holds unspent at the end of a window is lost.
 */
export class RateLimiter {
  readonly #sql: Database;
  readonly #clock: Clock;
  #minute = Number.NaN;
  #buckets = new Map<string, Bucket>();
  /** One request at a time asks for an organization; the others use what it brings. */
  readonly #turns = new Map<string, Promise<void>>();

  constructor({ sql, clock }: { sql: Database; clock: Clock }) {
    this.#sql = sql;
    this.#clock = clock;
  }

  /** Counts a request, or refuses it. Trouble of the database stays what it is; nothing passes uncounted. */
  count(credential: Credential): RateStanding | Promise<RateStanding> {
    return this.#decide(this.#countedBy(credential)) ?? this.#ask(credential);
  }

  /** The window of this moment; what was known of another one is forgotten. */
  #window(): number {
    const minute = Math.floor(this.#clock.now().getTime() / windowMs);
    if (minute !== this.#minute) {
      this.#minute = minute;
      this.#buckets = new Map();
    }
    return minute;
  }

  #countedBy({ id, organization }: Credential): readonly Counted[] {
    this.#window();
    return [
      { id, ceiling: organization.requestsPerMinute, bucket: this.#bucket(id) },
      {
        id: organization.id,
        ceiling: organization.organizationRequestsPerMinute,
        bucket: this.#bucket(organization.id),
      },
    ];
  }

  #bucket(id: string): Bucket {
    let bucket = this.#buckets.get(id);
    if (!bucket) {
      bucket = new Bucket();
      this.#buckets.set(id, bucket);
    }
    return bucket;
  }

  /** Undefined when the database must be asked. */
  #decide(counted: readonly Counted[]): RateStanding | undefined {
    if (counted.some(({ bucket, ceiling }) => bucket.isFull(ceiling))) return this.#standing(counted, false);
    const now = performance.now();
    if (counted.some(({ bucket }) => bucket.empty || bucket.age(now) > freshForMs)) return undefined;
    for (const { bucket } of counted) bucket.spend();
    return this.#standing(counted, true);
  }

  #standing(counted: readonly Counted[], passed: boolean): RateStanding {
    const [tightest = { limit: 0, remaining: 0 }] = counted
      .map(({ bucket, ceiling }) => ({ limit: ceiling, remaining: bucket.remaining(ceiling) }))
      .sort((a, b) => a.remaining - b.remaining || a.limit - b.limit);
    return { passed, ...tightest, secondsLeft: secondsLeft(this.#clock) };
  }

  #ask(credential: Credential): Promise<RateStanding> {
    return this.#inTurn(credential.organization.id, async () => {
      for (;;) {
        const minute = this.#window();
        const counted = this.#countedBy(credential);
        const standing = this.#decide(counted) ?? (await this.#refill(minute, counted));
        if (standing) return standing;
      }
    });
  }

  /** Counts the request with what the database grants. Undefined when that has to be decided anew. */
  async #refill(minute: number, counted: readonly Counted[]): Promise<RateStanding | undefined> {
    const missing = counted.filter(({ bucket }) => bucket.empty);
    const held = counted.filter(({ bucket }) => !bucket.empty);
    // Reserved meanwhile, so that no other request spends what this one counts on.
    for (const { bucket } of held) bucket.spend();
    let counts: boolean;
    try {
      const [granted] = await Promise.all([this.#take(minute, missing), this.#refresh(minute, held)]);
      // What was taken from a window that is over is worth nothing in the next.
      counts = granted && this.#window() === minute;
    } catch (error) {
      for (const { bucket } of held) bucket.giveBack();
      throw error;
    }
    for (const { bucket } of counts ? missing : []) bucket.spend();
    for (const { bucket } of counts ? [] : held) bucket.giveBack();
    return counts ? this.#standing(counted, true) : undefined;
  }

  /** Whether all of them got tokens; otherwise none of them did. */
  async #take(minute: number, missing: readonly Counted[]): Promise<boolean> {
    if (missing.length === 0) return true;
    const wishes = missing.map(({ id, ceiling }) => ({ bucket: id, ceiling, lease: leaseOf(ceiling) }));
    const outcome = await takeTokens(this.#sql, minute, wishes);
    const now = performance.now();
    for (const { id, ceiling, bucket } of missing) {
      if ('full' in outcome) {
        if (outcome.full.includes(id)) bucket.learn(ceiling, now);
        continue;
      }
      const grant = outcome.grants.get(id);
      if (grant) bucket.receive(grant, now);
    }
    return 'grants' in outcome;
  }

  async #refresh(minute: number, held: readonly Counted[]): Promise<void> {
    const now = performance.now();
    const stale = held.filter(({ bucket }) => bucket.age(now) > freshForMs);
    if (stale.length === 0) return;
    const taken = await readTaken(
      this.#sql,
      minute,
      stale.map(({ id }) => id),
    );
    for (const { id, bucket } of stale) bucket.learn(taken.get(id) ?? 0, performance.now());
  }

  async #inTurn<Result>(organization: string, work: () => Promise<Result>): Promise<Result> {
    const before = this.#turns.get(organization);
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#turns.set(organization, promise);
    try {
      await before;
      return await work();
    } finally {
      resolve();
      if (this.#turns.get(organization) === promise) this.#turns.delete(organization);
    }
  }
}

/** Whole seconds until the window of this moment ends, at least 1. */
export const secondsLeft = (clock: Clock): number =>
  Math.ceil((windowMs - (clock.now().getTime() % windowMs)) / 1000);
