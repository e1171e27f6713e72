import { apiErrorIn, type Received, retryAfterSeconds } from '@dealkeep/client/transport';
import type { Call } from './api.ts';
import { describeFailure } from './describe-failure.ts';

/** What a refusal means, in words for the person who made the workflow. */
export type Failure =
  | { readonly kind: 'busy'; readonly message: string; readonly seconds: number }
  /** What answers is no Dealkeep, or the API is not below that address. */
  | { readonly kind: 'elsewhere'; readonly status: number }
  | {
      readonly kind: 'unauthorized' | 'conflict' | 'refused';
      readonly message: string;
      readonly code: string;
      readonly status: number;
    };

/** Reads an answer that is no success: the API's own message, with the labels of the failing fields. */
export function failureIn(received: Received, call: Call, now: number): Failure {
  const { status, content } = received;
  const code = apiErrorIn(content)?.code ?? 'UNKNOWN';
  const message = describeFailure(received, call);
  if (isBusy(status)) {
    return { kind: 'busy', message: message ?? 'The service is busy.', seconds: busySeconds(received, now) };
  }
  if (message === undefined && status >= 500) {
    const trouble = 'The service has trouble at the moment. Try again in a while.';
    return { kind: 'refused', message: trouble, code, status };
  }
  if (message === undefined || isWrongAddress(status, call)) return { kind: 'elsewhere', status };
  const kind = status === 401 ? 'unauthorized' : code === 'CONFLICT' ? 'conflict' : 'refused';
  return { kind, message, code, status };
}

/** True when the service did nothing with the request, and takes it later: too many at once, or not available. */
export const isBusy = (status: number): boolean => status === 429 || status === 503;

/** How long to wait after a refusal that does not say it: a window of the rate limit. */
const secondsUntilNextWindow = 60;

/** For how many seconds a busy service is to be left alone. */
export const busySeconds = ({ header }: Received, now: number): number =>
  retryAfterSeconds(header('retry-after'), now) || secondsUntilNextWindow;

/** A path that names no record is there in every Dealkeep. */
const isWrongAddress = (status: number, { operation }: Call): boolean =>
  status === 404 && !operation.path.includes('{');
