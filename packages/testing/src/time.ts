import type { Clock } from '@dealkeep/core/foundations';
import { vi } from 'vitest';

/** A clock that stands still until a test moves it. */
export class ManualClock implements Clock {
  #now: number;

  constructor(start = '2026-10-01T08:00:00.000Z') {
    this.#now = Date.parse(start);
  }

  now(): Date {
    return new Date(this.#now);
  }

  /** Moves on by so many milliseconds. */
  advance(ms: number): void {
    this.#now += ms;
  }

  /** Moves to a moment, an RFC 3339 text. */
  set(moment: string): void {
    this.#now = Date.parse(moment);
  }
}

/**
 * Waits until a check no longer fails; answers what it answers. The limit only ends a run that fails anyway, so it
 * is far beyond what a machine that others use as well may take; how quick something is, no test tells by it.
 */
export const eventually = <Result>(
  check: () => Result | Promise<Result>,
  { timeout = 60_000, interval = 20 } = {},
): Promise<Result> => vi.waitFor(check, { timeout, interval });

const stopwatch = performance.now.bind(performance);
let ahead = 0;

/**
 * What this process has remembered for a while is so many milliseconds older from now on: the stopwatch by which it
 * measures that runs ahead, and never back.
 */
export function growOlder(ms: number): void {
  ahead += ms;
  performance.now = () => stopwatch() + ahead;
}
