import type { Grant } from './take-tokens.ts';

/** From this limit on a process takes tokens ahead; below, each request asks the database. */
const leasedFrom = 20;
const leaseShare = 0.05;

/** How many tokens one process takes at once, and so holds unspent at most: 5 % of the limit. */
export const leaseOf = (ceiling: number): number =>
  ceiling < leasedFrom ? 1 : Math.floor(ceiling * leaseShare);

/** What one process knows of one bucket in one window. */
export class Bucket {
  /** Tokens of this process that are not spent. */
  #left = 0;
  /** The number of the last token of this process: its tokens are the `left` ones up to it. */
  #last = 0;
  /** Tokens that all processes have taken, when the database was asked last. */
  #taken = 0;
  #askedAt = Number.NEGATIVE_INFINITY;

  /** Whether the next request needs a lease. */
  get empty(): boolean {
    return this.#left === 0;
  }

  /** Milliseconds since the database was asked. */
  age(monotonicMs: number): number {
    return monotonicMs - this.#askedAt;
  }

  /** Whether no request can pass any more under this ceiling; the operator may have changed it meanwhile. */
  isFull(ceiling: number): boolean {
    // The next token to spend is the lowest of the lease; it counts only when it lies below the ceiling.
    return (this.empty ? this.#taken : this.#last - this.#left) >= ceiling;
  }

  /** Requests left in the window, as a lower bound: what others hold unspent counts as spent. */
  remaining(ceiling: number): number {
    const own = Math.min(this.#left, ceiling - (this.#last - this.#left));
    return Math.max(0, own, ceiling - this.#taken + this.#left);
  }

  spend(): void {
    this.#left -= 1;
  }

  /** A token that a request had reserved and did not need after all. */
  giveBack(): void {
    this.#left += 1;
  }

  receive({ taken, lease }: Grant, monotonicMs: number): void {
    this.#left = lease;
    this.#last = taken;
    this.learn(taken, monotonicMs);
  }

  /** The database said how many were taken; that only ever grows in a window. */
  learn(taken: number, monotonicMs: number): void {
    this.#taken = Math.max(this.#taken, taken);
    this.#askedAt = monotonicMs;
  }
}
