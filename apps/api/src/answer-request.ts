import { randomUUID } from 'node:crypto';
import { basePath, languageOf, operations } from '@dealkeep/contract';
import {
  type Answer,
  type Core,
  type Credential,
  checkStanding,
  execute,
  type PageAnswer,
  Problem,
  type RateStanding,
} from '@dealkeep/core';
import type { Context } from 'hono';
import { encodeOutcome } from './answer.ts';
import type { ApiEnvironment } from './api.ts';

import { problemResponse } from './problem-response.ts';
import { receiveBody } from './receive-body.ts';
import { findRoute, type Route } from './routes.ts';
import { serviceHeaders } from './service-headers.ts';

export type ApiContext = Context<ApiEnvironment>;

/** Answers a request below the API root: credential, limits, then the operation. */
export async function answerRequest(core: Core, c: ApiContext): Promise<Response> {
  const started = performance.now();
  const route = findRoute(c.req.method, c.req.path.slice(basePath.length));
  const response = await answerCounted(core, c, async (credential, headers) =>
    complete(await runOperation(core, c, credential, route), headers),
  );
  core.metrics.countRequest(route?.id ?? 'unknown', response.status, (performance.now() - started) / 1000);
  return response;
}

/** Answers a request of a credential, counted by its limits; `answer` is given the headers of every response. */
export async function answerCounted(
  core: Core,
  c: ApiContext,
  answer: (credential: Credential, headers: Record<string, string>) => Promise<Response>,
): Promise<Response> {
  const requestId = randomUUID();
  let standing: RateStanding | undefined;
  try {
    // Node's own headers: building the web's is half of what a small request costs.
    const credential = await core.credentials.find(c.env.incoming.headers.authorization);
    standing = await core.rateLimiter.count(credential);
    if (!standing.passed) {
      core.metrics.countRefusal();
      throw new Problem('rate.limited', { seconds: standing.secondsLeft });
    }
    return await answer(credential, serviceHeaders(standing, requestId));
  } catch (error) {
    return problemResponse(core, error, { request: c.req, requestId, standing });
  }
}

/** Raises NOT_FOUND where there is no such operation. */
function runOperation(
  core: Core,
  c: ApiContext,
  credential: Credential,
  route: Route | undefined,
): Promise<Answer | PageAnswer> {
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

function complete(
  { status, body, noStore, replayed }: Answer | PageAnswer,
  headers: Record<string, string>,
): Response {
  if (noStore) headers['Cache-Control'] = 'no-store';
  if (replayed) headers['Idempotent-Replayed'] = 'true';
  if (body === '') return new Response(null, { status, headers });
  headers['Content-Type'] = 'application/json';
  return new Response(body, { status, headers });
}
