import { limits } from '@dealkeep/contract';
import type { Clock } from '../clock.ts';
import type { Core } from '../core.ts';
import type { Credential } from '../credentials/credential.ts';
import type { Database } from '../database/connect.ts';
import { derivedId } from '../organizations/default-lookups.ts';
import { Problem } from '../problem.ts';
import { Bucket, leaseOf, readTaken, takeTokens } from './take-tokens.ts';

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

interface CountedBucket {
  readonly id: string;
  readonly ceiling: number;
  readonly bucket: Bucket;
}

/** What one request is to be counted by. */
interface Asked {
  readonly buckets: readonly { readonly id: string; readonly ceiling: number }[];
  /** Requests that share it ask the database one after the other. */
  readonly turn: string;
  /** Whether anybody is shown how many requests are left, so that the number has to be fresh. */
  readonly shown: boolean;
}

/** A request with its buckets of the current window. */
interface Counted {
  readonly minute: number;
  readonly secondsLeft: number;
  readonly buckets: readonly CountedBucket[];
  readonly freshForMs: number;
}

/** How long a process may rely on what it was told of a bucket, for the number that it shows. */
const freshForMs = 100;
const windowMs = 60_000;

/**
 * Counts requests in fixed one-minute windows by the core's clock: those of the API once for the credential and once for
 * its organization (rules rate-limits 2, 4 and 7), those of a session and of an application once for each. All
 * processes share the counts of the database; each takes small leases, so that few requests wait for it. A window
 * never passes more than its limit, since every token is taken from the database before it is spent; what a process
 * holds unspent at the end of a window is lost.
 */
export class RateLimiter {
  readonly #sql: Database;
  readonly #clock: Clock;
  #minute = Number.NaN;
  #buckets = new Map<string, Bucket>();
  /** For each organization one request at a time asks the database; those that wait use what it brings. */
  readonly #turns = new Map<string, Promise<void>>();

  constructor({ sql, clock }: { sql: Database; clock: Clock }) {
    this.#sql = sql;
    this.#clock = clock;
  }

  /** Counts a request, or refuses it. Trouble of the database stays what it is; nothing passes uncounted. */
  count({ id, organization }: Credential): RateStanding | Promise<RateStanding> {
    const own = { id, ceiling: organization.requestsPerMinute };
    const shared = { id: organization.id, ceiling: organization.organizationRequestsPerMinute };
    return this.#count({ buckets: [own, shared], turn: organization.id, shown: true });
  }

  /** Counts a request that has no credential of the API: of a session of the console, or of an application. */
  countAlone(id: string, ceiling: number): RateStanding | Promise<RateStanding> {
    return this.#count({ buckets: [{ id, ceiling }], turn: id, shown: false });
  }

  #count(asked: Asked): RateStanding | Promise<RateStanding> {
    return this.#decide(this.#countedBy(asked)) ?? this.#ask(asked);
  }

  /** The buckets of this moment's window; what was known of another one is forgotten. */
  #countedBy({ buckets, shown }: Asked): Counted {
    const now = this.#clock.now().getTime();
    const minute = Math.floor(now / windowMs);
    if (minute !== this.#minute) {
      this.#minute = minute;
      this.#buckets = new Map();
    }
    return {
      minute,
      secondsLeft: secondsLeftAt(now),
      buckets: buckets.map(({ id, ceiling }) => ({ id, ceiling, bucket: this.#bucket(id) })),
      freshForMs: shown ? freshForMs : Number.POSITIVE_INFINITY,
    };
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
  #decide(counted: Counted): RateStanding | undefined {
    const { buckets } = counted;
    if (buckets.some(isFull)) return standingOf(counted, false);
    const now = performance.now();
    if (buckets.some((each) => isUncertain(each, now, counted.freshForMs))) return undefined;
    for (const { bucket } of buckets) bucket.spend();
    return standingOf(counted, true);
  }

  #ask(asked: Asked): Promise<RateStanding> {
    return this.#inTurn(asked.turn, async () => {
      for (;;) {
        const counted = this.#countedBy(asked);
        const standing = this.#decide(counted) ?? (await this.#refill(counted));
        if (standing) return standing;
      }
    });
  }

  /** Counts the request with what the database grants. Undefined when the request has to be judged anew. */
  async #refill(counted: Counted): Promise<RateStanding | undefined> {
    const { minute, buckets } = counted;
    const missing = buckets.filter(({ bucket }) => bucket.empty);
    const held = buckets.filter(({ bucket }) => !bucket.empty);
    // Reserved meanwhile, so that no other request spends what this one counts on.
    for (const { bucket } of held) bucket.spend();
    let counts = false;
    try {
      await this.#refresh(counted, held);
      const granted = await this.#take(minute, missing);
      // Tokens of a window that ended meanwhile do not count in the next one.
      counts = granted && Math.floor(this.#clock.now().getTime() / windowMs) === minute;
    } finally {
      for (const { bucket } of counts ? [] : held) bucket.giveBack();
    }
    return counts ? standingOf(counted, true) : undefined;
  }

  /**
   * Takes a token of each for this request, and a lease for the next ones. Answers false when one bucket had none left;
   * then no bucket gave any.
   */
  async #take(minute: number, missing: readonly CountedBucket[]): Promise<boolean> {
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
      if (!grant) continue;
      bucket.receive(grant, now);
      // At once, before any other request can run.
      bucket.spend();
    }
    return 'grants' in outcome;
  }

  async #refresh({ minute, freshForMs }: Counted, held: readonly CountedBucket[]): Promise<void> {
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

const isFull = ({ bucket, ceiling }: CountedBucket): boolean => bucket.isFull(ceiling);

const isUncertain = ({ bucket }: CountedBucket, now: number, freshForMs: number): boolean =>
  bucket.empty || bucket.age(now) > freshForMs;

/** Shows the bucket with the fewest requests left; of two equal ones the lower ceiling. */
function standingOf({ buckets, secondsLeft }: Counted, passed: boolean): RateStanding {
  let [limit, remaining] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (const { bucket, ceiling } of buckets) {
    const left = bucket.remaining(ceiling);
    if (left < remaining || (left === remaining && ceiling < limit)) [limit, remaining] = [ceiling, left];
  }
  return { passed, limit, remaining, secondsLeft };
}

const secondsLeftAt = (now: number): number => Math.ceil((windowMs - (now % windowMs)) / 1000);

/** Whole seconds until the window of this moment ends, at least 1. */
export const secondsLeft = (clock: Clock): number => secondsLeftAt(clock.now().getTime());

/** Counts a request of a session of the console; its form token stays while its cookie changes. Raises RATE_LIMITED. */
export const countSession = (core: Core, { csrfToken }: { readonly csrfToken: string }): Promise<void> =>
  requireTurn(core, derivedId('sessions', csrfToken), ceilingsOf(core).session);

/** Counts a request of an application that has proved who it is. Raises RATE_LIMITED. */
export const countApplication = (core: Core, clientId: string): Promise<void> =>
  requireTurn(core, derivedId('oauth_apps', clientId), ceilingsOf(core).application);

const usual = {
  session: limits.sessionRequestsPerMinute,
  application: limits.applicationRequestsPerMinute,
} as const;

const ceilingsOf = ({ requestCeilings }: Core): Record<keyof typeof usual, number> =>
  requestCeilings ?? usual;

async function requireTurn(core: Core, bucket: string, ceiling: number): Promise<void> {
  const { passed, secondsLeft } = await core.rateLimiter.countAlone(bucket, ceiling);
  if (passed) return;
  core.metrics.countRefusal();
  throw new Problem('rate.limited', { seconds: secondsLeft });
}
