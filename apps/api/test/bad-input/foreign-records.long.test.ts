import {
  bareSchema,
  type OperationDeclaration,
  operations,
  pathText,
  type ReferenceName,
  referenceOfField,
} from '@dealkeep/contract';
import { sharedDealkeep } from '@dealkeep/testing';
import { afterAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { idsOf, openKnownBusiness, pathOn, withValue } from '../known-records.ts';

// An organization cannot tell another one's records from such that do not exist: asked of every path, every
// reference in every body and every filter that the contract has.
const dealkeep = await sharedDealkeep();
const ours = await openKnownBusiness(dealkeep);
const theirs = await openKnownBusiness(dealkeep);

await theirs.api.post('/companies', { name: 'Theirs' });
const theirEvents = (await theirs.api.get('/events')).page.data.map(({ id }) => id);

const declarations = Object.values<OperationDeclaration>(operations);
const own = (reference: ReferenceName) => ours.known[reference][0];
const foreign = (reference: ReferenceName) => theirs.known[reference][0] ?? '';

/** What the other organization has, and what happened in it. */
async function snapshot(): Promise<unknown> {
  const lists = await Promise.all(
    (['/companies', '/contacts', '/leads', '/webhooks'] as const).map((path) => theirs.api.get(path)),
  );
  return [lists.map(({ text }) => text), await theirs.eventTypes()];
}

/** Of each operation with an id in its path a record that the other organization has. */
const inPaths = await Promise.all(
  declarations
    .filter(({ path }) => /\{(id|uuid)\}/.test(path))
    .map(async (declaration) => {
      const { id, resource } = declaration;
      const [known] = resource === 'event' ? theirEvents : idsOf(theirs.known, resource);
      return { id, declaration, record: known ?? (await theirs.freshRecord(resource)) };
    }),
);
const before = await snapshot();

// Whatever was asked, nothing of the other organization changed.
afterAll(async () => {
  expect(await snapshot()).toEqual(before);
});

describe('an id in the path', () => {
  test.each(inPaths)('$id (rule http 5)', async ({ declaration, record }) => {
    const { method, body } = declaration;
    const json = body ? { json: ours.leastBody(declaration) } : {};
    if (!record) throw new Error(`What record is ${declaration.id} about?`);
    const refused = await ours.api.send(method, pathOn(declaration, record), json);
    expect(refused.outcome).toBe('404 NOT_FOUND');
    const missing = pathOn(declaration, '01985f6e-2c41-7d3a-9b52-4f0c8a7e1d63');
    expect((await ours.api.send(method, missing, json)).error).toEqual(refused.error);
  });
});

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
    const reference = referenceOfField(isList ? bare.element : schema);
    return reference ? [{ path: [...path, name], reference, isList }] : [];
  });
}

const inBodies = declarations.flatMap((declaration) => {
  const fields = referencesOf(declaration.body?.shape ?? {});
  return fields.length > 0 ? [{ id: declaration.id, declaration, fields }] : [];
});

test('there are references in bodies to ask of', () => {
  const names = inBodies.flatMap(({ id, fields }) => fields.map(({ path }) => `${id} ${pathText(path)}`));
  expect(names).toEqual(
    expect.arrayContaining([
      'leads.create stage_id',
      'leads.update assignee_ids',
      'contacts.create company_id',
    ]),
  );
});

describe('a reference in a body', () => {
  test.each(inBodies)('$id (rule bodies 25)', async ({ declaration, fields }) => {
    const { method, resource } = declaration;
    const path = pathOn(
      declaration,
      /\{(uu)?id\}/.test(declaration.path) ? await ours.freshRecord(resource) : '',
    );
    /** The least body with references to such records. */
    const naming = (
      named: readonly ReferenceField[],
      idOf: (reference: ReferenceName) => string | undefined,
    ) =>
      named.reduce<object>(
        (body, { path: at, reference, isList }) =>
          withValue(body, at, isList ? [own(reference), idOf(reference)] : idOf(reference)),
        ours.leastBody(declaration),
      );
    const told = ({ path: at, isList }: ReferenceField): string => pathText(isList ? [...at, 1] : at);
    const send = (json: object) => ours.api.send(method, path, { json });
    const events = await ours.eventsDuring(async () => {
      for (const field of fields) {
        const refused = await send(naming([field], foreign));
        expect([told(field), refused.fields]).toEqual([told(field), { [told(field)]: 'not_found' }]);
      }
      // The same when the body is refused for something else besides; and what exists is not named then.
      const more = await send({ ...naming(fields, foreign), nonsense: true });
      expect(more.fields).toMatchObject({
        ...Object.fromEntries(fields.map((field) => [told(field), 'not_found'])),
        nonsense: 'unknown',
      });
      const known = await send({ ...naming(fields, own), nonsense: true });
      expect(Object.values(known.fields)).not.toContain('not_found');
    });
    expect(events).toEqual([]);
  });
});

const inQueries = declarations.flatMap((declaration) =>
  referencesOf(declaration.query?.shape ?? {}).map(({ path: [parameter = ''], reference }) => ({
    name: `${declaration.id} ${parameter}`,
    declaration,
    parameter,
    reference,
  })),
);
const isList = ({ declaration }: (typeof inQueries)[number]): boolean => declaration.shape === 'list';

describe('a reference in a query finds nothing', () => {
  test.each(inQueries.filter(isList))('$name', async ({ declaration, parameter, reference }) => {
    const found = await ours.api.send('GET', `${declaration.path}?${parameter}=${foreign(reference)}`);
    expect(found.page).toEqual({ data: [], next_cursor: null, has_more: false });
  });

  test.each(inQueries.filter((each) => !isList(each)))(
    '$name: of one record it is refused, as one that there is not',
    async ({ declaration, parameter, reference }) => {
      const path = pathOn(declaration, await ours.freshRecord(declaration.resource));
      const ask = (id: string) => ours.api.send('GET', `${path}?${parameter}=${id}`);
      const refused = await ask(foreign(reference));
      expect(refused.outcome).toBe('400 INVALID_PARAMETER');
      expect((await ask('01985f6e-2c41-7d3a-9b52-4f0c8a7e1d63')).error).toEqual(refused.error);
      expect((await ask(own(reference) ?? '')).status).toBe(200);
    },
  );
});

test('no list shows a record of another organization', async () => {
  for (const declaration of declarations) {
    const { path, shape, scope } = declaration;
    if (shape !== 'list' || scope === null || path === '/webhooks/events') continue;
    const listOf = ({ api, known }: typeof ours) =>
      api.send('GET', pathOn(declaration, idsOf(known, declaration.resource)[0] ?? ''));
    const [mine, others] = await Promise.all([listOf(ours), listOf(theirs)]);
    for (const id of [...others.text.matchAll(/"id":"([^"]+)"/g)].map(([, found]) => found ?? '')) {
      expect([path, mine.text.includes(id)]).toEqual([path, false]);
    }
  }
});
