import { type OperationDeclaration, operations } from '@dealkeep/contract';
import { sharedDealkeep } from '@dealkeep/testing';
import { afterAll, expect, test } from 'vitest';
import { idsOf, openKnownBusiness, pathOn } from '../known-records.ts';

const dealkeep = await sharedDealkeep();
const ours = await openKnownBusiness(dealkeep);
const theirs = await openKnownBusiness(dealkeep);

await theirs.api.post('/companies', { name: 'Theirs' });
const theirEvents = (await theirs.api.get('/events')).page.data.map(({ id }) => id);
const declarations = Object.values<OperationDeclaration>(operations);

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

test.each(inPaths)(
  '$id answers a record of another organization like one that there is not (rule http 5)',
  async ({ declaration, record }) => {
    const { method, body } = declaration;
    const json = body ? { json: ours.leastBody(declaration) } : {};
    if (!record) throw new Error(`What record is ${declaration.id} about?`);
    const refused = await ours.api.send(method, pathOn(declaration, record), json);
    expect(refused.outcome).toBe('404 NOT_FOUND');
    const missing = pathOn(declaration, '01985f6e-2c41-7d3a-9b52-4f0c8a7e1d63');
    expect((await ours.api.send(method, missing, json)).error).toEqual(refused.error);
  },
);
