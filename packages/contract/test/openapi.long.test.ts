import { arbitraryInput } from '@dealkeep/testing';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import ajvFormats from 'ajv-formats';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import {
  bareSchema,
  currencyCodes,
  dataSchemaOf,
  descriptionOf,
  errorStatus,
  errorsOf,
  eventTypes,
  formsOf,
  type OperationDeclaration,
  oauthScopes,
  openapiDocument,
  operationIds,
  operations,
  sampleData,
  scopePermissions,
} from '../src/index.ts';

const origin = 'https://api.dealkeep.example';
const document = openapiDocument(origin);

const object = z.record(z.string(), z.unknown());
/** The value at a path of the document. */
const at = (...path: string[]): unknown =>
  path.reduce<unknown>(
    (value, key) => (typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined),
    document,
  );
const objectAt = (...path: string[]): Record<string, unknown> => object.parse(at(...path));

const ajv = new Ajv2020({ strict: false, allErrors: true });
ajvFormats.default(ajv);
ajv.addSchema(document, 'openapi');
const pointer = (path: readonly string[]) =>
  path.map((key) => `/${encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1'))}`).join('');

/** Of the schema that stands at a path of the document; each is compiled once. */
function validatorAt(path: readonly string[]): ValidateFunction {
  const place = pointer(path);
  const validate = validators.get(place) ?? ajv.compile({ $ref: `openapi#${place}` });
  validators.set(place, validate);
  return validate;
}
const validators = new Map<string, ValidateFunction>();

/** What JSON Schema says against a value, by the schema that stands at a path of the document. */
function problems(path: readonly string[], value: unknown): readonly unknown[] {
  const validate = validatorAt(path);
  return validate(value) ? [] : (validate.errors ?? []);
}

/** Every schema of the document with the place where it stands. */
function* schemasIn(value: unknown, path: string[]): Generator<string[]> {
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) yield* schemasIn(item, [...path, String(index)]);
    return;
  }
  const found = object.safeParse(value);
  if (!found.success) return;
  const isSchema =
    path.at(-1) === 'schema' ||
    path.at(-2) === 'schemas' ||
    path.at(-2) === 'properties' ||
    path.at(-1) === 'items';
  if (isSchema) yield path;
  for (const [key, inner] of Object.entries(found.data)) {
    if (key !== 'example' && key !== 'examples') yield* schemasIn(inner, [...path, key]);
  }
}
const everySchema = [...schemasIn(document, [])];

describe('schemas', () => {
  test('there are plenty, and all are valid JSON Schema 2020-12', () => {
    expect(everySchema.length).toBeGreaterThan(500);
    for (const path of everySchema) {
      const schema = objectAt(...path);
      expect([path, ajv.validateSchema(schema), ajv.errors ?? []]).toEqual([path, true, []]);
    }
  });

  test('every example of a schema is an example of it', () => {
    for (const path of everySchema) {
      const examples = z.array(z.unknown()).safeParse(at(...path, 'examples')).data ?? [];
      for (const example of examples) expect([path, problems(path, example)]).toEqual([path, []]);
    }
  });

  test('every reference leads somewhere', () => {
    const text = JSON.stringify(document);
    for (const [, reference = ''] of text.matchAll(/"\$ref":"#\/([^"]+)"/g)) {
      expect([reference, at(...reference.split('/'))]).not.toEqual([reference, undefined]);
    }
  });
});

const declarations = Object.values<OperationDeclaration>(operations);
const placeOf = ({ path, method }: OperationDeclaration) => ['paths', path, method.toLowerCase()];

/**
 * Whether a body, and all in it, has the field that it needs of several, and is one of several forms; it is refused
 * later otherwise.
 */
