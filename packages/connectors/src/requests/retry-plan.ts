const longestAttempts = 4;
const firstDelayMilliseconds = 500;

/**
 * How long to wait before the next attempt, in milliseconds; undefined when there is to be none.
 * Waits double each time, with up to a fifth more, so that many steps that failed together do not return together.
 */
export function nextDelay(attempt: number, retryAfterSeconds: number | undefined): number | undefined {
  if (attempt >= longestAttempts) return undefined;
  const doubled = firstDelayMilliseconds * 2 ** (attempt - 1) * (1 + Math.random() / 5);
  return Math.max(doubled, (retryAfterSeconds ?? 0) * 1000);
}
