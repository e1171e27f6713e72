import {
  basePath,
  getOperationOf,
  languageOf,
  type OperationDeclaration,
  type OperationId,
  operations,
  takesIfMatch,
} from '@dealkeep/contract';
import type { Core } from '@dealkeep/core';
import type { Answer } from '@dealkeep/core/change';
import { Problem } from '@dealkeep/core/foundations';
import {
  type Caller,
  type Credential,
  protectedResourceAt,
  type RateLimitStatus,
  requireActiveOrganization,
} from '@dealkeep/core/identity';
import { type ExecuteOptions, execute, unchanged } from '@dealkeep/core/operations';
import { encodeOutcome } from './answer.ts';
import type { ApiContext } from './api-environment.ts';
import { namesTag } from './entity-tags.ts';
import { problemResponse } from './problem-response.ts';
import { receiveBody } from './receive-body.ts';
import { originOf, storyOf } from './request-story.ts';
import { respond, wantedBy } from './respond.ts';
import { serviceHeaders } from './service-headers.ts';

/** The operation that a request means, and the values in its path. */
interface Route {
  readonly id: OperationId;
  readonly path: Readonly<Record<string, string>>;
}

/** Answers a request below the API root: credential, limits, then the operation. */
export async function answerRequest(core: Core, c: ApiContext, route?: Route): Promise<Response> {
  const started = performance.now();
  storyOf(c).operation = route?.id ?? 'unknown';
  const response = await answerCounted(core, c, async (credential, headers, countAs) => {
    const answer = await runOperation(core, c, { credential, countAs }, route);
    if (answer.status >= 400) storyOf(c).code = codeOf(answer.body);
    if (answer.status === 201 && route) headers['Location'] = addressOf(core, operations[route.id], answer);
    return respond(answer, headers, wantedBy(c.req.method, c.env.incoming.headers));
  });
  core.metrics.countRequest(route?.id ?? 'unknown', response.status, (performance.now() - started) / 1000);
  return response;
}

/** Counts a request as so many. Raises RATE_LIMITED. */
type CountAs = (requests: number) => Promise<void>;

/**
 * Answers a request of a credential, counted by its limits; `answer` is given the headers of every response, and
 * what counts the request as several.
 */
export async function answerCounted(
  core: Core,
  c: ApiContext,
  answer: (credential: Credential, headers: Record<string, string>, countAs: CountAs) => Promise<Response>,
): Promise<Response> {
  const story = storyOf(c);
  const requestId = story.id;
  let rateLimit: RateLimitStatus | undefined;
  try {
    const credential = await core.credentials.find(callerOf(c), protectedResourceAt(c.req.path));
    story.credential = credential.id;
    story.organization = credential.organization.id;
    const first = await core.rateLimiter.count(credential);
    rateLimit = first;
    requirePassed(core, first);
    const headers = serviceHeaders(first, requestId);
    return await answer(credential, headers, async (requests) => {
      rateLimit = await core.rateLimiter.countAs(requests, credential, first);
      Object.assign(headers, serviceHeaders(rateLimit, requestId));
      requirePassed(core, rateLimit);
    });
  } catch (error) {
    return problemResponse(core, error, { request: c.req, story, rateLimit });
  } finally {
    c.env.arrival?.end();
  }
}

function requirePassed(core: Core, { passed, secondsLeft }: RateLimitStatus): void {
  if (passed) return;
  core.metrics.countRefusal();
  throw new Problem('rate.limited', { seconds: secondsLeft });
}

/**
 * Who sends a request, by its headers: Node's own, because building a `Headers` object costs half as much as
 * answering a small request.
 */
export function callerOf({ env }: Pick<ApiContext, 'env'>): Caller {
  const { authorization, 'user-agent': userAgent } = env.incoming.headers;
  return { authorization, userAgent };
}

/** Raises NOT_FOUND where there is no such operation. */
function runOperation(
  core: Core,
  c: ApiContext,
  { credential, countAs }: { credential: Credential; countAs: CountAs },
  route: Route | undefined,
): Promise<Answer> {
  const { incoming } = c.env;
  if (!route) {
    requireActiveOrganization(credential);
    throw new Problem('path.not_found');
  }
  const declaration = operations[route.id];
  const key = declaration.method === 'POST' ? incoming.headers['idempotency-key'] : undefined;
  const search = c.req.url.indexOf('?');
  return execute(
    core,
    credential,
    route.id,
    {
      path: route.path,
      query: search === -1 ? [] : [...new URLSearchParams(c.req.url.slice(search))],
      receive: () => receiveBody(core, c, credential),
    },
    {
      actorNow: () => core.credentials.find(callerOf(c), 'api'),
      countAs,
      from: originOf(core, c),
      encode: (outcome, declared) =>
        encodeOutcome(declared, outcome, () => ({
          language: languageOf(incoming.headers['accept-language']),
          requestId: storyOf(c).id,
          origin: core.origin,
        })),
      ...preconditionOf(route, credential, incoming.headers['if-match']),
      ...(key === undefined
        ? {}
        : { idempotency: { key: String(key), method: c.req.method, path: c.req.path } }),
    },
  );
}

/** What `If-Match` makes a change depend on. */
function preconditionOf(
  { id, path }: Route,
  actor: Credential,
  ifMatch: string | undefined,
): Pick<ExecuteOptions, 'precondition'> {
  if (ifMatch === undefined || !takesIfMatch(operations[id])) return {};
  return { precondition: unchanged(actor, { id, path }, (tag) => namesTag(ifMatch, tag, { weakly: false })) };
}

/** The code in the body of an error, be it new or stored for a repeat. */
function codeOf(body: string | Uint8Array): string {
  const { error }: { error: { code: string } } = JSON.parse(Buffer.from(body).toString());
  return error.code;
}

/** Where the record is that was created. */
function addressOf(core: Core, declaration: OperationDeclaration, { body }: Answer): string {
  const get = getOperationOf(declaration);
  if (!get) throw new Error(`Nothing answers the record that ${declaration.id} creates`);
  const { data }: { data: Record<string, string> } = JSON.parse(body);
  return core.origin + basePath + get.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(data[name]));
}
