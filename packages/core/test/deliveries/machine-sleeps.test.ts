import { eventually, ManualClock, startDealkeep, startHookReceiver } from '@dealkeep/testing';
import { expect, test } from 'vitest';
import { subscribe } from './subscriber.ts';

const clock = new ManualClock();
const dealkeep = await startDealkeep({ clock });

test('a machine that sleeps over a weekend does not lose a hook whose last attempt happened to fail', async () => {
  const receiver = await startHookReceiver();
  receiver.answerWith(500);
  const { createLead, hookExists, logged, pending } = await subscribe(dealkeep, receiver.url);
  await createLead();
  await logged(1);
  // The clock goes on meanwhile, the uptime of the machine does not.
  await dealkeep.sql`update worker_activity set seen_at = clock_timestamp() - interval '80 hours'`;
  clock.advance(80 * 3_600_000);
  await logged(2);
  await eventually(async () => expect(await pending()).toMatchObject([{ attempts: 2, worker_id: null }]));
  expect(await hookExists()).toBe(true);
});
