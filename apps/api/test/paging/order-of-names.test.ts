import { inConsole, sharedDealkeep } from '@dealkeep/testing';
import { openBusiness, openShop } from '@dealkeep/testing/business';
import { expect, test } from 'vitest';

const dealkeep = await sharedDealkeep();

const inOrder = ['1. máj', 'acme', 'Acme', 'Cukor', 'Čaj', 'čaj', 'Dom', 'Ľubica', 'Lúč', 'Zvolen', 'Žilina'];
// A letter of the alphabet with a mark has a place of its own behind the plain one; ľ, ĺ and ú have none.
const sorted = ['1. máj', 'acme', 'Acme', 'Cukor', 'čaj', 'Čaj', 'Dom', 'Ľubica', 'Lúč', 'Zvolen', 'Žilina'];

test('names sort by the Slovak alphabet, page by page, both ways (rules lists 9 and 10)', async () => {
  const { api } = await openBusiness(dealkeep);
  for (const name of inOrder) await api.post('/companies', { name });
  for (const name of inOrder) await api.post('/leads', { name });
  for (const title of inOrder) await api.post('/tasks', { title });
  await api.post('/leads', {});
  const companies = async (sort: string) =>
    (await api.walk('/companies', { sort, limit: 2 })).map((c) => c.name);
  expect(await companies('name')).toEqual(sorted);
  expect(await companies('-name')).toEqual(sorted.toReversed());
  const leads = async (sort: string) => (await api.walk('/leads', { sort, limit: 1 })).map((l) => l.name);
  expect(await leads('name')).toEqual([...sorted, null]);
  expect(await leads('-name')).toEqual([...sorted.toReversed(), null]);
  expect((await api.walk('/tasks', { sort: 'title', limit: 3 })).map(({ title }) => title)).toEqual(sorted);
});

test('a list that is searched by many ways sorts alike: contacts, products, lookups', async () => {
  const shop = await openShop(dealkeep);
  const { api, organization } = shop;
  const company_id = (await api.post('/companies', { name: 'Acme' })).data.id;
  for (const name of inOrder) await api.post('/contacts', { company_id, name });
  for (const name of inOrder) await shop.addProduct({ name });
  // Names of lookups are unique whatever the case.
  const different = inOrder.filter((name) => name !== 'Acme' && name !== 'čaj');
  for (const name of different) await inConsole(dealkeep.core, organization, 'tags.add', { name });
  const namesOf = async (path: '/contacts' | '/products' | '/tags') =>
    (await api.walk(path, { sort: 'name', limit: 2 })).map(({ name }) => name);
  expect(await namesOf('/contacts')).toEqual(sorted);
  expect(await namesOf('/products')).toEqual(sorted);
  expect(await namesOf('/tags')).toEqual(sorted.filter((name) => different.includes(name)));
});

test('names that differ in case or marks alone each stand once, wherever a page ends', async () => {
  const { api } = await openBusiness(dealkeep);
  const alike = ['cesta', 'Cesta', 'CESTA', 'césta', 'cesta ', 'ces-ta', 'cesta'];
  for (const title of alike) await api.post('/tasks', { title: title === 'cesta ' ? 'ce sta' : title });
  for (const sort of ['title', '-title']) {
    const all = (await api.get('/tasks', { sort })).page.data.map(({ id }) => id);
    expect(all).toHaveLength(alike.length);
    expect((await api.walk('/tasks', { sort, limit: 1 })).map(({ id }) => id)).toEqual(all);
  }
});

test('equal names are neither lost nor repeated between pages', async () => {
  const { api } = await openBusiness(dealkeep);
  const ids = await Promise.all(
    Array.from({ length: 5 }, async () => (await api.post('/companies', { name: 'Čaj' })).data.id),
  );
  const listed = await api.walk('/companies', { sort: '-name', limit: 2 });
  expect(listed.map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
});
