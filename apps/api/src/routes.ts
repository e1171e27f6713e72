import { basePath, type OperationId, operationIds, operations } from '@dealkeep/contract';
import type { Core } from '@dealkeep/core';
import type { Hono } from 'hono';
import { answerRequest } from './answer-request.ts';
import type { ApiEnvironment } from './api.ts';
import { told } from './request-story.ts';

/** The route of every operation; whatever else stands below the API root is answered to who has a credential. */
export function operationRoutes(app: Hono<ApiEnvironment>, core: Core): void {
  for (const id of [...operationIds].sort(byNames)) {
    const { method, path } = operations[id];
    app.on(method, basePath + path.replaceAll(/\{(\w+)\}/g, ':$1'), (c) =>
      told(core, c, () => answerRequest(core, c, { id, path: c.req.param() })),
    );
  }
  app.all(`${basePath}/*`, (c) => told(core, c, () => answerRequest(core, c)));
}

/** The first that fits is taken: `/webhooks/events` before `/webhooks/{id}`. */
const byNames = (one: OperationId, other: OperationId): number => namesIn(one) - namesIn(other);

const namesIn = (id: OperationId): number => operations[id].path.split('{').length;
