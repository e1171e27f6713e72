import type { Received } from './outcome.ts';

/** The part of a window's requests that is left for others: below it, requests are spread over the window's rest. */
const reserve = 0.1;

/**
 * Milliseconds to wait before the next request, by what the `X-RateLimit-*` headers of the last answer say, so that
 * many requests come through without a 429 and leave some of each window to the rest of the organization. 0 while
 * there is plenty, or where the answer does not say.
 *
 * @param counts as how many requests the next one counts
 */
export function paceDelay(header: Received['header'], counts = 1): number {
  const [limit = Number.NaN, left = Number.NaN, seconds = Number.NaN] = ['limit', 'remaining', 'reset'].map(
    (name) => Number(header(`x-ratelimit-${name}`) ?? Number.NaN),
  );
  if (!(left < limit * reserve + counts) || !(seconds > 0)) return 0;
  // One that counts for more than is left would be refused until the next window.
  return Math.round((seconds * 1000) / (Math.floor(left / counts) + 1));
}
