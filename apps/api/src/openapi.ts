import {
  asyncapiDocument,
  openapi30Document,
  openapiDocument,
  postmanCollection,
  swagger2Document,
} from '@dealkeep/contract';
import type { Core } from '@dealkeep/core';
import type { Hono } from 'hono';
import { cors } from 'hono/cors';
import { stringify } from 'yaml';
import type { ApiEnvironment } from './api-environment.ts';
import { daily, sendDocument } from './documents.ts';

const path = '/api/v1/openapi';

const contentTypes = { json: 'application/json', yaml: 'application/yaml' } as const;

/** Every document that is made of the contract, by the name of its file. */
const documents = {
  'public-v1.json': openapiDocument,
  'public-v1.yaml': openapiDocument,
  'public-v1-3.0.json': openapi30Document,
  'public-v1-2.0.json': swagger2Document,
  'asyncapi.yaml': asyncapiDocument,
  'postman.json': postmanCollection,
} as const satisfies Record<`${string}.${keyof typeof contentTypes}`, (origin: string) => object>;

/** The public descriptions of the API, for any web page to read. */
export function openapiRoutes(app: Hono<ApiEnvironment>, core: Pick<Core, 'origin' | 'clock'>): void {
  app.use(`${path}/*`, cors({ origin: '*', allowMethods: ['GET'] }));
  for (const [name, describe] of Object.entries(documents)) {
    const form = name.endsWith('.yaml') ? 'yaml' : 'json';
    const document = daily(core.clock, () => written[form](describe(core.origin)));
    app.get(`${path}/${name}`, (c) => sendDocument(c, document(), { 'Content-Type': contentTypes[form] }));
  }
}

const written = {
  json: (document: object): string => JSON.stringify(document),
  // Written out in full: readers of YAML do not all follow its anchors. In quotes, what older ones (YAML 1.1) take
  // for dates, times and truth: 2026-10-01, 16:00 and Norway's NO.
  yaml: (document: object): string =>
    stringify(document, { version: '1.1', aliasDuplicateObjects: false, lineWidth: 0 }),
};
