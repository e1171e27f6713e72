import { eventually, startDealkeep, startHookReceiver } from '@dealkeep/testing';
import { expect, test } from 'vitest';
import { startAnotherWorker } from './another-worker.ts';
import { subscribe } from './subscriber.ts';
import { tooLongToWait } from './watched-worker.ts';

test('a worker that stops lets what runs finish', async () => {
  const dealkeep = await startDealkeep({ worker: false });
  const receiver = await startHookReceiver();
  const { createLead, log, pending } = await subscribe(dealkeep, receiver.url);
  let answer = (_status: number): void => {};
  receiver.answerWith(
    () =>
      new Promise((resolve) => {
        answer = resolve;
      }),
  );
  const worker = await startAnotherWorker(dealkeep);
  await createLead();
  await receiver.received(1);
  const stopped = worker.stop(10_000);
  answer(200);
  await stopped;
  expect(await log()).toMatchObject([{ number: 1, status: 200 }]);
  expect(await pending()).toEqual([]);
});

test('what does not finish in time is handed back at once, as due as before, and another worker sends it (rules deliveries 11 and 15)', async () => {
  const dealkeep = await startDealkeep({ worker: false });
  const receiver = await startHookReceiver();
  const { createLead, logged, pending } = await subscribe(dealkeep, receiver.url);
  for (let made = 0; made < 6; made += 1) await createLead();
  const before = await pending();
  receiver.answerWith('hang');
  const worker = await startAnotherWorker(dealkeep);
  await receiver.received(4);
  await worker.stop(100);
  expect(await pending()).toEqual(before);
  expect(before.every(({ worker_id, attempts }) => worker_id === null && attempts === 0)).toBe(true);

  receiver.answerWith(200);
  await startAnotherWorker(dealkeep, { timing: { sweepEveryMs: tooLongToWait } });
  await receiver.received(10);
  await eventually(async () => expect(await pending()).toEqual([]));
  expect((await logged(6)).map(({ number, status }) => [number, status])).toEqual(Array(6).fill([1, 200]));
});

test('what a worker that is no more held is sent by another (rule deliveries 15)', async () => {
  const dealkeep = await startDealkeep({ worker: false });
  const receiver = await startHookReceiver();
  const { createLead, pending } = await subscribe(dealkeep, receiver.url);
  await createLead();
  await dealkeep.sql`insert into workers values (999999, clock_timestamp())`;
  await dealkeep.sql`update deliveries set worker_id = 999999`;
  await startAnotherWorker(dealkeep);
  await receiver.received(1);
  await eventually(async () => expect(await pending()).toEqual([]));
});
