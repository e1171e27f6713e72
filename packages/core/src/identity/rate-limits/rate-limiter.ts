import { limits } from '@dealkeep/contract';
import type { Clock } from '../../foundations/clock.ts';
import type { Database } from '../../foundations/database/connect.ts';
import { derivedId } from '../../foundations/database/new-id.ts';
import type { Metrics } from '../../foundations/metrics/metrics.ts';
import { tokenCountReliedOnMs } from '../../foundations/operating-limits.ts';
import { Problem } from '../../foundations/problem.ts';
import { Turns } from '../../foundations/turns.ts';
import type { Credential } from '../credentials/credential.ts';
import { Bucket, leaseOf, readTaken, takeTokens } from './take-tokens.ts';

/** How a request stands with its limits: what the headers of its response say. */
export interface RateLimitStatus {
  /** False: too many requests; this one was not counted. */
  readonly passed: boolean;
  /** Ceiling of the bucket with the fewest requests left. */
  readonly limit: number;
  /** Requests left in that bucket, as a lower bound. */
  readonly remaining: number;
  /** Whole seconds until the window ends, at least 1. */
  readonly secondsLeft: number;
  /** The window in which it was counted; undefined where it was not. */
  readonly minute?: number;
}

interface CountedBucket {
  readonly id: string;
  readonly ceiling: number;
  readonly bucket: Bucket;
}

/** A bucket of which a request has set some tokens aside. */
interface Reserved extends CountedBucket {
  readonly reserved: number;
}

/** What one request is to be counted by. */
interface Asked {
  readonly buckets: readonly { readonly id: string; readonly ceiling: number }[];
  /** Requests that share it ask the database one after the other. */
  readonly turn: string;
  /** How many it counts as: all of them pass, or none. */
  readonly requests: number;
  /** Whether anybody is shown how many requests are left, so that the number has to be fresh. */
  readonly shown: boolean;
}

/** A request with its buckets of the current window. */
interface Counted {
  readonly minute: number;
  readonly secondsLeft: number;
  readonly buckets: readonly CountedBucket[];
  readonly requests: number;
  readonly shown: boolean;
}

const windowMs = 60_000;

/**
 * Counts requests in fixed one-minute windows by the core's clock: those of the API once for the credential and once
 * for its organization (rules rate-limits 2, 4 and 7), those of a session and of an application once for each. All
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
  readonly #turns = new Turns();

  constructor({ sql, clock }: { sql: Database; clock: Clock }) {
    this.#sql = sql;
    this.#clock = clock;
  }

  /** Counts a request, or refuses it. Trouble of the database stays what it is; nothing passes uncounted. */
  count(credential: Credential): RateLimitStatus | Promise<RateLimitStatus> {
    return this.#count(askedBy(credential, 1));
  }

  /**
   * Counts a request that was counted as one before as so many in all, or refuses it; then it has not been counted
   * at all.
   */
  async countAs(
    requests: number,
    credential: Credential,
    counted: RateLimitStatus,
  ): Promise<RateLimitStatus> {
    if (requests <= 1) return counted;
    const asked = askedBy(credential, requests - 1);
    const status = await this.#count(asked);
    if (status.passed || counted.minute === undefined) return status;
    const { minute, buckets } = this.#countedBy(asked);
    // What was taken in a window that has ended is of no use in the next one.
    for (const { bucket } of minute === counted.minute ? buckets : []) bucket.giveBack(1);
    return status;
  }

  /** Counts a request that has no credential of the API: of a session of the console, or of an application. */
  countAlone(id: string, ceiling: number): RateLimitStatus | Promise<RateLimitStatus> {
    return this.#count({ buckets: [{ id, ceiling }], turn: id, requests: 1, shown: false });
  }

  #count(asked: Asked): RateLimitStatus | Promise<RateLimitStatus> {
    return this.#decide(this.#countedBy(asked)) ?? this.#ask(asked);
  }

  /** The buckets of this moment's window; what was known of another one is forgotten. */
  #countedBy({ buckets, requests, shown }: Asked): Counted {
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
      requests,
      shown,
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
  #decide(counted: Counted): RateLimitStatus | undefined {
    const { buckets, requests, shown } = counted;
    if (buckets.some(({ bucket, ceiling }) => bucket.isFull(ceiling, requests)))
      return statusOf(counted, false);
    if (buckets.some((each) => each.bucket.left < requests || (shown && isStale(each)))) return undefined;
    for (const { bucket } of buckets) bucket.spend(requests);
    return statusOf(counted, true);
  }

  #ask(asked: Asked): Promise<RateLimitStatus> {
    return this.#turns.take(asked.turn, async () => {
      for (;;) {
        const counted = this.#countedBy(asked);
        const status = this.#decide(counted) ?? (await this.#refill(counted));
        if (status) return status;
      }
    });
  }

  /** Counts the request with what the database grants. Undefined when the request has to be judged anew. */
  async #refill(counted: Counted): Promise<RateLimitStatus | undefined> {
    const { minute, buckets, requests } = counted;
    // Reserved meanwhile, so that no other request spends what this one counts on.
    const reserved = buckets.map((each) => ({ ...each, reserved: Math.min(each.bucket.left, requests) }));
    for (const each of reserved) each.bucket.spend(each.reserved);
    const isHeld = (each: Reserved): boolean => each.reserved === requests;
    let counts = false;
    try {
      await this.#refresh(counted, reserved.filter(isHeld));
      const granted = await this.#take(
        counted,
        reserved.filter((each) => !isHeld(each)),
      );
      // Tokens of a window that ended meanwhile do not count in the next one.
      counts = granted && Math.floor(this.#clock.now().getTime() / windowMs) === minute;
    } finally {
      for (const each of counts ? [] : reserved) each.bucket.giveBack(each.reserved);
    }
    return counts ? statusOf(counted, true) : undefined;
  }

  /**
   * Takes from each bucket what this request lacks, and a lease for the next ones. Answers false when one bucket had
   * not enough left; then no bucket gave any.
   */
  async #take({ minute, requests }: Counted, missing: readonly Reserved[]): Promise<boolean> {
    if (missing.length === 0) return true;
    const wishes = missing.map(({ id, ceiling, reserved }) => {
      const needed = requests - reserved;
      return { bucket: id, ceiling, needed, lease: Math.max(needed, leaseOf(ceiling)) };
    });
    const outcome = await takeTokens(this.#sql, minute, wishes);
    if ('full' in outcome) {
      const full = missing.filter(({ id }) => outcome.full.includes(id));
      if (requests > 1) await this.#learn(minute, full);
      else for (const { bucket, ceiling } of full) bucket.learn(ceiling, performance.now());
      return false;
    }
    const now = performance.now();
    for (const { id, bucket, reserved } of missing) {
      const grant = outcome.grants.get(id);
      if (!grant) continue;
      bucket.receive(grant, now);
      // At once, before any other request can run.
      bucket.spend(requests - reserved);
    }
    return true;
  }

  async #refresh({ minute, shown }: Counted, held: readonly CountedBucket[]): Promise<void> {
    const stale = held.filter((each) => shown && isStale(each));
    if (stale.length > 0) await this.#learn(minute, stale);
  }

  /** Asks the database how many tokens were taken. */
  async #learn(minute: number, buckets: readonly CountedBucket[]): Promise<void> {
    const taken = await readTaken(
      this.#sql,
      minute,
      buckets.map(({ id }) => id),
    );
    for (const { id, bucket } of buckets) bucket.learn(taken.get(id) ?? 0, performance.now());
  }
}

