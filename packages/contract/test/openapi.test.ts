import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { currencyCodes, eventTypes, oauthScopes, operationIds, scopePermissions } from '../src/index.ts';
import {
  at,
  declarations,
  document,
  everySchema,
  object,
  objectAt,
  origin,
  placeOf,
  problems,
} from './described.ts';

// Every example, answer and error of the document is held against its schema by `openapi.long.test.ts`.

test('every operation stands in the document, and no other', () => {
  const described = Object.values(objectAt('paths')).flatMap((item) =>
    Object.values(object.parse(item)).map((operation) => object.parse(operation)['operationId']),
  );
  expect(described.toSorted()).toEqual(operationIds.toSorted());
});

test('tokens of connected applications are described, with every scope that they can hold', () => {
  const { type, flows } = objectAt('components', 'securitySchemes', 'oauth2');
  expect([type, Object.keys(object.parse(flows))]).toEqual(['oauth2', ['authorizationCode']]);
  const { scopes, ...addresses } = object.parse(object.parse(flows)['authorizationCode']);
  expect(Object.keys(object.parse(scopes))).toEqual(oauthScopes);
  expect(Object.keys(addresses)).toEqual(['authorizationUrl', 'tokenUrl', 'refreshUrl']);
});

describe.each(declarations)('$id', (declaration) => {
  const place = placeOf(declaration);

  test('tells its scope, its texts in both languages, and who may call (rules versioning 7 and 8)', () => {
    const described = objectAt(...place);
    expect(described).toMatchObject({
      operationId: declaration.id,
      summary: declaration.title.en,
      description: declaration.about.en,
      'x-sk-summary': declaration.title.sk,
      'x-sk-description': declaration.about.sk,
      tags: [declaration.resource],
    });
    expect(described['x-required-scope']).toBe(declaration.scope ?? undefined);
    const { scope, alsoScope } = declaration;
    const byToken = { oauth2: [scope, alsoScope].filter((each) => each) };
    const reachable = declaration.scope !== 'products:read';
    expect(described['security']).toEqual([{ apiKey: [] }, ...(reachable ? [byToken] : [])]);
  });

  test('has every parameter, each with words in both languages', () => {
    const parameters = z
      .array(
        z.looseObject({
          name: z.string(),
          in: z.string(),
          description: z.string(),
          'x-sk-description': z.string(),
        }),
      )
      .parse(at(...place, 'parameters'));
    const named = (where: string) => parameters.filter((each) => each.in === where).map(({ name }) => name);
    expect(named('path')).toEqual([...declaration.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name));
    expect(named('query')).toEqual(Object.keys(declaration.query?.shape ?? {}));
    const { kind, method, shape, unconditional } = declaration;
    expect(named('header')).toEqual([
      'Accept-Language',
      ...(method === 'POST' ? ['Idempotency-Key'] : []),
      ...(kind === 'get' && shape === 'record' ? ['If-None-Match'] : []),
      ...(shape === 'record' && (kind === 'update' || kind === 'action') && !unconditional
        ? ['If-Match']
        : []),
    ]);
  });

  test('shows a body that both JSON Schema and the API accept (rule versioning 7)', () => {
    const { body } = declaration;
    expect(at(...place, 'requestBody') !== undefined).toBe(body !== undefined);
    if (!body) return;
    const media = [...place, 'requestBody', 'content', 'application/json'];
    const example = at(...media, 'example');
    expect(problems([...media, 'schema'], example)).toEqual([]);
    expect(body.safeParse(example).error).toBeUndefined();
    expect(at(...place, 'requestBody', 'required')).toBe(!body.safeParse({}).success);
  });
});

describe('webhooks', () => {
  test('are the event catalog', () => {
    expect(Object.keys(objectAt('webhooks'))).toEqual(eventTypes);
  });
});

test('the document says its version, where the API is and how to authenticate', () => {
  expect(document).toMatchObject({
    openapi: '3.1.1',
    info: { version: '2026-10-01' },
    servers: [{ url: `${origin}/api/v1/public` }],
    components: { securitySchemes: { apiKey: { type: 'http', scheme: 'bearer' } } },
  });
});

test('constraints of fields are told', () => {
  expect(objectAt('components', 'schemas', 'CompanyCreate', 'properties', 'email')).toMatchObject({
    format: 'email',
  });
  expect(objectAt('components', 'schemas', 'CompanyCreate', 'properties', 'name')).toMatchObject({
    minLength: 1,
    maxLength: 255,
  });
  expect(
    objectAt('components', 'schemas', 'RestHookCreateByEvents', 'properties', 'target_url'),
  ).toMatchObject({ format: 'uri', maxLength: 2048 });
  expect(objectAt('components', 'schemas', 'LeadCreate', 'properties', 'assignee_ids')).toMatchObject({
    maxItems: 50,
  });
  expect(objectAt('components', 'schemas', 'LeadCreate', 'properties', 'value')).toMatchObject({
    minimum: 0,
  });
  expect(objectAt('components', 'schemas', 'InvoiceCreate', 'properties', 'currency')).toMatchObject({
    oneOf: [{ $ref: '#/components/schemas/Currency' }, { type: 'null' }],
  });
  expect(objectAt('components', 'schemas', 'Currency')['enum']).toEqual(currencyCodes);
  expect(objectAt('components', 'schemas', 'TaskCreate', 'properties', 'due_time')).toMatchObject({
    pattern: '^([01]\\d|2[0-3]):[0-5]\\d$',
  });
  const [limit] = z.array(object).parse(at('paths', '/leads', 'get', 'parameters'));
  expect(limit).toMatchObject({ name: 'limit', schema: { minimum: 1, maximum: 100, default: 50 } });
});

