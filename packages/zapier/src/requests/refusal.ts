import type { HttpResponse, ZObject } from 'zapier-platform-core';
import type { AuthenticationVariant } from '../authentication/variant.ts';
import { valueAt } from '../records/api-record.ts';
import { isBusy } from './attempt.ts';
import type { Call } from './call-api.ts';
import { describeFailure } from './describe-failure.ts';
import { retryAfterOf, secondsUntilNextWindow } from './retry-after.ts';

/**
 * The platform's error for an answer that is no success: the API's own message, with the labels of the failing fields.
 * 401 asks to reconnect, 429 and 503 let Zapier run the step again later, a conflict stops the step without an alarm.
 */
export function refusal(
  variant: AuthenticationVariant,
  z: ZObject,
  response: HttpResponse<unknown>,
  call: Call,
): Error {
  const { status, data } = response;
  const code = String(valueAt(data, ['error', 'code']) ?? 'UNKNOWN');
  const message = describeFailure(response, call);
  if (isBusy(response)) {
    const wait = retryAfterOf(response) ?? secondsUntilNextWindow;
    return new z.errors.ThrottledError(message ?? 'The service is busy.', wait);
  }
  if (message === undefined && status >= 500) {
    return new z.errors.Error('The service has trouble at the moment. Try again in a while.', code, status);
  }
  if (message === undefined || isWrongAddress(status, call)) return notTheApi(variant, z, response);
  if (status === 401) return variant.refused(z, message);
  if (code === 'CONFLICT') return new z.errors.HaltedError(message);
  return new z.errors.Error(message, code, status);
}

/** The platform's error for what answers as no Dealkeep does: a page, or an address below which the API is not. */
export function notTheApi(
  { addressAdvice: advice }: AuthenticationVariant,
  z: ZObject,
  { request, status }: HttpResponse<unknown>,
): Error {
  const { host } = new URL(request.url ?? '');
  return new z.errors.Error(
    `${host} answers, but not as the API of Dealkeep does. ${advice}`,
    'NOT_THE_API',
    status,
  );
}

/** A path that names no record is there in every Dealkeep. */
const isWrongAddress = (status: number, { operation }: Call): boolean =>
  status === 404 && !operation.path.includes('{');
