import {
  bareSchema,
  descriptionOf,
  type OperationDeclaration,
  operations,
  type ReferenceName,
} from '@dealkeep/contract';
import { startDealkeep } from '@dealkeep/testing';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { type Business, openBusiness } from '../business.ts';
import { defaultPipeline, lostReason } from '../default-pipeline.ts';

// An organization cannot tell another one's records from such that do not exist: asked of every path, every
// reference in every body and every filter that the contract has.
const dealkeep = await startDealkeep({ worker: false });
const ours = await openBusiness(dealkeep);
const theirs = await openBusiness(dealkeep);

/** One record of everything that can be referred to, by its name among the contract's references. */
async function oneOfEach({ api, organization }: Business): Promise<Record<ReferenceName, string>> {
  const pipeline = await defaultPipeline(api);
  const company = (await api.post('/companies', { name: 'Acme' })).data.id;
  const contact = (await api.post('/contacts', { company_id: company, name: 'Eva' })).data.id;
  const hook = { target_url: 'http://127.0.0.1:4567/', event: 'lead.created' };
  return {
    company,
    contact,
    lead: (await api.post('/leads', { company_id: company })).data.id,
    user: organization.ownerId,
    pipeline: pipeline.id,
    stage: pipeline.stages['Contacted'] ?? '',
    'lead-origin': (await api.get('/lead-origins')).page.data[0]?.id ?? '',
    'lost-reason': await lostReason(api),
    webhook: (await api.post('/webhooks', hook)).data.id,
  };
}
const own = await oneOfEach(ours);
const foreign = await oneOfEach(theirs);

const declarations = Object.values<OperationDeclaration>(operations);
const isReference = (name: string): name is ReferenceName => Object.hasOwn(own, name);
const ofResource = (ids: Record<ReferenceName, string>, { resource, id }: OperationDeclaration): string => {
  if (!isReference(resource)) throw new Error(`What record is ${id} about?`);
  return ids[resource];
};

/** A body that would be accepted. */
const goodBodies: Record<string, Record<string, unknown>> = {
  'companies.create': { name: 'New' },
  'contacts.create': { name: 'New', company_id: own.company },
  'leads.move': { stage_id: own.stage },
  'webhooks.create': { target_url: 'http://127.0.0.1:4567/', event: 'lead.created' },
};

describe('an id in the path', () => {
  test.each(declarations.filter(({ path }) => path.includes('{id}')))('$id', async (declaration) => {
    const { id, method, path, body } = declaration;
    const json = body ? { json: { ...goodBodies[id] } } : {};
    const before = await snapshot();
    const refused = await ours.api.send(method, path.replace('{id}', ofResource(foreign, declaration)), json);
    expect(refused.outcome).toBe('404 NOT_FOUND');
    const missing = path.replace('{id}', '01985f6e-2c41-7d3a-9b52-4f0c8a7e1d63');
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
  path: string[];
  reference: ReferenceName;
  isList: boolean;
}

function referencesOf(shape: z.ZodObject['shape'], path: string[] = []): ReferenceField[] {
  return Object.entries(shape).flatMap(([name, schema]) => {
    const { bare } = bareSchema(schema);
    if (bare instanceof z.ZodObject) return referencesOf(bare.shape, [...path, name]);
    const isList = bare instanceof z.ZodArray;
    const reference = descriptionOf(isList ? bare.element : schema)?.reference;
    return reference ? [{ path: [...path, name], reference, isList }] : [];
  });
}

const inBodies = declarations.flatMap((declaration) =>
  referencesOf(declaration.body?.shape ?? {}).map((field) => ({
    name: `${declaration.id} ${field.path.join('.')}`,
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
    const [name = ''] = field.path;
    const good = goodBodies[id] ?? {};
    const value = foreign[field.reference];
    const json = { ...good, [name]: field.isList ? [own[field.reference], value] : value };
    const before = await snapshot();
    const events = await ours.eventsDuring(async () => {
      const own = path.includes('{id}') ? path.replace('{id}', await freshRecord(declaration)) : path;
      const refused = await ours.api.send(method, own, { json });
      expect(refused.outcome).toBe('422 VALIDATION_ERROR');
      expect(refused.fields).toEqual({ [field.isList ? `${name}[1]` : name]: 'not_found' });
    });
    expect(events.filter(({ type }) => !type.endsWith('.created'))).toEqual([]);
    expect(await snapshot()).toEqual(before);
  });
});

async function freshRecord({ resource }: OperationDeclaration): Promise<string> {
  const { api } = ours;
  if (resource === 'company') return (await api.post('/companies', { name: 'Fresh' })).data.id;
  if (resource === 'contact')
    return (await api.post('/contacts', { name: 'Fresh', company_id: own.company })).data.id;
  return (await api.post('/leads', {})).data.id;
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
