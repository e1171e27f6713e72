import { openapiDocument } from '@dealkeep/contract';
import type { Core } from '@dealkeep/core';
import type { Hono } from 'hono';
import { cors } from 'hono/cors';
import { stringify } from 'yaml';
import type { ApiEnvironment } from './api.ts';

const path = '/api/v1/openapi';

/**
 * The public description of the API, as JSON and as YAML, for any web page to read. Written at the first request for
 * it: the garbage of writing it would stay with the process from its start.
 */
export function openapiRoutes(app: Hono<ApiEnvironment>, core: Core): void {
  const json = once(() => JSON.stringify(openapiDocument(core.origin)));
  // Written out in full: readers of YAML do not all follow its anchors. In quotes, what older ones (YAML 1.1) take for
  // dates, times and truth: 2026-10-01, 16:00 and Norway's NO.
  const yaml = once(() =>
    stringify(openapiDocument(core.origin), { version: '1.1', aliasDuplicateObjects: false, lineWidth: 0 }),
  );
  app.use(`${path}/*`, cors({ origin: '*', allowMethods: ['GET'] }));
  app.get(`${path}/public-v1.json`, (c) => c.body(json(), 200, { 'Content-Type': 'application/json' }));
  app.get(`${path}/public-v1.yaml`, (c) => c.body(yaml(), 200, { 'Content-Type': 'application/yaml' }));
}

function once(write: () => string): () => string {
  let text: string | undefined;
  return () => {
    text ??= write();
    return text;
  };
}
