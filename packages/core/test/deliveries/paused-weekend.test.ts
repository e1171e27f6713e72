import { createCore } from '@dealkeep/core';
import { eventually, startDealkeep } from '@dealkeep/testing';
import { startWorker } from '@dealkeep/worker';
import { expect, onTestFinished, test } from 'vitest';
import { noteActivity } from '../../src/deliveries/worker.ts';
import { pauseQueue, resumeQueue } from '../../src/installation/queue.ts';
import { startHookReceiver } from './hook-receiver.ts';
import { subscribe } from './subscriber.ts';

/** A hook that has failed for 10 hours when a weekend of 80 hours begins that is over now. */
async function afterAWeekend() {
  const dealkeep = await startDealkeep({ worker: false });
  const { sql, databaseUrl } = dealkeep;
  const receiver = await startHookReceiver();
  receiver.answerWith(500);
  const subscriber = await subscribe(dealkeep, receiver.url);
  await subscriber.createLead();
  await sql`update webhooks set failing_since = clock_timestamp() - interval '90 hours'`;
  await sql`update worker_activity set seen_at = clock_timestamp() - interval '80 hours'`;
  const hoursOf = async () => {
    const [row] = await sql<{ failing: number; inactive: number }[]>`
      select round(extract(epoch from clock_timestamp() - failing_since) / 3600)::integer as failing,
             round(extract(epoch from clock_timestamp() - seen_at) / 3600)::integer as inactive
      from webhooks, worker_activity`;
    return row;
  };
  /** A worker that has looked around. */
  const work = async (options: { deliveriesHeld: boolean }) => {
    const core = createCore({ ...dealkeep.core, ...options });
    const worker = await startWorker({ core, databaseUrl, concurrency: 10, timing: { sweepEveryMs: 20 } });
    let stopped: Promise<void> | undefined;
    const stop = () => (stopped ??= worker.stop(1000));
    onTestFinished(stop);
    return { stop };
  };
  return { ...dealkeep, ...subscriber, receiver, hoursOf, work };
}

/** By the clock of the database, as everything that workers note. */
const weekend = { failing: 90, inactive: 80 };

test('a queue that is paused over a long weekend loses no hook whose last attempt happened to fail (13.48)', async () => {
  const { sql, hoursOf, work, logged, pending, hookExists } = await afterAWeekend();
  await pauseQueue(sql);
  await noteActivity(sql);
  expect(await hoursOf(), 'nothing is sent, so nobody is seen to work').toEqual(weekend);
  await resumeQueue(sql);
  await work({ deliveriesHeld: false });
  await logged(1);
  await eventually(async () => expect(await pending()).toMatchObject([{ attempts: 1, worker_id: null }]));
  expect(await hoursOf()).toEqual({ failing: 10, inactive: 0 });
  expect(await hookExists()).toBe(true);
});

test('with DELIVERIES=held over a long weekend no hook is lost either (13.48)', async () => {
  const { sql, hoursOf, work, logged, pending, hookExists } = await afterAWeekend();
  const held = await work({ deliveriesHeld: true });
  await eventually(async () => expect(await sql`select from workers`).toHaveLength(1));
  // It waits for the round of upkeep that runs.
  await held.stop();
  expect(await hoursOf()).toEqual(weekend);
  await work({ deliveriesHeld: false });
  await logged(1);
  await eventually(async () => expect(await pending()).toMatchObject([{ attempts: 1, worker_id: null }]));
  expect(await hookExists()).toBe(true);
});
