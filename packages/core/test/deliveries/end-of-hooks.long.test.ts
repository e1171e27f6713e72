import { updateOrganization } from '@dealkeep/core/accounts';
import { eventually, ManualClock, startDealkeep, startHookReceiver } from '@dealkeep/testing';
import { expect, test } from 'vitest';
import { hooksArePaused } from './paused-hooks.ts';
import { type Subscriber, subscribe } from './subscriber.ts';

const clock = new ManualClock();
const dealkeep = await startDealkeep({ clock });
const hour = 3_600_000;

/** Lets everything that waits be tried once more; answers whether the hook is still there. */
async function tryAgain(subscriber: Subscriber): Promise<boolean> {
  const waiting = await subscriber.pending();
  const before = (await subscriber.log()).length;
  clock.set(waiting.at(-1)?.due_at ?? '');
  await subscriber.logged(before + waiting.length);
  await eventually(async () =>
    expect((await subscriber.pending()).every(({ worker_id }) => worker_id === null)).toBe(true),
  );
  return subscriber.hookExists();
}

test('the weeks between two events that both failed do not count', async () => {
  const receiver = await startHookReceiver();
  receiver.answerWith(500);
  const subscriber = await subscribe(dealkeep, receiver.url);
  await subscriber.createLead('first');
  await subscriber.logged(1);
  while ((await subscriber.pending()).length > 0) expect(await tryAgain(subscriber)).toBe(true);
  expect(await subscriber.log()).toHaveLength(9);

  clock.advance(30 * 24 * hour);
  await subscriber.createLead('second');
  await subscriber.logged(10);
  expect(await subscriber.hookExists()).toBe(true);
  // 56 hours of the first event and 18 of the second are more than 72.
  let exists = true;
  for (let tries = 0; exists && tries < 9; tries += 1) exists = await tryAgain(subscriber);
  expect(exists).toBe(false);
  expect((await subscriber.log()).length).toBeLessThan(18);
});

test('a lapsed subscription pauses the hooks; what waits is held, and delivered afterwards in order, once each', () =>
  hooksArePaused(dealkeep, clock, {
    begin: (slug) => updateOrganization(dealkeep.sql, slug, { subscription: 'lapsed' }),
    end: (slug) => updateOrganization(dealkeep.sql, slug, { subscription: 'active' }),
  }));
