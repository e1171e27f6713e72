import { createCore, wakeUpChannel } from '@dealkeep/core';
import { startDealkeep } from '@dealkeep/testing';
import { startWorker } from '@dealkeep/worker';
import { expect, onTestFinished, test } from 'vitest';
import { startHookReceiver } from './hook-receiver.ts';
import { subscribe } from './subscriber.ts';

const tooLongToWait = 600_000;

test('the worker of the same process sends at once, without a sweep', async () => {
  const dealkeep = await startDealkeep({ timing: { sweepEveryMs: tooLongToWait } });
  const receiver = await startHookReceiver();
  const { createLead } = await subscribe(dealkeep, receiver.url);
  for (let made = 1; made <= 10; made += 1) {
    await createLead();
    await receiver.received(made, 1000);
  }
});

test('a worker of another process is told after the commit, once for many', async () => {
  const dealkeep = await startDealkeep({ worker: false });
  const receiver = await startHookReceiver();
  const { createLead } = await subscribe(dealkeep, receiver.url);
  const worker = await startWorker({
    core: createCore(dealkeep.core),
    databaseUrl: dealkeep.databaseUrl,
    concurrency: 50,
    timing: { sweepEveryMs: tooLongToWait },
  });
  onTestFinished(() => worker.stop(1000));
  let told = 0;
  const { unlisten } = await dealkeep.sql.listen(wakeUpChannel, () => {
    told += 1;
  });
  await createLead();
  await receiver.received(1, 1000);
  expect(told).toBe(1);
  await Promise.all(Array.from({ length: 60 }, () => createLead()));
  await receiver.received(61, 3000);
  expect(told).toBeLessThan(50);
  await unlisten();
});

test('without any wake-up, as when a process dies right after a commit, the sweep finds it within two seconds', async () => {
  const dealkeep = await startDealkeep();
  const receiver = await startHookReceiver();
  const { hookId, organization, createLead } = await subscribe(dealkeep, receiver.url);
  await createLead();
  const [first] = await receiver.received(1);
  for (let round = 1; round <= 2; round += 1) {
    const started = performance.now();
    await dealkeep.sql`
      insert into deliveries (id, organization_id, webhook_id, event_id, due_at, created_at)
      values (gen_random_uuid(), ${organization.id}, ${hookId}, ${first?.envelope.id ?? ''}, now(), now())`;
    await receiver.received(1 + round, 3000);
    expect(performance.now() - started).toBeLessThan(2000);
  }
});
