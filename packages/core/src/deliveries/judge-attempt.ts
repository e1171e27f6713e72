import type { RequestOutcome } from '../outgoing/index.ts';
import type { FinishedAttempt } from './finished-attempt.ts';
import { parseRetryAfter } from './retry-after.ts';
import { retryDelayMs } from './retry-schedule.ts';

/** `held`: it was no attempt, because nothing could be sent, which is our fault; it waits as it was. */
export type Fate = 'delivered' | 'gone' | 'again' | 'given up' | 'held';

/** What could not be sent is looked at again after this time: another process may have the key of its secret. */
export const heldForMs = 60_000;

/** What of a delivery decides how it goes on. */
export interface JudgedDelivery {
  /** Attempts of the schedule made before. */
  attempts: number;
  by_hand: boolean;
  retry_at: string | null;
}

export interface Verdict {
  fate: Fate;
  /** When the next attempt is due; null when there is none. */
  dueAt: string | null;
}

export interface JudgedAttempt {
  attempt: FinishedAttempt;
  verdict: Verdict;
}

/**
 * What an attempt means for its delivery (specification, Delivery rules).
 *
 * @param random between 0 and 1, for the jitter
 */
export function judgeAttempt(
  attempt: { delivery: JudgedDelivery; endedAt: Date; outcome: RequestOutcome },
  random: number,
): Verdict {
  const { delivery, endedAt, outcome } = attempt;
  if (outcome.outcome === 'failed' && outcome.reason === 'not_sent') {
    return { fate: 'held', dueAt: new Date(endedAt.getTime() + heldForMs).toISOString() };
  }
  const status = outcome.outcome === 'answered' ? outcome.status : undefined;
  if (status !== undefined && status >= 200 && status < 300) return { fate: 'delivered', dueAt: null };
  if (status === 410) return { fate: 'gone', dueAt: null };
  // An extra attempt leaves the schedule as it was.
  if (delivery.by_hand) return { fate: delivery.retry_at ? 'again' : 'given up', dueAt: delivery.retry_at };
  const asked =
    outcome.outcome === 'answered' && (status === 429 || status === 503)
      ? parseRetryAfter(outcome.headers.retryAfter, endedAt)
      : undefined;
  const delay = retryDelayMs(delivery.attempts + 1, asked, random);
  if (delay === undefined) return { fate: 'given up', dueAt: null };
  return { fate: 'again', dueAt: new Date(endedAt.getTime() + delay).toISOString() };
}
