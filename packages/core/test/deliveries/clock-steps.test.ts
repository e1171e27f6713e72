import { eventually, ManualClock, startDealkeep, startHookReceiver } from '@dealkeep/testing';
import { expect, test } from 'vitest';
import { startAnotherWorker } from './another-worker.ts';
import { subscribe } from './subscriber.ts';

const hour = 3600_000;

test('a clock that is set back while the worker runs keeps no first attempt waiting, and no retry comes early', async () => {
  const clock = new ManualClock();
  // However busy the machine is, the first four are on their way until the clock was set back.
  const timing = { attemptLimitMs: 100_000 };
  const dealkeep = await startDealkeep({ clock, worker: false });
  const receiver = await startHookReceiver();
  const { createLead, logged, pending } = await subscribe(dealkeep, receiver.url);
  const { promise: refused, resolve: refuse } = Promise.withResolvers<number>();
  receiver.answerWith(() => refused);
  for (let made = 0; made < 5; made += 1) await createLead();
  await startAnotherWorker(dealkeep, { timing });
  await receiver.received(4);
  clock.advance(-hour);
  receiver.answerWith(200);
  refuse(500);
  await receiver.received(5);
  const attempts = await logged(5);
  expect(attempts.filter(({ status }) => status === 200)).toHaveLength(1);
  const waiting = await pending();
  expect(waiting).toHaveLength(4);
  for (const { due_at } of waiting) expect(Date.parse(due_at)).toBeGreaterThan(clock.now().getTime());
});

test('a clock that was set back while no worker ran keeps no first attempt waiting', async () => {
  const clock = new ManualClock();
  const dealkeep = await startDealkeep({ clock, worker: false });
  const receiver = await startHookReceiver();
  const { createLead, pending } = await subscribe(dealkeep, receiver.url);
  await createLead();
  clock.advance(-hour);
  await startAnotherWorker(dealkeep);
  await receiver.received(1);
  await eventually(async () => expect(await pending()).toEqual([]));
});

test('a machine whose clock is ahead makes its deliveries due at once for all others', async () => {
  const ahead = new Date(Date.now() + hour).toISOString();
  const dealkeep = await startDealkeep({ clock: new ManualClock(ahead), worker: false });
  const receiver = await startHookReceiver();
  const { createLead, pending } = await subscribe(dealkeep, receiver.url);
  await createLead();
  expect(await pending()).toHaveLength(1);
  for (const { due_at } of await pending()) expect(Date.parse(due_at)).toBeLessThan(Date.now() + 1000);
});
