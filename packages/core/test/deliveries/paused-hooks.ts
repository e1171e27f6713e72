import { releaseHeldEvents } from '@dealkeep/core/delivering';
import { eventually, type ManualClock, startHookReceiver, type TestDealkeep } from '@dealkeep/testing';
import { expect } from 'vitest';
import { subscribe } from './subscriber.ts';

const hour = 3_600_000;

interface Pause {
  /** Takes the reason to deliver away from the organization with this slug. */
  begin(slug: string): Promise<unknown>;
  end(slug: string): Promise<unknown>;
}

/** While it lasts nothing arrives, and it does not count as failing; then everything does, in order, once each. */
export async function hooksArePaused(
  dealkeep: TestDealkeep,
  clock: ManualClock,
  { begin, end }: Pause,
): Promise<void> {
  const markerReceiver = await startHookReceiver();
  const marker = await subscribe(dealkeep, markerReceiver.url);
  /** The worker has looked with the clock as it stands. */
  const letTheWorkerLook = async (): Promise<void> => {
    await marker.createLead();
    await markerReceiver.received(markerReceiver.requests.length + 1);
  };
  const receiver = await startHookReceiver();
  const subscriber = await subscribe(dealkeep, receiver.url);
  receiver.answerWith(500);
  const names = ['one', 'two', 'three'];
  for (const name of names) await subscriber.createLead(name);
  await subscriber.logged(3);
  await begin(subscriber.organization.slug);
  clock.advance(6 * 60_000);
  await eventually(async () =>
    expect(
      (await subscriber.pending()).every(({ due_at }) => Date.parse(due_at) > clock.now().getTime()),
    ).toBe(true),
  );
  await letTheWorkerLook();
  expect(receiver.requests).toHaveLength(3);
  // A pause of weeks does not count as failing.
  clock.advance(20 * 24 * hour);
  await letTheWorkerLook();
  expect(await subscriber.hookExists()).toBe(true);
  await releaseHeldEvents(dealkeep.core);
  await letTheWorkerLook();
  expect(receiver.requests).toHaveLength(3);

  await end(subscriber.organization.slug);
  receiver.answerWith(({ envelope }) => (envelope.data['name'] === 'one' ? 500 : 200));
  await releaseHeldEvents(dealkeep.core);
  await receiver.received(6);
  expect(receiver.requests.slice(3).map(({ envelope }) => envelope.data['name'])).toEqual(names);
  expect(receiver.requests.slice(3).map(({ headers }) => headers['x-service-attempt'])).toEqual([...'222']);
  await subscriber.logged(6);
  expect(await subscriber.hookExists()).toBe(true);
}
