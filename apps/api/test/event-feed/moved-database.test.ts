import { randomBytes } from 'node:crypto';
import { Secrets } from '@dealkeep/core/foundations';
import { enterInstallation } from '@dealkeep/core/installation';
import { startDealkeep, type TestDealkeep } from '@dealkeep/testing';
import { expect, test } from 'vitest';

type Api = ReturnType<TestDealkeep['as']>;

const pageOf = async (api: Api, cursor?: string, limit = 50) =>
  (await api.get('/events', { limit, ...(cursor === undefined ? {} : { cursor }) })).page;
const namesIn = (page: Awaited<ReturnType<typeof pageOf>>) => page.data.map(({ data }) => data['name']);

/** What each process does when it starts. */
const startProcess = ({ core, sql }: TestDealkeep) =>
  enterInstallation(sql, {
    environment: 'live',
    secrets: core.secrets,
    process: {
      id: '01985f6e-2c41-7001-8a2b-3c4d5e6f7081',
      roles: ['api'],
      host: 'test',
      version: '1',
      deliveriesHeld: false,
      connections: 1,
    },
  });

test('a database that comes to a server with lower numbers: every cursor goes on, and nothing is passed by (rule events 22)', async () => {
  const dealkeep = await startDealkeep({ worker: false, secrets: new Secrets([randomBytes(32)]) });
  const { sql } = dealkeep;
  const { id, key } = await dealkeep.createOrganization();
  const api = dealkeep.as(key);
  for (const name of ['A', 'B', 'C']) await api.post('/companies', { name });
  // As a dump brings them from a server that has seen more.
  await sql`
    update events set transaction_id = ((transaction_id::text::bigint + 5000000000)::text)::xid8
    where organization_id = ${id}`;
  const [{ era: before } = { era: 0 }] = await sql<
    { era: number }[]
  >`select event_era as era from installation`;
  await startProcess(dealkeep);
  const first = await pageOf(api, undefined, 2);
  expect(namesIn(first)).toEqual(['A', 'B']);
  await api.post('/companies', { name: 'D' });
  const second = await pageOf(api, first.next_cursor ?? '');
  expect(namesIn(second)).toEqual(['C', 'D']);
  await startProcess(dealkeep);
  await api.post('/companies', { name: 'E' });
  expect(namesIn(await pageOf(api, second.next_cursor ?? ''))).toEqual(['E']);
  const [{ era: after } = { era: 0 }] = await sql<
    { era: number }[]
  >`select event_era as era from installation`;
  expect(after).toBe(before + 1);
});

test('a fail-over that lost the event which was read last: what happened since is read again, and nothing passed by (rule events 28)', async () => {
  const warnings: string[] = [];
  const quiet = () => {};
  const log = {
    debug: quiet,
    info: quiet,
    error: quiet,
    warn: (_: unknown, sentence: string) => void warnings.push(sentence),
  };
  const dealkeep = await startDealkeep({ worker: false, log });
  const { id, key } = await dealkeep.createOrganization();
  const api = dealkeep.as(key);
  for (const name of ['A', 'B', 'Lost']) await api.post('/companies', { name });
  const { next_cursor } = await pageOf(api);
  // The server that takes over has never heard of the last transaction, and gives its number to another one.
  const [lost] = await dealkeep.sql<{ transaction_id: string }[]>`
    delete from events where organization_id = ${id} and envelope like '%"Lost"%'
    returning transaction_id::text`;
  await api.post('/companies', { name: 'C' });
  await dealkeep.sql`
    update events set transaction_id = ${lost?.transaction_id ?? ''}::text::xid8, id = 'evt_0'
    where organization_id = ${id} and envelope like '%"C"%'`;
  const page = await pageOf(api, next_cursor ?? '');
  expect(namesIn(page)).toEqual(['A', 'B', 'C']);
  expect(warnings).toEqual([expect.stringContaining('The feed')]);
  expect(namesIn(await pageOf(api, page.next_cursor ?? ''))).toEqual([]);
});

test('events from before their transactions were noted stand before all others', async () => {
  const dealkeep = await startDealkeep({ worker: false });
  const { id, key } = await dealkeep.createOrganization();
  const api = dealkeep.as(key);
  for (const name of ['A', 'B', 'C']) await api.post('/companies', { name });
  // As the migration leaves them.
  await dealkeep.sql`
    update events set transaction_id = '0' where organization_id = ${id} and envelope not like '%"C"%'`;
  expect(namesIn(await pageOf(api))).toEqual(['A', 'B', 'C']);
});
