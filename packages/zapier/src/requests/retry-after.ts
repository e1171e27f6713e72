import type { Outcome } from './attempt.ts';

/** How long to wait after a refusal that does not say it: a window of the rate limit. */
export const secondsUntilNextWindow = 60;

/** The seconds of a `Retry-After`; undefined when an answer has none. */
export function retryAfterOf(outcome: Outcome): number | undefined {
  if (outcome instanceof Error) return undefined;
  const seconds = Number(outcome.getHeader('retry-after'));
  return Number.isFinite(seconds) && seconds > 0 ? Math.ceil(seconds) : undefined;
}
