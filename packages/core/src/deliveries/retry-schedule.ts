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
  const scheduled = attemptDelaysSeconds[attempts];
  if (attempts >= limits.deliveryAttempts || scheduled === undefined) return undefined;
  const asked = Math.min(retryAfterSeconds ?? 0, limits.retryAfterSeconds);
  return Math.ceil(Math.max(scheduled * (1 + random * largestJitter), asked) * 1000);
}

/** `Retry-After` as seconds from now: a number of seconds or an HTTP date; undefined when it is neither. */
export function parseRetryAfter(value: string | undefined, now: Date): number | undefined {
  const text = value?.trim();
  if (!text) return undefined;
  if (/^\d+$/.test(text)) return Math.min(Number(text), limits.retryAfterSeconds);
  const date = /GMT$/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, (date - now.getTime()) / 1000);
}
