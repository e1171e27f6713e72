import { basePath, type OperationId, operationIds, operations } from '@dealkeep/contract';
import type { Core } from '@dealkeep/core';
import type { Hono } from 'hono';
import { answerRequest } from './answer-request.ts';
import type { ApiContext, ApiEnvironment } from './api-environment.ts';
import { storyOf, told } from './request-story.ts';
import { serviceHeaders, uncounted } from './service-headers.ts';

/** The route of every operation; whatever else stands below the API root is answered to who has a credential. */
export function operationRoutes(app: Hono<ApiEnvironment>, core: Core): void {
  for (const id of [...operationIds].sort(byNames)) {
    const { method, path } = operations[id];
    app.on(method, basePath + path.replaceAll(/\{(\w+)\}/g, ':$1'), (c) =>
      told(core, c, () => answerRequest(core, c, { id, path: c.req.param() })),
    );
  }
  app.options(`${basePath}/*`, (c) => told(core, c, () => answerPreflight(core, c)));
  app.all(`${basePath}/*`, (c) => told(core, c, () => answerRequest(core, c)));
}

/**
 * What a browser asks before it lets a page of another site send a credential (rule http 17): nothing is allowed, so
 * it does not, and says so in its console rather than of an error. Any other OPTIONS is a method that there is not.
 */
async function answerPreflight(core: Core, c: ApiContext): Promise<Response> {
  const { incoming } = c.env;
  if (incoming.headers['access-control-request-method'] === undefined) return answerRequest(core, c);
  storyOf(c).operation = 'preflight';
  return new Response(null, { status: 204, headers: serviceHeaders(uncounted(core), storyOf(c).id) });
}

/** The first that fits is taken: `/webhooks/events` before `/webhooks/{id}`. */
const byNames = (one: OperationId, other: OperationId): number => namesIn(one) - namesIn(other);

const namesIn = (id: OperationId): number => operations[id].path.split('{').length;
