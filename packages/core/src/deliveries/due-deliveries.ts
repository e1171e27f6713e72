import type { Clock } from '../clock.ts';
import type { Database } from '../database/connect.ts';
import { claimDeliveries, claimOfWebhooks, endOfClaim, firstOfAll, type LeasedDelivery } from './claim.ts';
import type { Lanes } from './lanes.ts';

export interface DueDeliveriesOptions {
  sql: Database;
  workerId: number;
  clock: Clock;
  lanes: Lanes;
  /** The walk past all webhooks has rested, and was missed meanwhile or has more to claim. */
  onRested(): void;
}

/** What a claim has leased, and how much of what was due that is. */
export interface Claim {
  leased: LeasedDelivery[];
  extent: 'all' | 'as many as have a place' | 'a full batch';
}

const largestBatch = 100;
/** A walk that took longer is followed by a rest, so many times as long, but never for long. */
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

  /** Of webhooks that are known to be quick. */
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

/** No place, or no walk now; something may be due. */
const nothing: Claim = { leased: [], extent: 'as many as have a place' };

const claimOf = (leased: LeasedDelivery[], most: number): Claim => ({
  leased,
  extent: leased.length < most ? 'all' : most < largestBatch ? 'as many as have a place' : 'a full batch',
});
