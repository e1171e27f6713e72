import { randomUUID } from 'node:crypto';
import { type Api, apiOver, describeElsewhere, type Failure } from '@dealkeep/connectors';
import type { Bundle, ZObject } from 'zapier-platform-core';
import type { AuthenticationVariant } from '../authentication/variant.ts';
import { attempt, isStale } from './attempt.ts';
import { cleanError } from './clean-error.ts';
import { waitingOf } from './run-time.ts';
import { unreachable } from './unreachable.ts';

/** The API behind a connection, as one run of a step reaches it. */
export const apiFor = (variant: AuthenticationVariant, z: ZObject, bundle: Bundle): Api =>
  apiOver<Error>({
    target: () => ({ root: variant.apiRoot(z, bundle), authorization: variant.authorization(bundle) }),
    idempotencyKey: () => randomUUID(),
    send: (request) => attempt(z, request),
    waiting: () => waitingOf(z),
    lost: (error, address) =>
      isStale(error)
        ? cleanError(variant.refused(z, 'The access of this connection has ended.'))
        : unreachable(z, address, variant.addressAdvice, error),
    refused: (failure, address) => cleanError(refusal(variant, z, failure, address)),
  });

/**
 * The platform's error for an answer that is no success: 401 asks to reconnect, 429 and 503 let Zapier run the step
 * again later, a conflict stops the step without an alarm.
 */
function refusal(variant: AuthenticationVariant, z: ZObject, failure: Failure, address: URL): Error {
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
