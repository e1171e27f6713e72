import { languageOf, type OperationId, operations } from '@dealkeep/contract';
import {
  type Answer,
  type Caller,
  type Core,
  type Credential,
  checkStanding,
  execute,
  Problem,
  type RateStanding,
} from '@dealkeep/core';
import type { Context } from 'hono';
import { encodeOutcome } from './answer.ts';
import type { ApiEnvironment } from './api.ts';

import { problemResponse } from './problem-response.ts';
import { receiveBody } from './receive-body.ts';
import { storyOf } from './request-story.ts';
import { serviceHeaders } from './service-headers.ts';

export type ApiContext = Context<ApiEnvironment>;

/** The operation that a request means, and the values in its path. */
interface Route {
  readonly id: OperationId;
  readonly path: Readonly<Record<string, string>>;
}

/** Answers a request below the API root: credential, limits, then the operation. */
export async function answerRequest(core: Core, c: ApiContext, route?: Route): Promise<Response> {
  const started = performance.now();
  storyOf(c).operation = route?.id ?? 'unknown';
  const response = await answerCounted(core, c, async (credential, headers) => {
    const answer = await runOperation(core, c, credential, route);
    if (answer.status >= 400) storyOf(c).code = codeOf(answer.body);
    return complete(answer, headers);
  });
  core.metrics.countRequest(route?.id ?? 'unknown', response.status, (performance.now() - started) / 1000);
  return response;
}

/** Answers a request of a credential, counted by its limits; `answer` is given the headers of every response. */
export async function answerCounted(
  core: Core,
  c: ApiContext,
  answer: (credential: Credential, headers: Record<string, string>) => Promise<Response>,
): Promise<Response> {
  const story = storyOf(c);
  const requestId = story.id;
  let standing: RateStanding | undefined;
  try {
    const credential = await core.credentials.find(callerOf(c));
    story.credential = credential.id;
    story.organization = credential.organization.id;
    standing = await core.rateLimiter.count(credential);
    if (!standing.passed) {
      core.metrics.countRefusal();
      throw new Problem('rate.limited', { seconds: standing.secondsLeft });
    }
    return await answer(credential, serviceHeaders(standing, requestId));
  } catch (error) {
    return problemResponse(core, error, { request: c.req, story, standing });
  }
}

/** Who sends a request, by its headers: Node's own, because building the web's is half of what a small request costs. */
export function callerOf({ env }: Pick<ApiContext, 'env'>): Caller {
  const { authorization, 'user-agent': userAgent } = env.incoming.headers;
  return { authorization, userAgent };
}

/** Raises NOT_FOUND where there is no such operation. */
function runOperation(
  core: Core,
  c: ApiContext,
  credential: Credential,
  route: Route | undefined,
): Promise<Answer> {
  const { incoming } = c.env;
  if (!route) {
    checkStanding(credential);
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
      receive: () => receiveBody(incoming),
    },
    {
      encode: (outcome) =>
        encodeOutcome(declaration, outcome, () => languageOf(incoming.headers['accept-language'])),
      ...(key === undefined
        ? {}
        : { idempotency: { key: String(key), method: c.req.method, path: c.req.path } }),
    },
  );
}

/** The code in the body of an error, be it new or stored for a repeat. */
function codeOf(body: string | Uint8Array): string {
  const { error }: { error: { code: string } } = JSON.parse(Buffer.from(body).toString());
  return error.code;
}

function complete({ status, body, noStore, replayed }: Answer, headers: Record<string, string>): Response {
  if (noStore) headers['Cache-Control'] = 'no-store';
  if (replayed) headers['Idempotent-Replayed'] = 'true';
  if (body === '') return new Response(null, { status, headers });
  headers['Content-Type'] = 'application/json';
  return new Response(body, { status, headers });
}
