import { eventually, startDealkeep, startHookReceiver, WatchedLine } from '@dealkeep/testing';
import { expect, test } from 'vitest';
import { subscribe } from './subscriber.ts';
import { startWatchedWorker, tooLongToWait } from './watched-worker.ts';

test('one delivery alone takes three statements: its lease with all that it sends, its result, its entry in the log', async () => {
  const dealkeep = await startDealkeep({ worker: false });
  const { statementsOf } = await startWatchedWorker(dealkeep, {
    sweepEveryMs: tooLongToWait,
    lingersMs: tooLongToWait,
  });
  const receiver = await startHookReceiver();
  const { createLead, logged, pending } = await subscribe(dealkeep, receiver.url);
  const deliver = async (number: number): Promise<void> => {
    await createLead();
    await logged(number);
    await eventually(async () => expect(await pending()).toEqual([]));
  };
  // The first success of a webhook is noted with it.
  await deliver(1);
  const statements = await statementsOf(() => deliver(2));
  // What graphile-worker asks for besides is for all jobs together, and not asked while the turn of the webhook
  // lasts.
  const ours = statements.filter(
    (statement) => !/graphile_worker|deliveries_paused_at as|^select 1$/.test(statement),
  );
  expect(ours.map((statement) => statement.slice(0, 60))).toEqual([
    expect.stringMatching(/^with me as materialized/),
    expect.stringMatching(/^with eventful as materialized/),
    expect.stringMatching(/^insert into attempts/),
  ]);
});

test('one delivery a moment after another needs no job of its own, where the worker runs in the same process', async () => {
  let line: WatchedLine | undefined;
  const dealkeep = await startDealkeep({
    timing: { lingersMs: tooLongToWait },
    between: async (url) => {
      line = await WatchedLine.open(url);
      return line.url;
    },
  });
  const receiver = await startHookReceiver();
  const { createLead, logged } = await subscribe(dealkeep, receiver.url);
  const deliveries = 6;
  const statements = await line?.statementsOf(async () => {
    for (let number = 1; number <= deliveries; number += 1) {
      await createLead();
      await logged(number);
    }
  });
  const jobs = statements?.filter((statement) => statement.includes('graphile_worker.add_jobs')) ?? [];
  expect(jobs.length).toBeGreaterThanOrEqual(1);
  // One more where the machine was too busy for the turn to be there still.
  expect(jobs.length).toBeLessThanOrEqual(deliveries / 2);
});
