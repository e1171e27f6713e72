import { eventually, startDealkeep, startHookReceiver } from '@dealkeep/testing';
import { expect, test } from 'vitest';
import { pauseQueue, type QueuePart, resumeQueue } from '../../src/installation/pause-queue.ts';
import { noteActivity } from '../../src/installation/worker-upkeep.ts';
import { startAnotherWorker } from './another-worker.ts';
import { subscribe } from './subscriber.ts';

/** A hook that has failed for 10 hours when a weekend of 80 hours begins that is over now. */
async function afterAWeekend() {
  const dealkeep = await startDealkeep({ worker: false });
  const { sql } = dealkeep;
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
  const work = (options: { deliveriesHeld: boolean }) => startAnotherWorker(dealkeep, { core: options });
  return { ...dealkeep, ...subscriber, receiver, hoursOf, work };
}

/** By the clock of the database, as everything that workers note. */
const weekend = { failing: 90, inactive: 80 };

test('a queue that is paused over a long weekend loses no hook whose last attempt happened to fail', async () => {
  const { sql, hoursOf, work, logged, pending, hookExists } = await afterAWeekend();
  await pauseQueue(sql, { all: true });
  await noteActivity(sql);
  expect(await hoursOf(), 'nothing is sent, so nobody is seen to work').toEqual(weekend);
  await resumeQueue(sql, { all: true });
  await work({ deliveriesHeld: false });
  await logged(1);
  await eventually(async () => expect(await pending()).toMatchObject([{ attempts: 1, worker_id: null }]));
  expect(await hoursOf()).toEqual({ failing: 10, inactive: 0 });
  expect(await hookExists()).toBe(true);
});

test('with DELIVERIES=held over a long weekend no hook is lost either', async () => {
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

test.each<[string, (hook: { hookId: string; slug: string; host: string }) => QueuePart]>([
  ['webhook', ({ hookId }) => ({ webhook: hookId })],
  ['host', ({ host }) => ({ host })],
  ['organization', ({ slug }) => ({ organization: slug })],
])(
  'a %s that is paused over a long weekend loses no hook, while workers work for the others',
  async (_, partOf) => {
    const { sql, hoursOf, work, logged, pending, hookExists, hookId, organization, receiver } =
      await afterAWeekend();
    const part = partOf({ hookId, slug: organization.slug, host: new URL(receiver.url).host });
    await sql`update worker_activity set seen_at = clock_timestamp()`;
    await pauseQueue(sql, part);
    await sql`update queue_pauses set paused_at = clock_timestamp() - interval '80 hours'`;
    await resumeQueue(sql, part);
    expect(await hoursOf()).toEqual({ failing: 10, inactive: 0 });
    await resumeQueue(sql, part);
    expect(await hoursOf(), 'the same time is left out once').toEqual({ failing: 10, inactive: 0 });
    await work({ deliveriesHeld: false });
    await logged(1);
    await eventually(async () => expect(await pending()).toMatchObject([{ attempts: 1, worker_id: null }]));
    expect(await hookExists()).toBe(true);
  },
);

test('time in which several pauses hold, or in which no worker worked besides, is left out once', async () => {
  const { sql, hoursOf, hookId, organization } = await afterAWeekend();
  const [webhook, all] = [{ webhook: hookId }, { organization: organization.slug }];
  await pauseQueue(sql, webhook);
  await pauseQueue(sql, all);
  await sql`
    update queue_pauses
    set paused_at = clock_timestamp() - case when webhook_id is null then interval '50 hours' else interval '60 hours' end`;
  await sql`update worker_activity set seen_at = clock_timestamp()`;
  await resumeQueue(sql, webhook);
  expect(await hoursOf(), 'the 10 hours before the other pause').toEqual({ failing: 80, inactive: 0 });
  // No worker works for the last 20 of the 50 hours that the other pause has lasted.
  await sql`update worker_activity set seen_at = clock_timestamp() - interval '20 hours'`;
  await resumeQueue(sql, all);
  expect(await hoursOf()).toEqual({ failing: 50, inactive: 20 });
  await noteActivity(sql);
  expect(await hoursOf()).toEqual({ failing: 30, inactive: 0 });
});

test('a worker that begins to work while a webhook is paused leaves the pause to its end', async () => {
  const { sql, hoursOf, hookId } = await afterAWeekend();
  await pauseQueue(sql, { webhook: hookId });
  await sql`update queue_pauses set paused_at = clock_timestamp() - interval '70 hours'`;
  await noteActivity(sql);
  expect(await hoursOf(), 'the 10 hours before the pause').toEqual({ failing: 80, inactive: 0 });
  await resumeQueue(sql, { webhook: hookId });
  expect(await hoursOf()).toEqual({ failing: 10, inactive: 0 });
});
