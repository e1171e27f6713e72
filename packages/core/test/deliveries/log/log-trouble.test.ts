import { startDealkeep } from '@dealkeep/testing';
import { test } from 'vitest';
import { deliveriesGoOn } from './deliveries-go-on.ts';

test('a lock on the log does not keep deliveries back (rule deliveries 26)', async () => {
  const dealkeep = await startDealkeep();
  const unlock = Promise.withResolvers<void>();
  const locked = Promise.withResolvers<void>();
  const transaction = dealkeep.sql.begin(async (tx) => {
    await tx`lock table attempts in access exclusive mode`;
    locked.resolve();
    await unlock.promise;
  });
  await locked.promise;
  try {
    await deliveriesGoOn(dealkeep, async () => unlock.resolve());
  } finally {
    unlock.resolve();
    await transaction;
  }
});
