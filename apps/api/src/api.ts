import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { basePath, type Language, operationIds, operations } from '@dealkeep/contract';
import { type Core, type Credential, execute, Problem, type RateStanding, type VerbId } from '@dealkeep/core';
import { type Context, Hono } from 'hono';
import { encodeOutcome, encodeProblem, problemOf } from './answer.ts';
import { docsRoutes } from './docs/routes.ts';
import { healthRoutes } from './health.ts';
import { languageOf } from './language.ts';
import { openapiRoutes } from './openapi.ts';
import { receiveBody } from './receive-body.ts';
import { serviceHeaders, uncounted } from './service-headers.ts';

export interface ApiOptions {
  core: Core;
}

export type ApiEnvironment = {
  Bindings: { incoming: IncomingMessage };
  Variables: { requestId: string; standing: RateStanding; language: Language };
};
type ApiContext = Context<ApiEnvironment>;

/** Seconds after which a 503 may be tried again. */
const retryAfterSeconds = 5;

/** The HTTP face of core: REST v1, the OpenAPI description, health. */
export function createApi({ core }: ApiOptions): Hono<ApiEnvironment> {
  const app = new Hono<ApiEnvironment>();

  app.use(async (c, next) => {
    c.set('requestId', randomUUID());
    c.set('standing', uncounted(core));
    c.set('language', languageOf(c.req.header('accept-language')));
    await next();
    c.header('X-Request-Id', c.get('requestId'));
    for (const [name, value] of serviceHeaders(c.get('standing'))) c.header(name, value);
  });

  healthRoutes(app, core);
  openapiRoutes(app, core);
  docsRoutes(app, core);
  for (const id of operationIds) {
    const { method, path } = operations[id];
    app.on(method, basePath + path.replaceAll(/\{(\w+)\}/g, ':$1'), (c) => handle(c, core, id));
  }
  app.all(`${basePath}/*`, async (c) => {
    await admit(c, core);
    throw new Problem('path.not_found');
  });
  app.notFound((c) => problemResponse(c, new Problem('path.not_found')));
  app.onError((error, c) => {
    const problem = problemOf(error);
    if (problem !== error) {
      const fields = { error, request_id: c.get('requestId'), method: c.req.method, path: c.req.path };
      core.log.error(fields, 'A request failed');
    }
    return problemResponse(c, problem);
  });
  return app;
}

/** The credential of a request that its limits let pass. */
async function admit(c: ApiContext, core: Core): Promise<Credential> {
  const credential = await core.credentials.find(c.req.header('authorization'));
  const standing = await core.rateLimiter.count(credential);
  c.set('standing', standing);
  if (!standing.passed) throw new Problem('rate.limited', { seconds: standing.secondsLeft });
  return credential;
}

async function handle(c: ApiContext, core: Core, id: VerbId): Promise<Response> {
  const credential = await admit(c, core);
  const declaration = operations[id];
  const language = c.get('language');
  const key = declaration.method === 'POST' ? c.req.header('idempotency-key') : undefined;
  const { search } = new URL(c.req.url);
  const answer = await execute(
    core,
    credential,
    id,
    {
      path: c.req.param(),
      query: search === '' ? [] : [...new URLSearchParams(search)],
      receive: () => receiveBody(c.env.incoming),
    },
    {
      encode: (outcome) => encodeOutcome(declaration, outcome, language),
      ...(key === undefined ? {} : { idempotency: { key, method: c.req.method, path: c.req.path } }),
    },
  );
  const headers = {
    ...(answer.body === '' ? {} : { 'Content-Type': 'application/json' }),
    ...(answer.noStore ? { 'Cache-Control': 'no-store' } : {}),
    ...(answer.replayed ? { 'Idempotent-Replayed': 'true' } : {}),
  };
  return new Response(answer.body === '' ? null : answer.body, { status: answer.status, headers });
}

function problemResponse(c: ApiContext, problem: Problem): Response {
  const { status, body } = encodeProblem(problem, c.get('language'));
  const headers = {
    'Content-Type': 'application/json',
    ...(status === 401 ? { 'WWW-Authenticate': 'Bearer' } : {}),
    ...(status === 503 ? { 'Retry-After': String(retryAfterSeconds) } : {}),
    ...(status === 429 ? { 'Retry-After': String(c.get('standing').secondsLeft) } : {}),
  };
  return new Response(body, { status, headers });
}
