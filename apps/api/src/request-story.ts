import { randomUUID } from 'node:crypto';
import type { Core } from '@dealkeep/core';
import { type Tracing, tracing } from '@dealkeep/core/foundations';
import { type RequestOrigin, requestOrigin } from '@dealkeep/core/identity';
import type { ApiContext, RequestStory } from './api-environment.ts';

/** What a client may call its request: enough for every kind of id and trace, nothing that a log could misread. */
const safeId = /^[\w.:@/+=~-]{1,128}$/;

/** The story of the request that is being answered; it begins with the first call. */
export function storyOf({ env }: Pick<ApiContext, 'env'>): RequestStory {
  env.story ??= { id: requestIdOf(env), startedAt: performance.now() };
  return env.story;
}

/** Where a request comes from, for the audit log. */
export function originOf({ trustProxy = false }: Core, c: Pick<ApiContext, 'env'>): RequestOrigin {
  const { headers, socket } = c.env.incoming;
  const forwarded = headers['x-forwarded-for'];
  return requestOrigin(
    {
      remoteAddress: socket.remoteAddress,
      forwarded: Array.isArray(forwarded) ? forwarded.at(-1) : forwarded,
      userAgent: headers['user-agent'],
      requestId: storyOf(c).id,
    },
    trustProxy,
  );
}

function requestIdOf({ incoming }: ApiContext['env']): string {
  // What stands in for a request that could not be read has no headers.
  const given = incoming?.headers['x-request-id'];
  return typeof given === 'string' && safeId.test(given) ? given : randomUUID();
}

/** Asked every few seconds by programs that watch. */
const watched: readonly string[] = ['/healthz', '/readyz', '/metrics'];

/**
 * Answers a request as a span, of the caller's trace where there is one. Its query and the ids in its path are left
 * out.
 */
async function answerTraced(
  by: Tracing,
  c: ApiContext,
  answer: () => Response | Promise<Response>,
): Promise<Response> {
  if (watched.includes(c.req.path)) return answer();
  const story = storyOf(c);
  const { method } = c.req;
  const { traceparent } = c.env.incoming?.headers ?? {};
  const span = by.begin({
    name: method,
    kind: 'server',
    attributes: { 'http.request.method': method },
    parent: { traceparent: traceparent?.toString() },
  });
  story.trace_id = span.traceId;
  let status = 500;
  try {
    const response = await by.within(span, answer);
    ({ status } = response);
    return response;
  } finally {
    const { operation = 'unknown', organization, code } = story;
    span.end({
      name: `${method} ${operation}`,
      attributes: {
        'http.response.status_code': status,
        'dealkeep.operation': operation,
        ...(organization === undefined ? {} : { 'dealkeep.organization_id': organization }),
        ...(code === undefined ? {} : { 'dealkeep.refusal': code }),
      },
      ...(status >= 500 ? { fault: String(status) } : {}),
    });
  }
}

/**
 * Answers a request, and tells it in one line of the log: what is refused always, everything with `ACCESS_LOG=true`,
 * else for who looks at `debug`.
 */
export async function told(
  core: Core,
  c: ApiContext,
  answer: () => Response | Promise<Response>,
): Promise<Response> {
  const story = storyOf(c);
  const response = await (tracing ? answerTraced(tracing, c, answer) : answer());
  const { status } = response;
  const { id, startedAt, ...known } = story;
  const fields = {
    request_id: id,
    method: c.req.method,
    path: c.req.path,
    status,
    ...known,
    duration_ms: Math.round((performance.now() - startedAt) * 10) / 10,
  };
  const isRefused = status >= 400 && status < 500;
  core.log[core.accessLog || isRefused ? 'info' : 'debug'](fields, 'Request');
  return response;
}
