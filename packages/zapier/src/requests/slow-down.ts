import { setTimeout as sleep } from 'node:timers/promises';
import type { HttpResponse, ZObject } from 'zapier-platform-core';
import { hasTimeFor, timeLeft } from './run-time.ts';

/** Below this part of the limit the pauses begin. */
const lowPart = 0.1;
/** A step has 30 seconds, and can make several requests. */
const longestPauseMilliseconds = 2_000;

/** Waits after an answer that says how few requests are left, so that many steps at once come through without a 429. */
export async function slowDown(z: ZObject, response: HttpResponse<unknown>): Promise<void> {
  const [limit, remaining, secondsLeft] = ['limit', 'remaining', 'reset'].map((name) =>
    Number(response.getHeader(`x-ratelimit-${name}`) ?? Number.NaN),
  );
  const pause = pauseFor(limit, remaining, secondsLeft);
  if (pause > 0 && hasTimeFor(pause, timeLeft(z))) await sleep(pause);
}

/**
 * How long to wait, in milliseconds: what is left of the window, shared among the requests that are left of it.
 * Nothing as long as there is plenty, or when the service does not say.
 */
export function pauseFor(limit = Number.NaN, remaining = Number.NaN, secondsLeft = Number.NaN): number {
  if (!(remaining < limit * lowPart)) return 0;
  const share = (secondsLeft * 1000) / (remaining + 1);
  return Number.isFinite(share) ? Math.min(share, longestPauseMilliseconds) : 0;
}
