import { describeElsewhere, type Failure } from '@dealkeep/connectors';
import type { ZObject } from 'zapier-platform-core';
import type { AuthenticationVariant } from '../authentication/variant.ts';

/**
 * The platform's error for an answer that is no success: 401 asks to reconnect, 429 and 503 let Zapier run the step
 * again later, a conflict stops the step without an alarm.
 */
export function refusal(variant: AuthenticationVariant, z: ZObject, failure: Failure, address: URL): Error {
  switch (failure.kind) {
    case 'busy':
      return new z.errors.ThrottledError(failure.message, failure.seconds);
    case 'elsewhere':
      return new z.errors.Error(
        describeElsewhere(address, variant.addressAdvice),
        'NOT_THE_API',
        failure.status,
      );
    case 'unauthorized':
      return variant.refused(z, failure.message);
    case 'conflict':
      return new z.errors.HaltedError(failure.message);
    case 'refused':
      return new z.errors.Error(failure.message, failure.code, failure.status);
  }
}
