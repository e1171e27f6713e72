import { randomUUID } from 'node:crypto';
import {
  type Answer,
  type Api,
  type Call,
  describeMatches,
  failureIn,
  isOurs,
  isTemporary,
  isWelcome,
  matchesIn,
  requestOf,
} from '@dealkeep/connectors';
import type { Bundle, ZObject } from 'zapier-platform-core';
import type { AuthenticationVariant } from '../authentication/variant.ts';
import { attempt, isStale, type Outcome } from './attempt.ts';
import { cleanError } from './clean-error.ts';
import { persistently } from './persistently.ts';
import { notTheApi, refusal } from './refusal.ts';
import { slowDown } from './slow-down.ts';
import { isPassing, unreachable } from './unreachable.ts';

/** The API behind a connection, as one run of a step reaches it. */
export const apiFor = (variant: AuthenticationVariant, z: ZObject, bundle: Bundle): Api => ({
  call: (call) => callApi(variant, z, bundle, call),
});

/**
 * Calls an operation. 5xx, network errors and a key still in use are tried again with the same Idempotency-Key, as long
 * as the run's time allows; every other refusal is thrown as the platform's error with the API's own message.
 */
async function callApi(
  variant: AuthenticationVariant,
  z: ZObject,
  bundle: Bundle,
  call: Call,
): Promise<Answer> {
  const request = requestOf(call, {
    root: variant.apiRoot(z, bundle),
    authorization: variant.authorization(bundle),
    idempotencyKey: randomUUID(),
  });
  const outcome = await persistently(z, () => attempt(z, request), isWorthAnother);
  if (isStale(outcome)) throw cleanError(variant.refused(z, 'The access of this connection has ended.'));
  if (outcome instanceof Error) throw unreachable(z, request.url, variant.addressAdvice, outcome);
  const { status, data: content } = outcome;
  const refused = { url: outcome.request.url ?? request.url, status };
  if (!isWelcome(call, status)) {
    const failure = failureIn({ status, content, retryAfter: outcome.getHeader('retry-after') }, call);
    const matches = matchesIn(call, content);
    if (failure.kind === 'conflict' && matches.length > 0) {
      const message = await describeMatches(apiFor(variant, z, bundle), call, matches);
      throw cleanError(refusal(variant, z, { ...failure, message }, refused));
    }
    throw cleanError(refusal(variant, z, failure, refused));
  }
  if (!isOurs(call, status, content)) throw cleanError(notTheApi(variant, z, refused));
  await slowDown(z, outcome);
  return { status, content };
}

const isWorthAnother = (outcome: Outcome): boolean =>
  outcome instanceof Error ? isPassing(outcome) : isTemporary(outcome.status, outcome.data);
