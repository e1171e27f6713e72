import { attemptDelaysSeconds, limits } from '@dealkeep/contract';

/** A retry waits up to this much longer than the schedule says, never less, so that retries do not come in waves. */
const largestJitter = 0.1;

/**
 * Milliseconds to wait before the next attempt, or undefined when there is none.
 *
 * @param attempts attempts made so far, the failed one included
 * @param retryAfterSeconds what the receiver asked for with 429 or 503; capped at 24 hours
 * @param random between 0 and 1
 * Source: specification, Delivery rules, 4 and 5.
 */
export function retryDelayMs(
  attempts: number,
  retryAfterSeconds: number | undefined,
  random: number,
): number | undefined {
  const seconds = attemptDelaysSeconds[attempts];
  if (attempts >= limits.deliveryAttempts || seconds === undefined) return undefined;
  const scheduled = seconds * 1000;
  const asked = Math.min(retryAfterSeconds ?? 0, limits.retryAfterSeconds) * 1000;
  return Math.ceil(Math.max(scheduled + Math.floor(scheduled * largestJitter * random), asked));
}
