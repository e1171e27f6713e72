import { apiVersion } from '@dealkeep/contract';
import type { Core } from '@dealkeep/core';
import { defaultLimits } from '@dealkeep/core/foundations';
import { type RateLimitStatus, secondsLeft } from '@dealkeep/core/identity';

/**
 * What the headers of limits say in a response to a request that was not counted, such as one without a credential.
 */
export function uncounted({ environment, clock }: Core): RateLimitStatus {
  const { requestsPerMinute } = defaultLimits(environment);
  return {
    passed: true,
    limit: requestsPerMinute,
    remaining: requestsPerMinute,
    secondsLeft: secondsLeft(clock),
  };
}

/** The headers of every response. */
export const serviceHeaders = (
  { limit, remaining, secondsLeft }: RateLimitStatus,
  requestId: string,
): Record<string, string> => ({
  'X-Service-Api-Version': apiVersion,
  'X-RateLimit-Limit': String(limit),
  'X-RateLimit-Remaining': String(remaining),
  'X-RateLimit-Reset': String(secondsLeft),
  'X-Request-Id': requestId,
});
