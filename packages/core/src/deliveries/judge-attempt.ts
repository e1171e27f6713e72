import { attemptDelaysSeconds, limits } from '@dealkeep/contract';
import { retryJitterShare, unsignedHeldForMs } from '../operating-limits.ts';
import type { RequestOutcome } from '../outgoing/index.ts';
import type { FinishedAttempt } from './settle-deliveries.ts';

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

export interface JudgedAttempt {
  attempt: FinishedAttempt;
  verdict: Verdict;
}

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

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

// The three forms of RFC 9110 §5.6.7; a recipient must understand all.
const preferred = /^\w{3}, (?<day>\d\d) (?<month>\w{3}) (?<year>\d{4}) (?<time>\d\d:\d\d:\d\d) GMT$/;
const older = /^\w{6,9}, (?<day>\d\d)-(?<month>\w{3})-(?<year>\d\d) (?<time>\d\d:\d\d:\d\d) GMT$/;
const oldest = /^\w{3} (?<month>\w{3}) (?<day>[ \d]\d) (?<time>\d\d:\d\d:\d\d) (?<year>\d{4})$/;

/**
 * `Retry-After` as seconds from now: a number of seconds or an HTTP date; 0 for a moment that has passed; undefined
 * when it is neither. Source: RFC 9110 §10.2.3.
 */
export function parseRetryAfter(value: string | undefined, now: Date): number | undefined {
  const text = value?.trim() ?? '';
  if (/^\d+$/.test(text)) return Number(text);
  const moment = parseHttpDate(text, now);
  return moment === undefined ? undefined : Math.max(0, (moment - now.getTime()) / 1000);
}

function parseHttpDate(text: string, now: Date): number | undefined {
  const parts = (preferred.exec(text) ?? older.exec(text) ?? oldest.exec(text))?.groups;
  const { day = '', month = '', year = '', time = '' } = parts ?? {};
  const monthNumber = months.indexOf(month) + 1;
  if (monthNumber === 0) return undefined;
  const fullYear = year.length === 2 ? nearestYear(Number(year), now) : year;
  const moment = Date.parse(`${fullYear}-${twoDigits(monthNumber)}-${twoDigits(Number(day))}T${time}Z`);
  return Number.isNaN(moment) ? undefined : moment;
}

/** Two digits mean a year at most 50 years ahead. */
function nearestYear(digits: number, now: Date): number {
  const year = Math.floor(now.getUTCFullYear() / 100) * 100 + digits;
  return year > now.getUTCFullYear() + 50 ? year - 100 : year;
}

const twoDigits = (number: number): string => String(number).padStart(2, '0');

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
  return Math.ceil(Math.max(scheduled + Math.floor(scheduled * retryJitterShare * random), asked));
}
