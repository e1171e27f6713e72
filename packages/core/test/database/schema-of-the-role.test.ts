import { migrate } from '@dealkeep/core/foundations';
import { eventually, startDealkeep, startHookReceiver, testDatabase } from '@dealkeep/testing';
import { expect, test } from 'vitest';

test('a schema that is named like the role of the database stays out of everything', async () => {
  const { ownerUrl: url, sql } = await testDatabase({ migrated: false });
  const role = decodeURIComponent(new URL(url).username);
  await sql`create schema ${sql(role)}`;
  // What is found there first, if anything looks.
  await sql`create table ${sql(`${role}.leads`)} (mine integer)`;
  expect((await migrate(url)).pending).toEqual([]);
  expect((await migrate(url)).pending).toEqual([]);

  const dealkeep = await startDealkeep({ databaseUrl: url });
  const api = dealkeep.as((await dealkeep.createOrganization()).key);
  const receiver = await startHookReceiver();
  await api.post('/webhooks', { target_url: receiver.url, events: ['lead.created'] });
  const lead = (await api.post('/leads', { name: 'Bikes' })).data;
  const again = (await api.post('/leads', { name: 'More' }, { 'Idempotency-Key': 'k' })).data;
  await eventually(() =>
    expect(receiver.requests.map(({ envelope }) => envelope.data.id).toSorted()).toEqual(
      [lead.id, again.id].toSorted(),
    ),
  );
  const tables = await sql`
    select table_name from information_schema.tables where table_schema = ${role} order by table_name`;
  expect(tables).toEqual([{ table_name: 'leads' }]);
  await dealkeep.stop();
});

test('extensions that an administrator keeps in a schema of their own are found', async () => {
  const { ownerUrl: url, sql } = await testDatabase({ migrated: false });
  await sql`create schema extensions`;
  await sql`create extension pg_trgm schema extensions`;
  await sql`create extension btree_gist schema extensions`;
  expect((await migrate(url)).pending).toEqual([]);
});
