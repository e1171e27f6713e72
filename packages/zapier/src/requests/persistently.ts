import { setTimeout as sleep } from 'node:timers/promises';
import type { Outcome } from './attempt.ts';
import { retryAfterOf } from './retry-after.ts';
import { nextDelay } from './retry-plan.ts';

/** Sends again while the outcome is temporary and the step's time allows; the last outcome is the result. */
export async function persistently(
  send: () => Promise<Outcome>,
  isTemporary: (outcome: Outcome) => boolean,
): Promise<Outcome> {
  const startedAt = Date.now();
  for (let attempt = 1; ; attempt += 1) {
    const outcome = await send();
    if (!isTemporary(outcome)) return outcome;
    const wait = nextDelay(attempt, startedAt, Date.now(), retryAfterOf(outcome));
    if (wait === undefined) return outcome;
    await sleep(wait);
  }
}
