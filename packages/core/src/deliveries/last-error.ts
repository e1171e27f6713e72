import type { DeliveryFailureReason } from '@dealkeep/contract';
import type { FinishedAttempt } from './finished-attempt.ts';

/** What went wrong last: the status that was answered, or why none was. */
export type LastError =
  | { readonly status: number }
  | { readonly reason: DeliveryFailureReason; readonly detail: string | null };

/** Of attempts of one webhook, the failure that ended last; undefined when none failed. */
export function lastErrorOf(attempts: readonly FinishedAttempt[]): LastError | undefined {
  const errors = attempts
    .toSorted((a, b) => a.endedAt.getTime() - b.endedAt.getTime())
    .map(({ outcome }): LastError | undefined => {
      if (outcome.outcome === 'failed') return { reason: outcome.reason, detail: outcome.detail ?? null };
      return outcome.status >= 200 && outcome.status < 300 ? undefined : { status: outcome.status };
    });
  return errors.findLast((error) => error !== undefined);
}
