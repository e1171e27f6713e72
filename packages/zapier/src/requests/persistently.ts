import { nextDelay } from '@dealkeep/connectors';
import type { ZObject } from 'zapier-platform-core';
import type { Outcome } from './attempt.ts';
import { retryAfterOf } from './retry-after.ts';
import { runClock } from './run-clock.ts';
import { hasTimeFor, timeLeft } from './run-time.ts';

/** Sends again while the outcome is temporary and the run's time allows; the last outcome is the result. */
export async function persistently(
  z: ZObject,
  send: () => Promise<Outcome>,
  isTemporary: (outcome: Outcome) => boolean,
): Promise<Outcome> {
  for (let attempt = 1; ; attempt += 1) {
    const outcome = await send();
    if (!isTemporary(outcome)) return outcome;
    const wait = nextDelay(attempt, retryAfterOf(outcome));
    if (wait === undefined || !hasTimeFor(wait, timeLeft(z))) return outcome;
    await runClock.pause(wait);
  }
}
