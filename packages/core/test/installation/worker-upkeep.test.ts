import { WorkerPresence } from '@dealkeep/core/change';
import { connect, connectQueue, systemClock } from '@dealkeep/core/foundations';
import { eventually, testDatabase } from '@dealkeep/testing';
import { expect, onTestFinished, test } from 'vitest';
import { WorkerUpkeep } from '../../src/delivering/deliveries/upkeep/worker-upkeep.ts';

test('a worker that the database has kept from showing that it works tries again by itself, and tells once that it is back', async () => {
  const { url, sql: owner, drop } = await testDatabase();
  const sql = connect(url, { connections: 1, name: 'test' });
  const queue = connectQueue(url);
  const said: string[] = [];
  const say = (_: object, sentence: string) => void said.push(sentence);
  const presence = await WorkerPresence.announce(sql);
  const upkeep = new WorkerUpkeep({
    queue,
    presence,
    clock: systemClock,
    log: { debug: say, info: say, warn: say, error: say },
  });
  onTestFinished(async () => {
    await upkeep.finish();
    await Promise.all([sql, queue.claims, queue.results, queue.log].map((each) => each.end({ timeout: 1 })));
    await drop();
  });
  expect(await upkeep.round()).toBe(false);
  await owner`alter table workers rename to workers_away`;
  const away = upkeep.round();
  await eventually(() => expect(said).toEqual(['The worker cannot show that it works; it tries again']));
  expect(await upkeep.round()).toBe(false);
  await owner`alter table workers_away rename to workers`;
  expect(await away).toBe(true);
  expect(said.slice(1)).toEqual(['The worker shows again that it works']);
  expect(await upkeep.round()).toBe(false);
});
