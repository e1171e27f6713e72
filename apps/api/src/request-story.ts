import { randomUUID } from 'node:crypto';
import { type Core, type RequestOrigin, requestOrigin } from '@dealkeep/core';
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

/**
 * Answers a request, and tells it in one line of the log: what is refused always, everything with `ACCESS_LOG=true`, else
 * for who looks at `debug`.
 */
export async function told(
  core: Core,
  c: ApiContext,
  answer: () => Response | Promise<Response>,
): Promise<Response> {
  const story = storyOf(c);
  const response = await answer();
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
