import type { Outcome } from './attempt.ts';

/** The seconds of a `Retry-After`; undefined when an answer has none. */
export function retryAfterOf(outcome: Outcome): number | undefined {
  if (outcome instanceof Error) return undefined;
  const seconds = Number(outcome.getHeader('retry-after'));
  return Number.isFinite(seconds) && seconds > 0 ? Math.ceil(seconds) : undefined;
}
