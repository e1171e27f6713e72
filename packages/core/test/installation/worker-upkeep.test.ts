import { WorkerPresence } from '@dealkeep/core/change';
import { connect, connectQueue, systemClock } from '@dealkeep/core/foundations';
import { eventually, testDatabase } from '@dealkeep/testing';
import { expect, onTestFinished, test } from 'vitest';
import { WorkerUpkeep } from '../../src/delivering/deliveries/queue/worker-upkeep.ts';

test('a worker that the database has kept from showing that it works tries again by itself, and tells once that it is back', async () => {
  const { url, sql: owner, drop } = await testDatabase();
  const sql = connect(url, { connections: 1, name: 'test' });
  const queue = connectQueue(url);
  const said: string[] = [];
  const say = (_: object, sentence: string) => void said.push(sentence);
  let back = 0;
  const presence = await WorkerPresence.announce(sql);
  const upkeep = new WorkerUpkeep({
    queue,
    presence,
    clock: systemClock,
    log: { debug: say, info: say, warn: say, error: say },
    onBack: () => {
      back += 1;
    },
  });
  onTestFinished(async () => {
    await upkeep.finish();
    await Promise.all([sql, queue.claims, queue.results, queue.log].map((each) => each.end({ timeout: 1 })));
    await drop();
  });
  upkeep.start();
  await upkeep.finish();
  await owner`alter table workers rename to workers_away`;
  upkeep.start();
  await upkeep.finish();
  expect(said).toEqual(['The worker cannot show that it works; it tries again']);
  expect(back).toBe(0);
  upkeep.start();
  await owner`alter table workers_away rename to workers`;
  await eventually(() => expect(back).toBe(1));
  await eventually(() => expect(said.at(-1)).toBe('The worker shows again that it works'));
  upkeep.start();
  await upkeep.finish();
  expect(back).toBe(1);
});
