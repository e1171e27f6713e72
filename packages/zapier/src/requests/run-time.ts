import type { RetryPlan } from '@dealkeep/client/transport';
import type { Waiting } from '@dealkeep/connectors';
import type { ZObject } from 'zapier-platform-core';
import { runClock } from './run-clock.ts';

/**
 * Zapier ends a run after 30 seconds, however many requests it makes; the rest is for what comes after the last one.
 */
const runMilliseconds = 27_000;
const attemptMilliseconds = 9_000;
/** Of a request that comes when the time is nearly over. */
const shortestAttemptMilliseconds = 1_000;

/** When each run made its first request; the platform makes its `z` anew for every run. */
const beginnings = new WeakMap<ZObject, number>();

/** Milliseconds that a run has left for requests; below 0 when it has taken too long already. */
export function timeLeft(z: ZObject): number {
  const now = runClock.now();
  const begun = beginnings.get(z) ?? now;
  beginnings.set(z, begun);
  return runMilliseconds - (now - begun);
}

/** How long an attempt may take, in milliseconds, when so much time is left. */
export const attemptTimeout = (left: number): number =>
  Math.max(shortestAttemptMilliseconds, Math.min(attemptMilliseconds, left));

/**
 * A run tries each request up to four times, as long as there is time for a whole attempt. 429 is left to Zapier,
 * which runs the step again by itself when it is told for how long.
 */
const plan: RetryPlan = { attempts: 4, repetitions: { rateLimit: 0 } };

/** How a run waits: its time is that of all its requests together. */
export const waitingOf = (z: ZObject): Waiting => ({
  plan,
  latestStart: runClock.now() + timeLeft(z) - attemptMilliseconds,
  clock: runClock,
});
