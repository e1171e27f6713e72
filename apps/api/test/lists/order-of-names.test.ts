import { startDealkeep } from '@dealkeep/testing';
import { openBusiness } from '@dealkeep/testing/business';
import { expect, test } from 'vitest';

const dealkeep = await startDealkeep({ worker: false });

const inOrder = ['1. máj', 'acme', 'Acme', 'Cukor', 'Čaj', 'čaj', 'Dom', 'Ľubica', 'Lúč', 'Zvolen', 'Žilina'];
// Letters with marks stand beside the plain ones, and the rest of the word decides.
const sorted = ['1. máj', 'acme', 'Acme', 'čaj', 'Čaj', 'Cukor', 'Dom', 'Ľubica', 'Lúč', 'Žilina', 'Zvolen'];

test('names sort as people sort them, page by page, both ways', async () => {
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

test('equal names are neither lost nor repeated between pages', async () => {
  const { api } = await openBusiness(dealkeep);
  const ids = await Promise.all(
    Array.from({ length: 5 }, async () => (await api.post('/companies', { name: 'Čaj' })).data.id),
  );
  const listed = await api.walk('/companies', { sort: '-name', limit: 2 });
  expect(listed.map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
});
