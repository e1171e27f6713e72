import type { RequestOutcome } from '../outgoing/index.ts';
import type { FinishedAttempt } from './finished-attempt.ts';
import { parseRetryAfter } from './retry-after.ts';
import { retryDelayMs } from './retry-schedule.ts';

export type Fate = 'delivered' | 'gone' | 'again' | 'given up';

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
  attempt: { delivery: { attempts: number }; endedAt: Date; outcome: RequestOutcome },
  random: number,
): Verdict {
  const { delivery, endedAt, outcome } = attempt;
  const status = outcome.outcome === 'answered' ? outcome.status : undefined;
  if (status !== undefined && status >= 200 && status < 300) return { fate: 'delivered', dueAt: null };
  if (status === 410) return { fate: 'gone', dueAt: null };
  const asked =
    outcome.outcome === 'answered' && (status === 429 || status === 503)
      ? parseRetryAfter(outcome.headers.retryAfter, endedAt)
      : undefined;
  const delay = retryDelayMs(delivery.attempts + 1, asked, random);
  if (delay === undefined) return { fate: 'given up', dueAt: null };
  return { fate: 'again', dueAt: new Date(endedAt.getTime() + delay).toISOString() };
}
