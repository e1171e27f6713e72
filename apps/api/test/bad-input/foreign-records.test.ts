import {
  bareSchema,
  descriptionOf,
  type OperationDeclaration,
  operations,
  pathText,
  type Reference,
  type ReferenceName,
  references,
} from '@dealkeep/contract';
import { seedDemo } from '@dealkeep/core';
import { startDealkeep } from '@dealkeep/testing';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { type Business, openBusiness } from '../business.ts';
import { defaultPipeline } from '../default-pipeline.ts';

// An organization cannot tell another one's records from such that do not exist: asked of every path, every
// reference in every body and every filter that the contract has.
const dealkeep = await startDealkeep({ worker: false });
const ours = await openBusiness(dealkeep);
const theirs = await openBusiness(dealkeep);

const declarations = Object.values<OperationDeclaration>(operations);

/** One record of everything that can be referred to, found in the demo data by the contract's own references. */
async function oneOfEach({ api, organization }: Business): Promise<Record<ReferenceName, string>> {
  await seedDemo(dealkeep.core, organization.slug, 'small');
  await api.post('/webhooks', { target_url: 'http://127.0.0.1:4567/', event: 'lead.created' });
  const found: Partial<Record<ReferenceName, string>> = {};
  for (const [name, reference] of Object.entries<Reference>(references)) {
    const path = declarations.find(({ id }) => id === reference.list)?.path ?? '';
    const [item] = (await api.send('GET', path)).page.data;
    const candidate = reference.items ? Reflect.get(Object(item), reference.items)[0] : item;
    Object.assign(found, { [name]: Reflect.get(Object(candidate), reference.value ?? 'id') });
  }
  const pipeline = await defaultPipeline(api);
  const stage = pipeline.stages['Contacted'] ?? '';
  return { ...found, pipeline: pipeline.id, stage } as Record<ReferenceName, string>;
}
const own = await oneOfEach(ours);
const foreign = await oneOfEach(theirs);

const isReference = (name: string): name is ReferenceName => Object.hasOwn(own, name);
const ofResource = (ids: Record<ReferenceName, string>, { resource, id }: OperationDeclaration): string => {
  if (!isReference(resource)) throw new Error(`What record is ${id} about?`);
  return ids[resource];
};

/** A body that would be accepted. */
const goodBodies: Record<string, Record<string, unknown>> = {
  'companies.create': { name: 'New' },
  'contacts.create': { name: 'New', company_id: own.company },
  'clients.create': { company_id: own.company },
  'activities.create': { name: 'New', start_at: '2026-10-05T08:00:00Z' },
  'tasks.create': { title: 'New' },
  'invoices.create': { items: [{ name: 'New', unit_price: 1 }] },
  'bookings.create': {
    service_id: own['booking-service'],
    starts_at: '2031-10-05T08:00:00Z',
    customer: { name: 'Eva' },
  },
  'orders.create': { customer: {}, items: [{ quantity: 1, sku: 'unheard-of', unit_price: 1 }] },
  'leads.move': { stage_id: own.stage },
  'webhooks.create': { target_url: 'http://127.0.0.1:4567/', event: 'lead.created' },
};

describe('an id in the path', () => {
  test.each(declarations.filter(({ path }) => /\{(id|uuid)\}/.test(path)))('$id', async (declaration) => {
    const { id, method, path, body } = declaration;
    const json = body ? { json: { ...goodBodies[id] } } : {};
    const before = await snapshot();
    const refused = await ours.api.send(
      method,
      path.replace(/\{(id|uuid)\}/, ofResource(foreign, declaration)),
      json,
    );
    expect(refused.outcome).toBe('404 NOT_FOUND');
    const missing = path.replace(/\{(id|uuid)\}/, '01985f6e-2c41-7d3a-9b52-4f0c8a7e1d63');
    expect((await ours.api.send(method, missing, json)).error).toEqual(refused.error);
    expect(await snapshot()).toEqual(before);
  });
});

/** What the other organization has, and what happened in it. */
async function snapshot(): Promise<unknown> {
  const lists = await Promise.all(
    (['/companies', '/contacts', '/leads', '/webhooks'] as const).map((path) => theirs.api.get(path)),
  );
  return [lists.map(({ text }) => text), await theirs.eventTypes()];
}

