import { eventually, ManualClock, startDealkeep, startHookReceiver } from '@dealkeep/testing';
import { expect, test } from 'vitest';
import { startAnotherWorker } from './another-worker.ts';
import { subscribe } from './subscriber.ts';

const hour = 3600_000;

test('what was written with the time of before, and comes after the clock was set back, does not wait either', async () => {
  const clock = new ManualClock();
  const dealkeep = await startDealkeep({ clock });
  const receiver = await startHookReceiver();
  const { createLead, hookId } = await subscribe(dealkeep, receiver.url);
  await createLead();
  await receiver.received(1);
  const before = clock.now().toISOString();
  clock.advance(-hour);
  await createLead();
  await receiver.received(2);
  await dealkeep.sql`
    insert into deliveries (id, organization_id, webhook_id, event_id, due_at, created_at)
    select gen_random_uuid(), organization_id, ${hookId}, id, ${before}, ${before} from events limit 1`;
  await receiver.received(3);
});

test('an event that happens while the worker looks is not taken for a clock that was set back', async () => {
  const clock = new ManualClock();
  const said: string[] = [];
  const log = { debug() {}, info() {}, warn: (_: object, it: string) => void said.push(it), error() {} };
  const dealkeep = await startDealkeep({ clock, log, worker: false });
  const receiver = await startHookReceiver();
  const { createLead } = await subscribe(dealkeep, receiver.url);
  await createLead();
  clock.advance(-1000);
  const seenAt = () => dealkeep.sql`select seen_at from worker_activity`;
  const before = await seenAt();
  await startAnotherWorker(dealkeep);
  // It has looked when it notes that it works.
  await eventually(async () => expect(await seenAt()).not.toEqual(before));
  clock.advance(1000);
  await receiver.received(1);
  expect(said).toEqual([]);
});
