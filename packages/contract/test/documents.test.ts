import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import ajvFormats from 'ajv-formats';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import root from '../../../package.json' with { type: 'json' };
import {
  asyncapiDocument,
  eventTypes,
  openapi30Document,
  openapiDocument,
  operationIds,
  operations,
  postmanCollection,
  sampleEnvelope,
  swagger2Document,
} from '../src/index.ts';

const origin = 'https://api.dealkeep.example';
const object = z.record(z.string(), z.unknown());
const organization = { id: '01985f6e-2c41-7001-8a2b-3c4d5e6f7081', slug: 'tatra-studio' };

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

/** Every object of a document with the keys that lead to it; examples are values. */
function* objectsIn(value: unknown, path: string[] = []): Generator<[string[], Record<string, unknown>]> {
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) yield* objectsIn(item, [...path, String(index)]);
    return;
  }
  if (!isObject(value)) return;
  yield [path, value];
  for (const [key, inner] of Object.entries(value)) {
    const isExample = /^(x-)?examples?$/.test(key) && path.at(-1) !== 'properties';
    if (!isExample) yield* objectsIn(inner, [...path, key]);
  }
}

/** The value that a reference of a document names. */
const referred = (document: unknown, reference: unknown): unknown =>
  String(reference)
    .split('/')
    .slice(1)
    .reduce<unknown>((value, key) => Reflect.get(Object(value), key.replaceAll('~1', '/')), document);

const endpoints = (document: Record<string, unknown>): string[] =>
  Object.entries(object.parse(document['paths'])).flatMap(([path, methods]) =>
    Object.keys(object.parse(methods))
      .filter((method) => /^(get|post|patch|delete)$/.test(method))
      .map((method) => `${method.toUpperCase()} ${path}`),
  );
const declared = operationIds.map((id) => `${operations[id].method} ${operations[id].path}`);

const openapi31 = openapiDocument(origin);
const openapi30 = openapi30Document(origin);
const swagger2 = swagger2Document(origin);
const asyncapi = asyncapiDocument(origin);

describe.each([
  ['OpenAPI 3.0', openapi30],
  ['Swagger 2.0', swagger2],
])('%s', (_, document) => {
  test('has every operation', () => {
    expect(endpoints(document).sort()).toEqual([...declared].sort());
  });

  test('every reference leads to something', () => {
    const references = [...objectsIn(document)].filter(([, each]) => typeof each['$ref'] === 'string');
    expect(references.length).toBeGreaterThan(100);
    const named = new Map(references.map(([path, { $ref }]) => [String($ref), path]));
    expect([...named].filter(([$ref]) => typeof referred(document, $ref) !== 'object')).toEqual([]);
  });

  test('holds no word of JSON Schema that its version does not have', () => {
    const hasWord = ([path, each]: [string[], Record<string, unknown>]): boolean =>
      path.at(-1) !== 'properties' &&
      (Array.isArray(each['type']) ||
        ['const', 'propertyNames', 'prefixItems'].some((word) => Object.hasOwn(each, word)) ||
        (path.includes('schemas') && each['type'] === 'null') ||
        typeof each['exclusiveMinimum'] === 'number');
    expect([...objectsIn(document)].filter(hasWord)).toEqual([]);
  });
});

test('OpenAPI 3.0 has every schema, and null where 3.1 has it', () => {
  const names = (document: object) =>
    Object.keys(object.parse(referred(document, '#/components/schemas'))).sort();
  expect(names(openapi30)).toEqual(names(openapi31));
  const company = object.parse(referred(openapi30, '#/components/schemas/CompanyCreate/properties'));
  expect(object.parse(company['email'])).toMatchObject({ type: 'string', nullable: true });
  expect(object.parse(company['country_code'])).toMatchObject({
    allOf: [{ $ref: '#/components/schemas/CountryCode' }],
    nullable: true,
  });
  expect(object.parse(company['name'])['nullable']).toBeUndefined();
});

describe('Swagger 2.0, for custom connectors of Power Platform,', () => {
  test('is smaller than the megabyte that they take', () => {
    expect(Buffer.byteLength(JSON.stringify(swagger2))).toBeLessThan(1_000_000);
  });

  test('names each operation by letters and digits, each by another name (rule versioning 13)', () => {
    const names = [...objectsIn(swagger2)].flatMap(([, { operationId }]) => operationId ?? []);
    expect(names).toHaveLength(operationIds.length);
    expect(new Set(names).size).toBe(names.length);
    for (const name of names) expect(name).toMatch(/^[A-Z][A-Za-z0-9]+$/);
    expect(names).toContain('LeadOriginsList');
  });

  test('a REST hook is its trigger: the platform gives the address and knows what comes', () => {
    const hooks = object.parse(referred(swagger2, '#/paths/~1webhooks'));
    expect(hooks['x-ms-notification-content']).toMatchObject({
      schema: { $ref: '#/definitions/WebhookEnvelope' },
    });
    expect(object.parse(hooks['post'])).toMatchObject({ 'x-ms-trigger': 'single' });
    expect(object.parse(referred(swagger2, '#/paths/~1webhooks/post/responses/201/headers'))).toHaveProperty(
      'Location',
    );
    expect(referred(swagger2, '#/definitions/RestHookCreate/properties/target_url')).toMatchObject({
      'x-ms-notification-url': true,
    });
  });

  test('an object of several forms has the fields of all, and requires what all require (rule versioning 13)', () => {
    expect(referred(swagger2, '#/definitions/RestHookCreate')).toMatchObject({
      type: 'object',
      properties: { target_url: { type: 'string' }, event: { type: 'string' }, events: { type: 'array' } },
      required: ['target_url'],
    });
  });
});

