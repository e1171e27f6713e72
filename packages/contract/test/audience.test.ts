import { describe, expect, test } from 'vitest';
import {
  basePath,
  events,
  everyOperation,
  everyOperationId,
  type OperationDeclaration,
  openapiDocument,
  operations,
  resources,
} from '../src/index.ts';

const all = everyOperationId.map((id): OperationDeclaration => everyOperation[id]);
const ofApi = all.filter(({ audience }) => audience.includes('api'));
const ofAssistants = all.filter(({ audience }) => audience.includes('assistant'));
const ofPeople = all.filter(
  ({ audience }) =>
    audience.includes('console') && !audience.includes('api') && !audience.includes('assistant'),
);
const ofClock = all.filter(({ audience }) => audience.includes('system'));
const addressOf = ({ method, path }: OperationDeclaration): string => `${method} ${path}`;

test('the operations of the API are those whose audience has it, and people do all of them, too, but for batches', () => {
  expect(Object.keys(operations)).toEqual(ofApi.map(({ id }) => id));
  const ofPrograms = ofApi.filter(({ audience }) => !audience.includes('console'));
  expect(ofPrograms).toEqual(ofApi.filter(({ kind }) => kind === 'batch'));
  // People do the same, one by one.
  const batched = ofPrograms.flatMap(({ batches = {} }) => Object.values(batches));
  const done = all.filter(({ audience }) => audience.includes('console')).map(({ id }) => id);
  expect(done).toEqual(expect.arrayContaining(batched));
  expect(ofPeople.length).toBeGreaterThan(20);
});

test('each operation stands under its own id', () => {
  expect(all.map(({ id }) => id)).toEqual(everyOperationId);
});

test('every event of the catalog is told by an operation', () => {
  const told = new Set(all.flatMap(({ emits = [] }) => emits));
  expect(Object.keys(events).filter((type) => !told.has(type))).toEqual([]);
});

test('what time does by itself is for nobody else, and has no address', () => {
  expect(ofClock.map(({ id }) => id)).toEqual(['tasks.tell-overdue', 'invoices.mark-overdue']);
  for (const { audience, path, scope } of ofClock) {
    expect([audience, path, scope]).toEqual([['system'], '', null]);
  }
  expect([...ofApi, ...ofPeople, ...ofAssistants, ...ofClock]).toHaveLength(all.length);
});

test('nothing that only people do stands in the OpenAPI document', () => {
  const document = JSON.parse(JSON.stringify(openapiDocument('https://dealkeep.example')));
  const documented = Object.entries<object>(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  expect(documented.toSorted()).toEqual(ofApi.map(addressOf).toSorted());
  const text = JSON.stringify(document);
  for (const { title, id } of [...ofPeople, ...ofAssistants]) {
    expect([id, text.includes(title.en), text.includes(JSON.stringify(title.sk))]).toEqual([
      id,
      false,
      false,
    ]);
  }
  expect(document.servers[0].url).toBe(`https://dealkeep.example${basePath}`);
});

test.each(ofAssistants)('$id reads for assistants what its list reads, by the same scope', (declaration) => {
  const { id, method, scope, resource, query } = declaration;
  const list = ofApi.find((each) => each.id === id.replace(/\.\w+$/, '.list'));
  expect({ method, scope, resource }).toEqual({
    method: 'GET',
    scope: list?.scope,
    resource: list?.resource,
  });
  expect(Object.keys(query?.shape ?? {})).toEqual(
    expect.arrayContaining(Object.keys(list?.query?.shape ?? {})),
  );
});

describe.each(ofPeople)('$id', (declaration) => {
  const {
    id,
    resource,
    kind,
    permissions = [],
    ownersOnly,
    everyMember,
    scope,
    step,
    path,
    emits = [],
  } = declaration;

  test('is known by its id and address alone', () => {
    expect(all.filter((each) => each.id === id)).toHaveLength(1);
    expect(ofApi.map(addressOf)).not.toContain(addressOf(declaration));
  });

  test('says what a role must permit for it, that no role does or that none is asked, and is no matter of scopes', () => {
    expect(permissions.length > 0).toBe(!ownersOnly && !everyMember);
    expect(scope).toBeNull();
  });

  test('names a resource and events that there are', () => {
    expect(Object.keys(resources)).toContain(resource);
    for (const event of emits) expect(Object.keys(events)).toContain(event);
  });

  test('asks first where it destroys', () => {
    if (declaration.destructive && step) expect(step.asks).toBe(true);
  });

  test('stands on the page of a record where it is a step', () => {
    if (kind === 'action' && !ownersOnly) expect(step).toBeDefined();
    if (step) expect(path).toMatch(/^\/[a-z-]+\/\{(id|uuid)\}\/[a-z-]+$/);
  });
});
