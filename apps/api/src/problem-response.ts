import { errorStatus, languageOf } from '@dealkeep/contract';
import type { Core } from '@dealkeep/core';
import {
  isOfMovingOrganization,
  isTemporaryFailure,
  Problem,
  unavailableRetryAfterSeconds,
} from '@dealkeep/core/foundations';
import { type RateLimitStatus, resourceMetadataAddress } from '@dealkeep/core/identity';
import type { HonoRequest } from 'hono';
import { encodeProblem } from './answer.ts';
import type { RequestStory } from './api-environment.ts';
import { respond } from './respond.ts';
import { serviceHeaders, uncounted } from './service-headers.ts';

/** How far a request came before it failed. */
export interface Failed {
  request: HonoRequest;
  story: RequestStory;
  rateLimit?: RateLimitStatus | undefined;
}

/** The response to a request that failed; what is no problem of the caller is also logged. */
export function problemResponse(
  core: Core,
  error: unknown,
  { request, story, rateLimit = uncounted(core) }: Failed,
): Promise<Response> {
  const problem = problemOf(error);
  const { id: requestId, operation } = story;
  story.code = problem.code;
  if (problem !== error && problem.key !== 'organization.moving') {
    const fields = { error, request_id: requestId, method: request.method, path: request.path, operation };
    core.log.error(fields, 'A request failed');
  }
  const language = languageOf(request.header('accept-language'));
  const answer = encodeProblem(problem, { language, requestId, origin: core.origin });
  const headers = {
    ...serviceHeaders(rateLimit, requestId),
    ...bearerChallenge(core, problem, request.path),
    ...retryAfter(problem, rateLimit),
  };
  return respond(answer, headers, { acceptEncoding: request.header('accept-encoding') });
}

/** What is about to run is done in a second or less. */
const inProgressSeconds = 1;

/** When the same request may do better. */
function retryAfter(
  { code, key, values }: Problem,
  { secondsLeft }: RateLimitStatus,
): Record<string, string> {
  const after = (seconds: unknown) => ({ 'Retry-After': String(seconds) });
  if (key === 'request.too_much_at_once') return after(values['seconds']);
  if (code === 'RATE_LIMITED') return after(secondsLeft);
  if (code === 'SERVICE_UNAVAILABLE') return after(unavailableRetryAfterSeconds);
  return code === 'IDEMPOTENCY_IN_PROGRESS' ? after(inProgressSeconds) : {};
}

/**
 * The problem that an error means to the caller: temporary trouble is 503, any other fault 500, neither says why.
 */
function problemOf(error: unknown): Problem {
  if (error instanceof Problem) return error;
  if (isOfMovingOrganization(error)) return new Problem('organization.moving');
  return new Problem(isTemporaryFailure(error) ? 'service.unavailable' : 'service.fault');
}

/**
 * RFC 6750, 3 and 3.1, and RFC 9728, 5.1: an error code only where a token was sent, the scope where it is what
 * lacks. What a role does not back is no matter of the token: another one would not help.
 */
function bearerChallenge(core: Core, problem: Problem, path: string): Record<string, string> {
  // The token of `/metrics` has nothing to do with OAuth, so no metadata is named.
  if (problem.key === 'metrics.token') return { 'WWW-Authenticate': 'Bearer' };
  const metadata = `resource_metadata="${resourceMetadataAddress(core.origin, path)}"`;
  const challenge = (said: string) => ({ 'WWW-Authenticate': `Bearer ${said}${metadata}` });
  if (problem.key === 'credential.missing') return challenge('');
  if (errorStatus[problem.code] === 401) return challenge('error="invalid_token", ');
  if (problem.key !== 'credential.scope' && problem.key !== 'credential.scope_connection') return {};
  return challenge(`error="insufficient_scope", scope="${problem.values['scope']}", `);
}