/** Whether the database is to be asked before anybody is shown how many requests are left. */
function isStale({ bucket, ceiling }: CountedBucket): boolean {
  const { little, plenty } = tokenCountReliedOnMs;
  return bucket.age(performance.now()) > (bucket.remaining(ceiling) * 2 > ceiling ? plenty : little);
}

/** By its own bucket, and by that of its organization. */
const askedBy = ({ id, organization }: Credential, requests: number): Asked => ({
  buckets: [
    { id, ceiling: organization.requestsPerMinute },
    { id: organization.id, ceiling: organization.organizationRequestsPerMinute },
  ],
  turn: organization.id,
  requests,
  shown: true,
});

/** Shows the bucket with the fewest requests left; of two equal ones the lower ceiling. */
function statusOf({ buckets, secondsLeft, minute }: Counted, passed: boolean): RateLimitStatus {
  let [limit, remaining] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (const { bucket, ceiling } of buckets) {
    const left = bucket.remaining(ceiling);
    if (left < remaining || (left === remaining && ceiling < limit)) [limit, remaining] = [ceiling, left];
  }
  return { passed, limit, remaining, secondsLeft, minute };
}

const secondsLeftAt = (now: number): number => Math.ceil((windowMs - (now % windowMs)) / 1000);

/** Whole seconds until the window of this moment ends, at least 1. */
export const secondsLeft = (clock: Clock): number => secondsLeftAt(clock.now().getTime());

/** Requests a minute of a session of the console, and of an application. */
export interface RequestCeilings {
  readonly session: number;
  readonly application: number;
}

/** What counts the requests that have no credential of the API. */
interface Counting {
  readonly rateLimiter: RateLimiter;
  readonly metrics: Pick<Metrics, 'countRefusal'>;
  readonly requestCeilings?: RequestCeilings | undefined;
}

/**
 * Counts a request of a session of the console; its form token stays while its cookie changes. Raises RATE_LIMITED.
 */
export const countSession = (core: Counting, { csrfToken }: { readonly csrfToken: string }): Promise<void> =>
  requireTurn(core, derivedId('sessions', csrfToken), ceilingsOf(core).session);

/** Counts a request of an application that has proved who it is. Raises RATE_LIMITED. */
export const countApplication = (core: Counting, clientId: string): Promise<void> =>
  requireTurn(core, derivedId('oauth_apps', clientId), ceilingsOf(core).application);

const usual: RequestCeilings = {
  session: limits.sessionRequestsPerMinute,
  application: limits.applicationRequestsPerMinute,
};

const ceilingsOf = ({ requestCeilings }: Counting): RequestCeilings => requestCeilings ?? usual;

async function requireTurn(core: Counting, bucket: string, ceiling: number): Promise<void> {
  const { passed, secondsLeft } = await core.rateLimiter.countAlone(bucket, ceiling);
  if (passed) return;
  core.metrics.countRefusal();
  throw new Problem('rate.limited', { seconds: secondsLeft });
}
