import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { basePath, type Language, operationIds, operations } from '@dealkeep/contract';
import { type Core, checkStanding, execute, Problem, type VerbId } from '@dealkeep/core';
import { type Context, Hono } from 'hono';
import { encodeOutcome, encodeProblem, problemOf } from './answer.ts';
import { healthRoutes } from './health.ts';
import { languageOf } from './language.ts';
import { openapiRoutes } from './openapi.ts';
import { receiveBody } from './receive-body.ts';
import { type Ceilings, ceilingsOf, defaultCeilings, serviceHeaders } from './service-headers.ts';

export interface ApiOptions {
  core: Core;
}

export type ApiEnvironment = {
  /** `malformed` stands in for a request that could not be read, so that it is answered like any other. */
  Bindings: { incoming: IncomingMessage; malformed?: true };
  Variables: { requestId: string; ceilings: Ceilings; language: Language };
};
type ApiContext = Context<ApiEnvironment>;

/** Seconds after which a 503 may be tried again. */
const retryAfterSeconds = 5;

/** The HTTP face of core: REST v1, the OpenAPI description, health. */
export function createApi({ core }: ApiOptions): Hono<ApiEnvironment> {
  const app = new Hono<ApiEnvironment>();
  const defaults = defaultCeilings(core.environment);

  app.use(async (c, next) => {
    c.set('requestId', randomUUID());
    c.set('ceilings', defaults);
    c.set('language', languageOf(c.req.header('accept-language')));
    await next();
    c.header('X-Request-Id', c.get('requestId'));
    for (const [name, value] of Object.entries(serviceHeaders(c.get('ceilings'), core.clock))) {
      c.header(name, value);
    }
  });

  app.use(async (c, next) => {
    if (c.env.malformed) throw new Problem('request.malformed');
    await next();
  });
  healthRoutes(app, core);
  openapiRoutes(app, core);
  for (const id of operationIds) {
    const { method, path } = operations[id];
    app.on(method, basePath + path.replaceAll(/\{(\w+)\}/g, ':$1'), (c) => handle(c, core, id));
  }
  app.all(`${basePath}/*`, async (c) => {
    checkStanding(await findCredential(c, core));
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

async function findCredential(c: ApiContext, core: Core) {
  const credential = await core.credentials.find(c.req.header('authorization'));
  c.set('ceilings', ceilingsOf(credential));
  return credential;
}

async function handle(c: ApiContext, core: Core, id: VerbId): Promise<Response> {
  const credential = await findCredential(c, core);
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
  };
  return new Response(body, { status, headers });
}