describe('what generators make of the document', () => {
  const components = Object.entries(objectAt('components', 'schemas')).map(
    ([name, schema]) => [name, object.parse(schema)] as const,
  );

  test('each component has a title of its own, because generators name types by titles', () => {
    const titles = components.map(([, { title }]) => title);
    expect(titles).toEqual(components.map(([name]) => name));
    const sensible = titles.map((title) => String(title).toLowerCase());
    expect(new Set(sensible).size).toBe(titles.length);
  });

  const everyParameter = declarations.flatMap((declaration) =>
    z.array(object).parse(at(...placeOf(declaration), 'parameters')),
  );

  test('any language may be asked for, and no cursor or key is made up', () => {
    for (const { name, schema, example } of everyParameter) {
      if (name === 'Accept-Language') expect(schema).not.toHaveProperty('enum');
      if (name === 'cursor' || name === 'Idempotency-Key') {
        expect([schema, example]).toEqual([
          expect.not.objectContaining({ examples: expect.anything() }),
          undefined,
        ]);
      }
    }
  });

  test.each([
    ['OrderItemCreate', { quantity: 1 }, false],
    ['OrderItemCreate', { quantity: 1, sku: null }, false],
    ['OrderItemCreate', { quantity: 1, sku: 'A' }, true],
    ['OrderItemCreate', { quantity: 1, product_uuid: '01985f6e-2c41-7f95-82c7-d41b6e0a3f58' }, true],
    ['RestHookCreate', { target_url: 'https://a.example/' }, false],
    ['RestHookCreate', { target_url: 'https://a.example/', event: 'lead.won' }, true],
    ['RestHookCreate', { target_url: 'https://a.example/', events: ['lead.won'] }, true],
    ['RestHookCreate', { target_url: 'https://a.example/', events: ['lead.won'], event: 'lead.won' }, false],
    ['CompanyCreate', { name: 'A', note: 'line\nline\u2028 \u{1F6B2}' }, true],
    ['CompanyCreate', { name: 'A', note: 'a\0' }, false],
    ['CompanyCreate', { name: 'a\0' }, false],
    ['CompanyCreate', { name: '  ' }, false],
    ['CompanyCreate', { name: ' a ' }, true],
  ])('%s: %j is allowed: %s', (name, value, allowed) => {
    expect(problems(['components', 'schemas', name], value).length === 0).toBe(allowed);
  });

  test('no pattern is written in words that only some languages know', () => {
    const patterns = everySchema.flatMap((path) => z.string().safeParse(at(...path, 'pattern')).data ?? []);
    expect(patterns.length).toBeGreaterThan(50);
    expect(patterns.filter((pattern) => /\\u|\\p|\(\?[=!<]/.test(pattern))).toEqual([]);
  });

  test.each(declarations.filter(({ scope }) => scope !== null))(
    'the 403 of $id names what it needs',
    (declaration) => {
      const { scope, alsoScope, permissions = [] } = declaration;
      const response = objectAt(...placeOf(declaration), 'responses', '403');
      const scopes = [scope, alsoScope].flatMap((each) => each ?? []);
      const needed = [...scopes.flatMap((each) => scopePermissions[each] ?? []), ...permissions];
      for (const each of [...scopes, ...needed]) expect(response['description']).toContain(each);
      const [first = 'leads.view'] = needed;
      const examples = JSON.stringify(response['content']);
      expect(examples).toContain(scope);
      if (examples.includes('ROLE_')) expect(examples).toContain(first);
      expect(objectAt(...placeOf(declaration))['x-required-permissions'] ?? []).toEqual(needed);
    },
  );

  test('whatever is said in English is said in Slovak (rule versioning 8)', () => {
    const untold: string[] = [];
    const walk = (value: unknown, path: readonly string[]): void => {
      if (typeof value !== 'object' || value === null) return;
      for (const [key, inner] of Object.entries(value)) {
        if (key === 'example' || key === 'examples') continue;
        const said = (key === 'description' || key === 'summary') && typeof inner === 'string';
        if (said && !Object.hasOwn(value, `x-sk-${key}`)) untold.push([...path, key].join('/'));
        walk(inner, [...path, key]);
      }
    };
    walk(document, []);
    expect(untold).toEqual([]);
  });
});

test('no property has a default: generators of typed clients take such a one for required', () => {
  const properties = everySchema.filter((path) => path.at(-2) === 'properties');
  expect(properties.length).toBeGreaterThan(500);
  expect(properties.filter((path) => 'default' in objectAt(...path))).toEqual([]);
});
