import { randomUUID } from 'node:crypto';
import { type Api, apiOver } from '@dealkeep/connectors';
import type { Bundle, ZObject } from 'zapier-platform-core';
import type { AuthenticationVariant } from '../authentication/variant.ts';
import { attempt, isStale } from './attempt.ts';
import { cleanError } from './clean-error.ts';
import { refusal } from './refusal.ts';
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
