import { attemptDelaysSeconds, attemptJitterShare, limits } from '@dealkeep/contract';
import { unsignedHeldForMs } from '../../foundations/operating-limits.ts';
import type { RequestOutcome } from '../../foundations/outgoing/index.ts';
import type { LeasedDelivery } from './lease/lease.ts';

/** One attempt that is over. */
export interface FinishedAttempt {
  /** Id of its row in the log; it stays the same when it is written again after a failure. */
  id: string;
  delivery: LeasedDelivery;
  /** Undefined when the event is gone. */
  eventType: string | undefined;
  startedAt: Date;
  endedAt: Date;
  outcome: RequestOutcome;
}

/** `held`: it was no attempt, because nothing could be sent, which is our fault; it waits as it was. */
type Fate = 'delivered' | 'gone' | 'again' | 'given up' | 'held';

/** What of a delivery decides how it goes on. */
interface JudgedDelivery {
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

export interface JudgedAttempt extends FinishedAttempt, Verdict {}

/** Rule deliveries 7. */
export const isDelivered = (outcome: RequestOutcome): boolean =>
  outcome.outcome === 'answered' && outcome.status >= 200 && outcome.status < 300;

/**
 * What an attempt means for its delivery (rules deliveries 7, 8, 9, 10 and 19).
 *
 * @param random between 0 and 1, for the jitter
 */
export function judgeAttempt(
  attempt: { delivery: JudgedDelivery; endedAt: Date; outcome: RequestOutcome },
  random: number,
): Verdict {
  const { delivery, endedAt, outcome } = attempt;
  if (outcome.outcome === 'failed' && outcome.reason === 'not_sent') {
    return { fate: 'held', dueAt: new Date(endedAt.getTime() + unsignedHeldForMs).toISOString() };
  }
  const status = outcome.outcome === 'answered' ? outcome.status : undefined;
  if (isDelivered(outcome)) return { fate: 'delivered', dueAt: null };
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

// The three forms of RFC 9110 §5.6.7, of which the last one has no zone; a recipient must understand all.
const httpDate =
  /^(\w{3}, \d\d \w{3} \d{4}|\w{6,9}, \d\d-\w{3}-\d\d) \d\d:\d\d:\d\d GMT$|^\w{3} \w{3} [ \d]\d \d\d:\d\d:\d\d \d{4}$/;

/**
 * `Retry-After` as seconds from now: a number of seconds or an HTTP date; 0 for a moment that has passed; undefined
 * when it is neither. Source: RFC 9110 §10.2.3.
 */
export function parseRetryAfter(value: string | undefined, now: Date): number | undefined {
  const text = value?.trim() ?? '';
  if (/^\d+$/.test(text)) return Number(text);
  const moment = httpDate.test(text) ? Date.parse(text.endsWith('GMT') ? text : `${text} GMT`) : Number.NaN;
  return Number.isNaN(moment) ? undefined : Math.max(0, (moment - now.getTime()) / 1000);
}

/**
 * Milliseconds to wait before the next attempt, or undefined when there is none.
 *
 * @param attempts attempts made so far, the failed one included
 * @param retryAfterSeconds what the receiver asked for with 429 or 503; capped at 24 hours
 * @param random between 0 and 1
 * Source: rules deliveries 9 and 10.
 */
export function retryDelayMs(
  attempts: number,
  retryAfterSeconds: number | undefined,
  random: number,
): number | undefined {
  const seconds = attemptDelaysSeconds[attempts];
  if (attempts >= limits.deliveryAttempts || seconds === undefined) return undefined;
  const scheduled = seconds * 1000;
  const asked = Math.min(retryAfterSeconds ?? 0, limits.retryAfterSeconds) * 1000;
  return Math.ceil(Math.max(scheduled + Math.floor(scheduled * attemptJitterShare * random), asked));
}
