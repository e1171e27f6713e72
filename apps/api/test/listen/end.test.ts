import { once } from 'node:events';
import { connect } from 'node:net';
import { revokeApiKey } from '@dealkeep/core';
import { startDealkeep, type TestDealkeep } from '@dealkeep/testing';
import { describe, expect, onTestFinished, test } from 'vitest';
import { SeverableLine } from '../severable-line.ts';
import { listen, refusal } from './listener.ts';

/** Opens a stream and takes nothing of it. */
async function hang({ origin }: TestDealkeep, key: string) {
  const socket = connect(Number(new URL(origin).port), '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  socket.on('error', () => {});
  socket.write(`GET /listen HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\n\r\n`);
  await once(socket, 'readable');
  return socket;
}

/** More than the buffers of a connection hold. */
const flood = (dealkeep: TestDealkeep, organization: string) => dealkeep.sql`
  insert into events (organization_id, id, type, record_id, occurred_at, envelope)
  select ${organization}, 'evt_' || n, 'lead.created', gen_random_uuid(), now(), repeat('x', 1000000)
  from generate_series(1, 50) as n`;

test('a server that stops tells its listeners to come again, and takes no new ones', async () => {
  const dealkeep = await startDealkeep({ worker: false });
  const { key } = await dealkeep.createOrganization();
  const listener = await listen(dealkeep.origin, key);
  await dealkeep.core.eventStreams.stop();
  await listener.until(() => listener.closed);
  expect(listener.end).toEqual({});
  expect(await refusal(await listen(dealkeep.origin, key))).toBe('503 SERVICE_UNAVAILABLE');
});

test('a stream ends after its longest time, to be taken up again', async () => {
  const dealkeep = await startDealkeep({ worker: false, streamTiming: { longest: 100, checkEvery: 20 } });
  const listener = await listen(dealkeep.origin, (await dealkeep.createOrganization()).key);
  await listener.until(() => listener.closed);
  expect(listener.end).toEqual({});
});

describe('a listener that takes nothing', () => {
  const streamTiming = { newsEvery: 20, checkEvery: 20, farewell: 50 };

  test('is cut off when its key ends, and its place is free', async () => {
    const dealkeep = await startDealkeep({ worker: false, streamTiming });
    const { id, key, keyId } = await dealkeep.createOrganization();
    const socket = await hang(dealkeep, key);
    await flood(dealkeep, id);
    await revokeApiKey(dealkeep.core, keyId);
    socket.resume();
    await once(socket, 'close');
    await expect
      .poll(() => dealkeep.sql`select from pg_locks where locktype = 'advisory' and classid = 4712`)
      .toHaveLength(0);
  });

  test('costs one page of memory, however much there is for it', async () => {
    const dealkeep = await startDealkeep({ worker: false, streamTiming });
    const { id, key } = await dealkeep.createOrganization();
    await hang(dealkeep, key);
    const organization = await dealkeep.createOrganization();
    const other = dealkeep.as(organization.key);
    const reader = await listen(dealkeep.origin, organization.key);
    const used = () => {
      const { heapUsed, external } = process.memoryUsage();
      return heapUsed + external;
    };
    const before = used();
    await flood(dealkeep, id);
    let most = 0;
    // Meanwhile others are served.
    for (let round = 1; round <= 30; round += 1) {
      await other.post('/leads', { name: 'Lead' });
      await reader.heard(round);
      most = Math.max(most, used() - before);
    }
    expect(most).toBeLessThan(80_000_000);
  });
});

test('when the database goes away, listeners are told to come again', async () => {
  let line: SeverableLine | undefined;
  const dealkeep = await startDealkeep({
    worker: false,
    streamTiming: { newsEvery: 20, aliveEvery: 50, checkEvery: 50 },
    between: (url) => {
      line = new SeverableLine(url);
      return line.url();
    },
  });
  const { key } = await dealkeep.createOrganization();
  const listener = await listen(dealkeep.origin, key);
  await line?.cut();
  await listener.until(() => listener.closed);
  expect(listener.end).toEqual({});
  await line?.mend();
  await expect
    .poll(async () => (await listen(dealkeep.origin, key, { cursor: listener.cursor })).response.status)
    .toBe(200);
});

test('a lock connection that was lost ends the streams that it held', async () => {
  const dealkeep = await startDealkeep({ worker: false, streamTiming: { checkEvery: 50 } });
  const listener = await listen(dealkeep.origin, (await dealkeep.createOrganization()).key);
  await dealkeep.sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and application_name = 'dealkeep streams'`;
  await listener.until(() => listener.closed);
  expect(listener.end).toEqual({});
});
