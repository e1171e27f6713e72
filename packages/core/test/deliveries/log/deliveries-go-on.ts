import { eventually, startHookReceiver, type TestDealkeep } from '@dealkeep/testing';
import { expect } from 'vitest';
import { subscribe } from '../subscriber.ts';

/** While the log cannot be written everything is sent once, and no lease is left that would have it sent again. */
export async function deliveriesGoOn(dealkeep: TestDealkeep, end: () => Promise<unknown>) {
  const receiver = await startHookReceiver();
  const { createLead, pending, log, logged } = await subscribe(dealkeep, receiver.url);
  for (const name of ['first', 'second', 'third']) await createLead(name);
  await receiver.received(3);
  await eventually(async () => expect(await pending()).toEqual([]));
  await end();
  const attempts = await logged(3);
  expect(attempts.map(({ number, status }) => ({ number, status }))).toEqual(
    Array.from({ length: 3 }, () => ({ number: 1, status: 200 })),
  );
  expect(new Set(receiver.requests.map(({ envelope }) => envelope.id)).size).toBe(3);
  expect(receiver.requests).toHaveLength(3);
  expect(await log()).toHaveLength(3);
}
