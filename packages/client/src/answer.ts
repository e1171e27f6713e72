import type { Lost, Received } from './attempt.ts';
import { DealkeepError } from './error.ts';
import { isObject } from './is-object.ts';
import type { FieldError } from './registry.ts';
import { retryAfterSeconds } from './retry-plan.ts';

export const isSuccess = ({ status }: Received): boolean => status >= 200 && status < 300;

/** The `code` of an error in the form of the API (rule errors 1); undefined in any other answer. */
export function codeOf({ content }: Received): string | undefined {
  const error = isObject(content) ? content['error'] : undefined;
  return isObject(error) && typeof error['code'] === 'string' ? error['code'] : undefined;
}

/** The error of an answer that is no success. */
export function refusal(received: Received, host: string, now: number): DealkeepError {
  const { status, headers, content } = received;
  const facts = {
    status,
    requestId: headers.get('x-request-id') ?? undefined,
    retryAfter: retryAfterSeconds(headers.get('retry-after'), now),
  };
  if (status === 304) {
    return new DealkeepError({ ...facts, code: 'NOT_MODIFIED', message: 'The record is still the same.' });
  }
  const error = isObject(content) ? content['error'] : undefined;
  const code = codeOf(received);
  if (!isObject(error) || code === undefined) {
    const message =
      status === 0 || (status >= 300 && status < 400)
        ? `${host} sends requests on to another address (${status}). Set baseUrl to where they end.`
        : `The answer of ${host} (${status}) is none of the Dealkeep API. Check baseUrl.`;
    return new DealkeepError({ ...facts, code: 'UNEXPECTED_ANSWER', message });
  }
  const { message, detail, doc_url } = error;
  return new DealkeepError({
    ...facts,
    code,
    message: typeof message === 'string' ? message : code,
    detail,
    fields: fieldErrors(detail),
    docUrl: typeof doc_url === 'string' ? doc_url : undefined,
  });
}

/** The error of an attempt that brought no answer. */
export function lossError({ lost, cause }: Lost, host: string): DealkeepError {
  const reason =
    lost === 'TIMED_OUT' ? `${host} did not answer in time.` : `The connection to ${host} failed.`;
  const why = deepestMessage(cause);
  return new DealkeepError({ code: lost, message: why ? `${reason} ${why}` : reason, cause });
}

/** The error of a success without what the operation promises. */
export const unexpectedSuccess = ({ status, headers }: Received, host: string): DealkeepError =>
  new DealkeepError({
    status,
    code: 'UNEXPECTED_ANSWER',
    message: `The answer of ${host} (${status}) is none of the Dealkeep API. Check baseUrl.`,
    requestId: headers.get('x-request-id') ?? undefined,
  });

/** fetch says "fetch failed" and hides why in its causes. */
function deepestMessage(error: unknown): string {
  if (!(error instanceof Error)) return '';
  return deepestMessage(error.cause) || error.message;
}

function fieldErrors(detail: unknown): readonly FieldError[] {
  const fields = isObject(detail) ? detail['fields'] : undefined;
  return Array.isArray(fields) ? fields.filter(isFieldError) : [];
}

const isFieldError = (value: unknown): value is FieldError =>
  isObject(value) &&
  typeof value['path'] === 'string' &&
  typeof value['code'] === 'string' &&
  typeof value['message'] === 'string';
