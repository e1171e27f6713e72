import { sharedDealkeep, startDealkeep, testDatabase } from '@dealkeep/testing';
import { openBusiness } from '@dealkeep/testing/business';
import { expect, onTestFinished, test } from 'vitest';
import { openTransaction, Reader } from './readers-and-writers.ts';

const dealkeep = await sharedDealkeep();

test('an open transaction of another database of the server keeps no event back', async () => {
  const other = await testDatabase();
  onTestFinished(() => other.drop());
  await openTransaction(other.url);
  const { api } = await openBusiness(dealkeep);
  await api.post('/companies', { name: 'Tatra' });
  expect(await new Reader(api).readAll()).toHaveLength(1);
});

test('an event stands behind a transaction that began before it, until that one has ended', async () => {
  const own = await startDealkeep({ worker: false });
  const { id, key } = await own.createOrganization();
  const api = own.as(key);
  const { write, end } = await openTransaction(own.databaseUrl);
  await api.post('/companies', { name: 'Later' });
  const reader = new Reader(api);
  await reader.readAll();
  expect(reader.seen).toEqual([]);
  await write(id, 'evt_00');
  await end('commit');
  const seen = await reader.readAll();
  expect(seen).toEqual(['evt_00', expect.any(String)]);
});