interface ReferenceField {
  path: (string | number)[];
  reference: ReferenceName;
  isList: boolean;
}

function referencesOf(shape: z.ZodObject['shape'], path: (string | number)[] = []): ReferenceField[] {
  return Object.entries(shape).flatMap(([name, schema]) => {
    const { bare } = bareSchema(schema);
    if (bare instanceof z.ZodObject) return referencesOf(bare.shape, [...path, name]);
    const isList = bare instanceof z.ZodArray;
    const inner = isList ? bareSchema(bare.element).bare : bare;
    if (isList && inner instanceof z.ZodObject) return referencesOf(inner.shape, [...path, name, 0]);
    const reference = descriptionOf(isList ? bare.element : schema)?.reference;
    return reference ? [{ path: [...path, name], reference, isList }] : [];
  });
}

const inBodies = declarations.flatMap((declaration) =>
  referencesOf(declaration.body?.shape ?? {}).map((field) => ({
    name: `${declaration.id} ${pathText(field.path)}`,
    declaration,
    field,
  })),
);

test('there are references in bodies to ask of', () => {
  expect(inBodies.map(({ name }) => name)).toEqual(
    expect.arrayContaining([
      'leads.create stage_id',
      'leads.update assignee_ids',
      'contacts.create company_id',
    ]),
  );
});

describe('a reference in a body', () => {
  test.each(inBodies)('$name', async ({ declaration, field }) => {
    const { id, method, path } = declaration;
    const value = foreign[field.reference];
    const json = withValue(
      goodBodies[id] ?? {},
      field.path,
      field.isList ? [own[field.reference], value] : value,
    );
    const before = await snapshot();
    const events = await ours.eventsDuring(async () => {
      const own = path.includes('{id}') ? path.replace('{id}', await freshRecord(declaration)) : path;
      const refused = await ours.api.send(method, own, { json });
      expect(refused.outcome).toBe('422 VALIDATION_ERROR');
      expect(refused.fields).toEqual({
        [pathText(field.isList ? [...field.path, 1] : field.path)]: 'not_found',
      });
    });
    expect(events.filter(({ type }) => !type.endsWith('.created'))).toEqual([]);
    expect(await snapshot()).toEqual(before);
  });
});

/** A copy of the body with the value at the path, whose objects are made where they are missing. */
function withValue(body: object, path: readonly (string | number)[], value: unknown): object {
  const copy: object = structuredClone(body);
  let inner: object = copy;
  for (const part of path.slice(0, -1)) {
    if (!Reflect.has(inner, part)) Reflect.set(inner, part, {});
    inner = Reflect.get(inner, part);
  }
  Reflect.set(inner, path.at(-1) ?? '', value);
  return copy;
}

async function freshRecord({ resource }: OperationDeclaration): Promise<string> {
  const { api } = ours;
  if (resource === 'company') return (await api.post('/companies', { name: 'Fresh' })).data.id;
  if (resource === 'contact')
    return (await api.post('/contacts', { name: 'Fresh', company_id: own.company })).data.id;
  if (resource === 'lead') return (await api.post('/leads', {})).data.id;
  return isReference(resource) ? own[resource] : '';
}

const inQueries = declarations.flatMap(({ id, path, query }) =>
  referencesOf(query?.shape ?? {}).map(({ path: [parameter = ''], reference }) => ({
    name: `${id} ${parameter}`,
    path,
    parameter,
    reference,
  })),
);

describe('a reference in a query finds nothing', () => {
  test.each(inQueries)('$name', async ({ path, parameter, reference }) => {
    const found = await ours.api.send('GET', `${path}?${parameter}=${foreign[reference]}`);
    expect(found.page).toEqual({ data: [], next_cursor: null, has_more: false });
  });
});

test('no list shows a record of another organization', async () => {
  for (const { path, shape, scope } of declarations) {
    if (shape !== 'list' || scope === null || path === '/webhooks/events') continue;
    const [mine, others] = await Promise.all([ours.api.send('GET', path), theirs.api.send('GET', path)]);
    for (const id of [...others.text.matchAll(/"id":"([^"]+)"/g)].map(([, found]) => found ?? '')) {
      expect([path, mine.text.includes(id)]).toEqual([path, false]);
    }
  }
});
