import { eventually } from '@dealkeep/testing';
import { expect, test } from 'vitest';
import { noteActivity } from '../../src/delivering/deliveries/upkeep/worker-upkeep.ts';
import { pauseQueue, type QueuePart, resumeQueue } from '../../src/installation/installation/pause-queue.ts';
import { afterAWeekend } from './after-a-weekend.ts';

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
