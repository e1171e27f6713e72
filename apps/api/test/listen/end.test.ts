import { once } from 'node:events';
import { revokeApiKey } from '@dealkeep/core/accounts';
import { startDealkeep } from '@dealkeep/testing';
import { expect, test } from 'vitest';
import { answeredWhileCut, SeverableLine } from '../severable-line.ts';
import { flood, hang } from './hanging-listener.ts';
import { listen, refusal } from './listener.ts';

test('a server that stops tells its listeners to come again, and takes no new ones', async () => {
  const dealkeep = await startDealkeep({ worker: false });
  const { key } = await dealkeep.createOrganization();
  const listener = await listen(dealkeep.origin, key);
  await dealkeep.core.eventStreams.stop();
  await listener.until(() => listener.closed);
  expect(listener.end).toEqual({});
  expect(await refusal(await listen(dealkeep.origin, key))).toBe('503 SERVICE_UNAVAILABLE');
});

test('a stream ends after its longest time, to be taken up again (rule events 20)', async () => {
  const dealkeep = await startDealkeep({ worker: false, streamTiming: { longest: 100, checkEvery: 20 } });
  const listener = await listen(dealkeep.origin, (await dealkeep.createOrganization()).key);
  await listener.until(() => listener.closed);
  expect(listener.end).toEqual({});
});

test('a listener that takes nothing is cut off when its key ends, and its place is free', async () => {
  const streamTiming = { newsEvery: 20, checkEvery: 20, farewell: 50 };
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
  await answeredWhileCut(listener.until(() => listener.closed));
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