describe('AsyncAPI', () => {
  test('has every event as a message of the hook, and as an operation that sends it (rule versioning 12)', () => {
    for (const part of ['#/components/messages', '#/channels/hook/messages', '#/operations']) {
      expect(Object.keys(object.parse(referred(asyncapi, part)))).toEqual(eventTypes);
    }
  });

  const ajv = new Ajv2020({ strict: false });
  ajvFormats.default(ajv);
  ajv.addSchema(asyncapi, 'asyncapi');

  test.each(eventTypes)('the payload of %s is its envelope', (type) => {
    const validate = ajv.compile({ $ref: `asyncapi#/components/messages/${type}/payload` });
    expect([validate(sampleEnvelope(type, organization)), validate.errors ?? []]).toEqual([true, []]);
    expect(validate({ ...sampleEnvelope(type, organization), data: null })).toBe(false);
  });
});

const Request = z.object({
  event: z.array(z.object({ listen: z.string(), script: z.object({ exec: z.array(z.string()) }) })),
  request: z.object({
    method: z.string(),
    body: z.object({ raw: z.string() }).optional(),
    url: z.object({ path: z.array(z.string()) }),
  }),
});
const Collection = z.object({
  variable: z.array(z.object({ key: z.string() })),
  item: z.array(z.object({ name: z.string(), item: z.array(Request) })),
});

describe('the Postman collection', () => {
  const collection = Collection.parse(postmanCollection(origin));
  const requests = collection.item.flatMap(({ item }) => item);

  test('has every operation once', () => {
    const sent = requests.map(
      ({ request }) =>
        `${request.method} /${request.url.path.map((each) => each.replace(/^:(.*)/, '{$1}')).join('/')}`,
    );
    expect(sent.sort()).toEqual([...declared].sort());
  });

  test('deliveries are sent again that were tried within the last hour, on whatever day it is run', () => {
    const recover = requests.find(({ request }) => request.url.path.at(-1) === 'recover');
    expect(JSON.parse(recover?.request.body?.raw ?? '')).toMatchObject({
      since: '{{anHourAgo}}',
      until: '{{$isoTimestamp}}',
    });
    expect(JSON.stringify(postmanCollection(origin))).not.toMatch(/20\d\d-10-0[12]T08:00/);
  });

  test('what a request needs stands in a variable that one before it fills (rule versioning 14)', () => {
    const known = new Set(collection.variable.map(({ key }) => key));
    for (const { event, request } of requests) {
      for (const [, name = ''] of JSON.stringify(request).matchAll(/\{\{(\w+)\}\}/g)) {
        expect(known, `${request.method} ${request.url.path.join('/')}`).toContain(name);
      }
      const scripts = event.flatMap(({ listen, script }) => (listen === 'test' ? script.exec : []));
      for (const [, name = ''] of scripts.join('\n').matchAll(/collectionVariables\.set\('(\w+)'/g)) {
        known.add(name);
      }
    }
  });

  test('no body names a record of the examples', () => {
    for (const { request } of requests) expect(request.body?.raw ?? '').not.toContain('01985f6e-2c41-7');
  });

  test('ends with what puts records away (rule versioning 14)', () => {
    const last = collection.item.at(-1);
    expect(last?.name).toBe('At the end: what is put away');
    for (const { request } of last?.item ?? []) {
      expect(request.method === 'DELETE' || request.url.path.length === 3).toBe(true);
    }
  });
});

test('Redocly and Spectral hold the description against their recommended rules in every pipeline (rule versioning 9)', () => {
  expect(root.scripts['lint:openapi']).toBe('node packages/contract/bin/lint-openapi.ts');
  const lint = readFileSync(new URL('../bin/lint-openapi.ts', import.meta.url), 'utf8');
  expect(lint).toContain('extends: [recommended-strict]');
  expect(lint).toContain('extends: [[spectral:oas, recommended]]');
  expect(readFileSync(new URL('../../../.ci/run', import.meta.url), 'utf8')).toContain(
    'npm run lint:openapi',
  );
});

test('each is held against its format’s own validator by `npm run check`, and the collection is run', () => {
  expect(root.scripts.check).toContain('npm run check:documents');
  expect(root.scripts['check:documents']).toBe('node packages/contract/bin/check-documents.ts');
  expect(root.scripts['test:postman']).toBe('node apps/api/bin/run-postman-collection.ts');
});
