import type { Clock } from '../clock.ts';
import { connect, type Database } from '../database/connect.ts';
import type { Log } from '../log.ts';
import { queueLimits as limits } from '../operating-limits.ts';
import { claimDeliveries, claimOfWebhooks, endOfClaim, firstOfAll, type LeasedDelivery } from './claim.ts';
import type { Lanes } from './lanes.ts';

interface DueDeliveriesOptions {
  sql: Database;
  workerId: number;
  clock: Clock;
  lanes: Lanes;
  /**
   * Called when the rest after a long walk is over, if a walk was asked for meanwhile or the last one had left
   * something.
   */
  onRested(): void;
}

/** What a claim has leased, and how much of what was due that is. */
interface Claim {
  leased: LeasedDelivery[];
  extent: 'all' | 'as many as have a place' | 'a full batch';
}

const largestBatch = 100;
/**
 * A walk that takes longer is followed by a rest: so many times as long as the walk, but no longer than the last of
 * these.
 */
const longWalkMs = 5;
const restAfterWalk = 4;
const longestRestMs = 100;

/** Claims as much of what is due as the lanes have room for, each webhook in its turn. */
export class DueDeliveries {
  readonly #options: DueDeliveriesOptions;
  /** The webhook at which the last claim ended: the last walk, and the last claim of quick ones. */
  #after = firstOfAll;
  #afterQuick = firstOfAll;
  /** The walk rests until then. */
  #nextWalk: NodeJS.Timeout | undefined;
  #missed = false;

  constructor(options: DueDeliveriesOptions) {
    this.#options = options;
  }

  stop(): void {
    clearTimeout(this.#nextWalk);
  }

  /** Claims for webhooks that are known to be quick. */
  async claimOfQuick(): Promise<Claim> {
    const { sql, lanes } = this.#options;
    const most = Math.min(lanes.free, largestBatch);
    if (most === 0) return nothing;
    const bounds = { ...this.#bounds(most), room: lanes.quickRoom(), after: this.#afterQuick };
    const leased = await claimOfWebhooks(sql, bounds);
    this.#afterQuick = endOfClaim(leased, this.#afterQuick);
    return claimOf(leased, most);
  }

  /** The walk past all webhooks takes longer the more of them have something waiting; it gets a share of the time. */
  async claimOfOthers(): Promise<Claim> {
    const { sql, lanes, onRested } = this.#options;
    const most = Math.min(lanes.freeForUnknown, largestBatch);
    if (this.#nextWalk) this.#missed = true;
    if (most === 0 || this.#nextWalk) return nothing;
    const started = performance.now();
    const { perUnknown: perWebhook } = lanes;
    const bounds = { ...this.#bounds(most), perWebhook, room: lanes.room(), after: this.#after };
    const leased = await claimDeliveries(sql, bounds);
    const took = performance.now() - started;
    this.#after = endOfClaim(leased, this.#after);
    const claim = claimOf(leased, most);
    this.#missed = claim.extent !== 'all';
    if (took > longWalkMs) {
      const rest = Math.min(took * restAfterWalk, longestRestMs);
      this.#nextWalk = setTimeout(() => {
        this.#nextWalk = undefined;
        if (this.#missed) onRested();
      }, rest);
    }
    return claim;
  }

  #bounds(most: number): { workerId: number; now: string; most: number } {
    const { workerId, clock } = this.#options;
    return { workerId, now: clock.now().toISOString(), most };
  }
}

/** Nothing was claimed, for want of a place or during a rest; something may be due all the same. */
const nothing: Claim = { leased: [], extent: 'as many as have a place' };

const claimOf = (leased: LeasedDelivery[], most: number): Claim => ({
  leased,
  extent: leased.length < most ? 'all' : most < largestBatch ? 'as many as have a place' : 'a full batch',
});

/** Channel on which workers hear that deliveries wait. */
export const wakeUpChannel = 'dealkeep_deliveries';

/**
 * Tells the workers, after a commit, that deliveries wait. A worker of the same process is told directly; only when
 * there is none, or it can take no more, the others are told through the database, outside of any transaction that
 * writes, because a NOTIFY makes commits queue. Coalesced: while one is on its way, further ones become a single next
 * one. It is only a hint (a crash can fall between commit and wake-up); the workers also look by themselves.
 */
export class DeliveryWakeUp {
  readonly #sql: Database;
  readonly #log: Log;
  #localWorker: (() => boolean) | undefined;
  #running = false;
  #again = false;

  constructor({ sql, log }: { sql: Database; log: Log }) {
    this.#sql = sql;
    this.#log = log;
  }

  /** @param wake wakes the worker of this process and tells whether it can send; undefined when it stops */
  setLocalWorker(wake: (() => boolean) | undefined): void {
    this.#localWorker = wake;
  }

  /** Returns at once. */
  send(): void {
    if (this.#localWorker?.()) return;
    if (this.#running) {
      this.#again = true;
      return;
    }
    this.#running = true;
    void this.#run();
  }

  async #run(): Promise<void> {
    do {
      this.#again = false;
      try {
        await this.#sql`select pg_notify(${wakeUpChannel}, '')`;
      } catch (error) {
        this.#log.warn({ error }, 'The workers could not be woken; they find the deliveries within a second');
      }
    } while (this.#again);
    this.#running = false;
  }
}

/** The connections of a worker that work on the queue; their own, so that a busy API cannot keep them waiting. */
export interface QueueConnections {
  /** For claims, which do not wait for the disk: a claim that is lost in a crash of the server is made again. */
  claims: Database;
  results: Database;
  /** For the delivery log, which deliveries never wait for. */
  log: Database;
}

/**
 * A plan made while nothing waits must still fit when a million waits, so the statements on these connections walk
 * along indexes and never read a whole table.
 */
const settings = {
  enable_seqscan: 'off',
  enable_bitmapscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  jit: 'off',
};

export const connectQueue = (databaseUrl: string): QueueConnections => ({
  claims: connect(databaseUrl, {
    connections: 1,
    name: 'dealkeep claims',
    limits,
    settings: { ...settings, synchronous_commit: 'off' },
  }),
  results: connect(databaseUrl, { connections: 2, name: 'dealkeep results', limits, settings }),
  log: connect(databaseUrl, {
    connections: 1,
    name: 'dealkeep delivery log',
    limits,
    settings: { ...settings, synchronous_commit: 'off' },
  }),
});
