/** How long to wait after a refusal that does not say it: a window of the rate limit. */
export const secondsUntilNextWindow = 60;

/** The seconds of a `Retry-After`; undefined when an answer has none. */
export function retryAfterIn(header: string | null | undefined): number | undefined {
  const seconds = Number(header ?? Number.NaN);
  return Number.isFinite(seconds) && seconds > 0 ? Math.ceil(seconds) : undefined;
}

/** Below this part of the limit the pauses begin. */
const lowPart = 0.1;
/** A step has little time, and can make several requests. */
const longestPauseMilliseconds = 2_000;

/** How long to wait, in milliseconds, after an answer that says how few requests are left; 0 when it need not be. */
export function pauseAfter(header: (name: string) => string | null | undefined): number {
  const [limit, remaining, secondsLeft] = ['limit', 'remaining', 'reset'].map((name) =>
    Number(header(`x-ratelimit-${name}`) ?? Number.NaN),
  );
  return pauseFor(limit, remaining, secondsLeft);
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