function namesOne(schema: z.core.$ZodType, value: unknown): boolean {
  const { bare } = bareSchema(schema);
  const forms = formsOf(bare);
  if (forms) return forms.some((form) => form.safeParse(value).success && namesOne(form, value));
  if (bare instanceof z.ZodArray) {
    return !Array.isArray(value) || value.every((each) => namesOne(bare.element, each));
  }
  if (!(bare instanceof z.ZodObject)) return true;
  const given = object.safeParse(value).data ?? {};
  const { fields = [], alone = false } = descriptionOf(schema)?.oneOf ?? {};
  const said = fields.filter((field) => (given[field] ?? null) !== null);
  // An empty one names nothing.
  const named = said.some((field) => Object(given[field]).length > 0);
  if (fields.length > 0 && (!named || (alone && said.length > 1))) return false;
  return Object.entries(bare.shape).every(([key, field]) => namesOne(field, given[key]));
}

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

  test('tells its scope, its texts in both languages, and who may call', () => {
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

  test('shows a body that both JSON Schema and the API accept', () => {
    const { body } = declaration;
    expect(at(...place, 'requestBody') !== undefined).toBe(body !== undefined);
    if (!body) return;
    const media = [...place, 'requestBody', 'content', 'application/json'];
    const example = at(...media, 'example');
    expect(problems([...media, 'schema'], example)).toEqual([]);
    expect(body.safeParse(example).error).toBeUndefined();
    expect(at(...place, 'requestBody', 'required')).toBe(!body.safeParse({}).success);
  });

  test('allows in its body what the API accepts', () => {
    const { body } = declaration;
    if (!body) return;
    const media = [...place, 'requestBody', 'content', 'application/json', 'schema'];
    const validate = validatorAt(media);
    fc.assert(
      fc.property(arbitraryInput(body), (value) => {
        const accepted = body.safeParse(value).success && namesOne(body, value);
        if (accepted) expect([validate(value), validate.errors]).toEqual([true, null]);
      }),
    );
  });

  test('shows an answer for every success that both accept', () => {
    const statuses = Object.keys(objectAt(...place, 'responses')).filter((status) => status < '300');
    expect(statuses).toEqual(declaration.statuses.map(String).toSorted());
    for (const status of statuses) {
      const media = [...place, 'responses', status, 'content', 'application/json'];
      if (declaration.shape === 'nothing') {
        expect(at(...media)).toBeUndefined();
        continue;
      }
      const example = at(...media, 'example');
      expect(problems([...media, 'schema'], example)).toEqual([]);
      const data = declaration.shape === 'bare' ? example : object.parse(example)['data'];
      const schema =
        declaration.shape === 'list' ? z.array(declaration.answer ?? z.never()) : declaration.answer;
      expect(schema?.safeParse(data).error).toBeUndefined();
    }
  });

  test('shows every error that it can answer, in the specified form, and no other', () => {
    const shown = Object.entries(objectAt(...place, 'responses')).flatMap(([status, response]) => {
      if (status < '300') return [];
      if (status === '304') {
        expect([declaration.kind, object.parse(response)['content']]).toEqual(['get', undefined]);
        return [];
      }
      const media = ['content', 'application/json'];
      const examples = objectAt(...place, 'responses', status, ...media, 'examples');
      expect(Object.keys(object.parse(object.parse(response)['headers']))).toContain('X-RateLimit-Limit');
      return Object.entries(examples).map(([code, example]) => {
        const { value } = z.object({ value: object }).parse(example);
        expect(problems(['components', 'schemas', 'Error'], value)).toEqual([]);
        expect(JSON.stringify(value)).not.toMatch(/\{\w+\}/);
        expect(object.parse(value['error'])['code']).toBe(code);
        return [code, Number(status)];
      });
    });
    expect(Object.fromEntries(shown)).toEqual(
      Object.fromEntries(errorsOf(declaration).map((code) => [code, errorStatus[code]])),
    );
  });
});

describe('webhooks', () => {
  test('are the event catalog', () => {
    expect(Object.keys(objectAt('webhooks'))).toEqual(eventTypes);
  });

  test.each(eventTypes)('%s shows an envelope that fits, with data as GET answers them', (type) => {
    const media = ['webhooks', type, 'post', 'requestBody', 'content', 'application/json'];
    expect(problems([...media, 'schema'], at(...media, 'example'))).toEqual([]);
    const data = sampleData(type);
    expect(dataSchemaOf(type).strict().safeParse(data).error).toBeUndefined();
    expect(objectAt('webhooks', type, 'post')).toMatchObject({
      'x-required-scope': expect.stringMatching(/:read$/),
      'x-sk-summary': expect.stringMatching(/\S/),
      'x-sk-description': expect.stringMatching(/\S/),
    });
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

  test('whatever is said in English is said in Slovak', () => {
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
