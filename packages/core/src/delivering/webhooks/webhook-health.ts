import { limits } from '@dealkeep/contract';

/** How a webhook does; all null while all is well. */
export interface WebhookHealth {
  /** The first failure after the last success; later by the time in which nothing was to be delivered. */
  failing_since: string | null;
  /** While it fails: since when nothing is to be delivered. */
  idle_since: string | null;
  /** When people were told that it fails. */
  failing_told_at: string | null;
}

/** What an attempt says about its webhook. */
export interface AttemptResult {
  startedAt: Date;
  endedAt: Date;
  delivered: boolean;
}

/**
 * How a webhook does after these attempts. Failing counts from the first failure after the last success, and only
 * while something was to be delivered (rule deliveries 16).
 */
export function healthAfter(before: WebhookHealth, results: readonly AttemptResult[]): WebhookHealth {
  let { failing_since: failing, idle_since: idle, failing_told_at: told } = before;
  for (const { startedAt, endedAt, delivered } of byEnd(results)) {
    const end = endedAt.toISOString();
    if (delivered) {
      // A success that ended before the first failure says nothing about what came after it.
      if (failing !== null && failing <= end) failing = idle = told = null;
    } else if (failing === null) {
      failing = end;
    } else if (idle !== null) {
      failing = later(failing, startedAt.getTime() - Date.parse(idle));
      idle = null;
    }
  }
  return { failing_since: failing, idle_since: idle, failing_told_at: told };
}

/** Whether a webhook has failed for so long that it ends (rule deliveries 18). */
export const hasFailedTooLong = (health: WebhookHealth, now: Date): boolean =>
  hasFailedFor(health, limits.failingEndHours, now);

/** Whether people are to be told that a webhook fails: once, until it succeeds again. */
export const isToBeTold = (health: WebhookHealth, now: Date): boolean =>
  health.failing_told_at === null && hasFailedFor(health, limits.failingMailHours, now);

const hasFailedFor = ({ failing_since: failing }: WebhookHealth, hours: number, now: Date): boolean =>
  failing !== null && now.getTime() - Date.parse(failing) >= hours * 3600_000;

const byEnd = (results: readonly AttemptResult[]): AttemptResult[] =>
  results.toSorted((a, b) => a.endedAt.getTime() - b.endedAt.getTime());

const later = (moment: string, byMs: number): string =>
  new Date(Date.parse(moment) + Math.max(0, byMs)).toISOString();
