import { valueAt } from '../records/api-record.ts';
import type { Call } from './api.ts';
import { describeFailure } from './describe-failure.ts';
import { retryAfterIn, secondsUntilNextWindow } from './rate-limit.ts';

/** An answer as far as it tells of a failure. */
export interface FailedAnswer {
  readonly status: number;
  readonly content: unknown;
  readonly retryAfter: string | null | undefined;
}

/** What a refusal means, in words for the person who made the workflow. */
export type Failure =
  | { readonly kind: 'busy'; readonly message: string; readonly seconds: number }
  /** What answers is no Dealkeep, or the API is not below that address. */
  | { readonly kind: 'elsewhere' }
  | {
      readonly kind: 'unauthorized' | 'conflict' | 'refused';
      readonly message: string;
      readonly code: string;
      readonly status: number;
    };

/** Reads an answer that is no success: the API's own message, with the labels of the failing fields. */
export function failureIn({ status, content, retryAfter }: FailedAnswer, call: Call): Failure {
  const code = String(valueAt(content, ['error', 'code']) ?? 'UNKNOWN');
  const message = describeFailure({ status, data: content }, call);
  if (isBusy(status)) {
    const seconds = retryAfterIn(retryAfter) ?? secondsUntilNextWindow;
    return { kind: 'busy', message: message ?? 'The service is busy.', seconds };
  }
  if (message === undefined && status >= 500) {
    const trouble = 'The service has trouble at the moment. Try again in a while.';
    return { kind: 'refused', message: trouble, code, status };
  }
  if (message === undefined || isWrongAddress(status, call)) return { kind: 'elsewhere' };
  const kind = status === 401 ? 'unauthorized' : code === 'CONFLICT' ? 'conflict' : 'refused';
  return { kind, message, code, status };
}

/** True when the service did nothing with the request, and takes it later: too many at once, or not available. */
export const isBusy = (status: number): boolean => status === 429 || status === 503;

/** A path that names no record is there in every Dealkeep. */
const isWrongAddress = (status: number, { operation }: Call): boolean =>
  status === 404 && !operation.path.includes('{');
