import { DealkeepError } from './error.ts';
import { apiErrorIn, type FetchLoss, type Received, retryAfterSeconds, valueAt } from './transport/index.ts';

/** The error of an answer that is no success. */
export function refusal({ status, header, content }: Received, host: string, now: number): DealkeepError {
  const facts = {
    status,
    requestId: header('x-request-id') ?? undefined,
    retryAfter: retryAfterSeconds(header('retry-after'), now),
  };
  if (status === 304) {
    return new DealkeepError({ ...facts, code: 'NOT_MODIFIED', message: 'The record is still the same.' });
  }
  const error = apiErrorIn(content);
  if (error) {
    const docUrl = valueAt(content, 'error.doc_url');
    return new DealkeepError({ ...facts, ...error, docUrl: typeof docUrl === 'string' ? docUrl : undefined });
  }
  const message =
    status === 0 || (status >= 300 && status < 400)
      ? `${host} sends requests on to another address (${status}). Set baseUrl to where they end.`
      : notTheApi(status, host);
  return new DealkeepError({ ...facts, code: 'UNEXPECTED_ANSWER', message });
}

/** The error of an attempt that brought no answer. */
export function lossError({ code, cause }: FetchLoss, host: string): DealkeepError {
  const reason =
    code === 'TIMED_OUT' ? `${host} did not answer in time.` : `The connection to ${host} failed.`;
  const why = deepestMessage(cause);
  return new DealkeepError({ code, message: why ? `${reason} ${why}` : reason, cause });
}

/** The error of a success without what the operation promises. */
export const unexpectedSuccess = ({ status, header }: Received, host: string): DealkeepError =>
  new DealkeepError({
    status,
    code: 'UNEXPECTED_ANSWER',
    message: notTheApi(status, host),
    requestId: header('x-request-id') ?? undefined,
  });

const notTheApi = (status: number, host: string): string =>
  `The answer of ${host} (${status}) is none of the Dealkeep API. Check baseUrl.`;

/** fetch says "fetch failed" and hides why in its causes. */
function deepestMessage(error: unknown): string {
  if (!(error instanceof Error)) return '';
  return deepestMessage(error.cause) || error.message;
}
