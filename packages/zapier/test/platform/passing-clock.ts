import { afterAll } from 'vitest';
import { runClock } from '../../src/requests/run-clock.ts';

interface PassingClock {
  /** Every pause so far, in milliseconds. */
  readonly pauses: readonly number[];
  /** Lets the runs have taken so much longer. */
  advance(milliseconds: number): void;
}

/**
 * For the runs of a file, one at a time: a pause is over at once, and the run has taken as much longer.
 *
 * @param passed hears of every pause
 */
export function passPauses(passed: (milliseconds: number) => void = () => {}): PassingClock {
  const usual = { ...runClock };
  const pauses: number[] = [];
  let ahead = 0;
  const advance = (milliseconds: number): void => {
    ahead += milliseconds;
  };
  Object.assign(runClock, {
    now: () => usual.now() + ahead,
    async pause(milliseconds: number) {
      pauses.push(milliseconds);
      advance(milliseconds);
      passed(milliseconds);
    },
  });
  afterAll(() => void Object.assign(runClock, usual));
  return { pauses, advance };
}
