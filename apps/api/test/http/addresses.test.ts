import {
  apiVersion,
  bareSchema,
  basePath,
  type OperationDeclaration,
  type OperationId,
  operations,
} from '@dealkeep/contract';
import { sharedDealkeep } from '@dealkeep/testing';
import { openBusiness } from '@dealkeep/testing/business';
import { expect, test } from 'vitest';
import * as z from 'zod';

const dealkeep = await sharedDealkeep();
const { api, organization } = await openBusiness(dealkeep);
const declarations = Object.values<OperationDeclaration>(operations);

test('every operation stands below the root of its major version (rules http 1 and versioning 1)', async () => {
  expect(basePath).toBe('/api/v1/public');
  const ask = async (path: string) => {
    const headers = { Authorization: `Bearer ${organization.key}` };
    return (await fetch(dealkeep.origin + path, { headers })).status;
  };
  expect(await ask('/api/v1/public/me')).toBe(200);
  for (const path of ['/api/v2/public/me', '/api/public/me', '/api/v1/me']) {
    expect([path, await ask(path)]).toEqual([path, 404]);
  }
});

/** Names of parameters and fields, those of inner objects and of items with them. */
function namesIn(schema: z.core.$ZodType | undefined): string[] {
  if (!schema) return [];
  const { bare } = bareSchema(schema);
  if (bare instanceof z.ZodArray) return namesIn(bare.element);
  if (!(bare instanceof z.ZodObject)) return [];
  return Object.entries(bare.shape).flatMap(([name, field]) => [name, ...namesIn(field)]);
}

test('no path, query or body names an organization (rule http 2)', () => {
  for (const { id, path, query, body } of declarations) {
    const names = [path, ...namesIn(query), ...namesIn(body)];
    expect([id, names.filter((name) => /organi[sz]ation|tenant/i.test(name))]).toEqual([id, []]);
  }
});

test('each kind of operation has its method and its status (rules http 3 and 11)', () => {
  const usual: Readonly<Record<string, readonly [method: string, status: number]>> = {
    list: ['GET', 200],
    get: ['GET', 200],
    create: ['POST', 201],
    upsert: ['POST', 201],
    batch: ['POST', 200],
    action: ['POST', 200],
    update: ['PATCH', 200],
    delete: ['DELETE', 204],
  };
  for (const { id, kind, method, statuses } of declarations) {
    expect([id, kind, method, statuses[0]]).toEqual([id, kind, ...(usual[kind] ?? [])]);
  }
  expect(declarations.filter(({ method }) => method === 'DELETE').map(({ id }) => id)).toEqual([
    'webhooks.delete',
  ]);
  const found = declarations.filter(({ statuses }) => statuses.length > 1).map(({ id }) => id);
  expect(found.toSorted()).toEqual(['clients.upsert', 'companies.upsert', 'contacts.upsert', 'leads.create']);
});

test('HEAD is answered as GET is, without a body (rule http 3)', async () => {
  const headers = { Authorization: `Bearer ${organization.key}` };
  const [head, get] = await Promise.all(
    ['HEAD', 'GET'].map((method) => fetch(`${dealkeep.baseUrl}/companies`, { method, headers })),
  );
  expect([head?.status, await head?.text()]).toEqual([get?.status, '']);
  expect(head?.headers.get('content-type')).toBe(get?.headers.get('content-type'));
});

test('what can be done with each kind of record (rule http 4)', () => {
  const has = (id: string): boolean => Object.hasOwn(operations, id);
  const able = (resource: string): string[] =>
    ['list', 'create', 'get', 'update'].filter((verb) => has(`${resource}.${verb}`));
  for (const resource of ['companies', 'contacts', 'clients', 'leads', 'activities', 'tasks']) {
    expect([resource, able(resource)]).toEqual([resource, ['list', 'create', 'get', 'update']]);
  }
  for (const resource of ['invoices', 'bookings', 'orders']) {
    expect([resource, able(resource)]).toEqual([resource, ['list', 'create', 'get']]);
  }
  expect(able('products')).toEqual(['list', 'get']);
  const steps: OperationId[] = ['leads.move', 'leads.archive', 'activities.complete', 'bookings.cancel'];
  expect(steps.map((id) => `${operations[id].method} ${operations[id].path}`)).toEqual([
    'POST /leads/{id}/move',
    'POST /leads/{id}/archive',
    'POST /activities/{id}/complete',
    'POST /bookings/{id}/cancel',
  ]);
});

test('one record is answered as data, a list as data with its cursor (rule http 12)', async () => {
  const { json } = await api.post('/companies', { name: 'Acme' });
  expect(Object.keys(Object(json))).toEqual(['data']);
  const list = (await api.get('/companies')).json;
  expect(Object.keys(Object(list))).toEqual(['data', 'next_cursor', 'has_more']);
});

test('every record has its id, and the address of its page where it has one (rule http 15)', () => {
  for (const { id, kind, resource, answer } of declarations) {
    if (
      kind !== 'get' ||
      !(answer instanceof z.ZodObject) ||
      !Object.hasOwn(operations, `${id.split('.')[0]}.create`)
    )
      continue;
    const names = Object.keys(answer.shape);
    const named = resource === 'order' ? 'uuid' : 'id';
    expect([id, names]).toEqual([id, expect.arrayContaining([named])]);
    expect([id, names.includes('app_url')]).toEqual([id, resource !== 'webhook']);
  }
});

test('a request chooses no version (rule versioning 3)', async () => {
  const asked = await api.with({ 'X-Service-Api-Version': '2020-01-01' }).get('/me');
  expect([asked.data.api_version, asked.headers.get('x-service-api-version')]).toEqual([
    apiVersion,
    apiVersion,
  ]);
});
