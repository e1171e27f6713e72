/** The wait after the first failure, before jitter; it doubles with every further one. */
const firstDelayMs = 1_000;
const longestDelayMs = 20_000;
const retryAfterJitterMs = 1_000;

/**
 * Milliseconds to wait before the next attempt (rule errors 8): exponential backoff, a random half
 * of it left out, so that clients that failed together do not return together. Never less than the API asks for.
 */
export function delayBeforeNext(
  /** 1 after the first attempt. */
  attempt: number,
  retryAfterSeconds: number | undefined,
  random: () => number,
): number {
  const backoff = Math.min(firstDelayMs * 2 ** (attempt - 1), longestDelayMs);
  if (retryAfterSeconds === undefined) return Math.round(backoff * (1 - random() / 2));
  return Math.round(Math.max(retryAfterSeconds * 1000, backoff / 2) + random() * retryAfterJitterMs);
}

/** The header `Retry-After` in seconds: a number, or a date (RFC 9110, 10.2.3). Undefined when absent or neither. */
export function retryAfterSeconds(header: string | null, now: number): number | undefined {
  if (header === null) return undefined;
  if (/^\s*\d+\s*$/.test(header)) return Number(header);
  const date = Date.parse(header);
  return Number.isNaN(date) ? undefined : Math.max(0, Math.ceil((date - now) / 1000));
}
