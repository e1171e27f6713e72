/** Zapier ends a step after 30 seconds; the last attempt must have been given up before. */
const budgetMilliseconds = 22_000;
const longestAttempts = 4;
const firstDelayMilliseconds = 500;

export const attemptTimeoutMilliseconds = 9_000;

/**
 * How long to wait before the next attempt, in milliseconds; undefined when there is to be none.
 * Waits double each time, with up to a fifth more, so that many steps that failed together do not return together.
 */
export function nextDelay(
  attempt: number,
  startedAt: number,
  now: number,
  retryAfterSeconds: number | undefined,
): number | undefined {
  if (attempt >= longestAttempts) return undefined;
  const doubled = firstDelayMilliseconds * 2 ** (attempt - 1) * (1 + Math.random() / 5);
  const delay = Math.max(doubled, (retryAfterSeconds ?? 0) * 1000);
  return now - startedAt + delay > budgetMilliseconds - attemptTimeoutMilliseconds / 2 ? undefined : delay;
}
