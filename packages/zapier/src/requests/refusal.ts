import { describeElsewhere, type Failure } from '@dealkeep/connectors';
import type { ZObject } from 'zapier-platform-core';
import type { AuthenticationVariant } from '../authentication/variant.ts';

/** An answer that is not what was asked for. */
interface Refused {
  readonly url: string;
  readonly status: number;
}

/**
 * The platform's error for an answer that is no success: 401 asks to reconnect, 429 and 503 let Zapier run the step
 * again later, a conflict stops the step without an alarm.
 */
export function refusal(
  variant: AuthenticationVariant,
  z: ZObject,
  failure: Failure,
  refused: Refused,
): Error {
  switch (failure.kind) {
    case 'busy':
      return new z.errors.ThrottledError(failure.message, failure.seconds);
    case 'elsewhere':
      return notTheApi(variant, z, refused);
    case 'unauthorized':
      return variant.refused(z, failure.message);
    case 'conflict':
      return new z.errors.HaltedError(failure.message);
    case 'refused':
      return new z.errors.Error(failure.message, failure.code, failure.status);
  }
}

/** The platform's error for what answers as no Dealkeep does: a page, or an address below which the API is not. */
export function notTheApi(
  { addressAdvice: advice }: AuthenticationVariant,
  z: ZObject,
  { url, status }: Refused,
): Error {
  return new z.errors.Error(describeElsewhere(new URL(url), advice), 'NOT_THE_API', status);
}
