import { ManualClock, startDealkeep } from '@dealkeep/testing';
import { test } from 'vitest';
import { bookAsOffered, quarters } from './offered-starts.ts';

test('each offered start of a whole day can be booked with each who is offered, and no other one', async () => {
  const clock = new ManualClock('2026-03-20T08:07:00.000Z');
  const dealkeep = await startDealkeep({ worker: false, clock });
  await bookAsOffered(dealkeep, [...Array(quarters).keys()]);
});
