import type { Clock } from '@dealkeep/core';
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

/** Waits until a check no longer fails, with patience for a machine that others use as well; answers what it answers. */
export const eventually = <Result>(check: () => Result | Promise<Result>): Promise<Result> =>
  vi.waitFor(check, { timeout: 10_000, interval: 20 });
