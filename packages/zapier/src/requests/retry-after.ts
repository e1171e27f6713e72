import { retryAfterIn } from '@dealkeep/connectors';
import type { Outcome } from './attempt.ts';

/** The seconds of a `Retry-After`; undefined when an answer has none. */
export const retryAfterOf = (outcome: Outcome): number | undefined =>
  outcome instanceof Error ? undefined : retryAfterIn(outcome.getHeader('retry-after'));
