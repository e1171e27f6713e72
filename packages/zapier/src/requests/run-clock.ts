import { setTimeout as sleep } from 'node:timers/promises';

/** What a run waits by. Tests put their own in its place, by which a pause is over at once. */
export const runClock = {
  now: (): number => Date.now(),
  random: Math.random,
  pause: (milliseconds: number): Promise<void> => sleep(milliseconds),
};
