import type { DeliveryTiming } from '@dealkeep/core/delivering';
import { type TestDealkeep, WatchedLine } from '@dealkeep/testing';
import { startAnotherWorker } from './another-worker.ts';

export const tooLongToWait = 600_000;

/** A worker, as another process would be, and what it asks the database while work runs. Stops with the test. */
export async function startWatchedWorker(dealkeep: TestDealkeep, timing: Partial<DeliveryTiming> = {}) {
  const line = await WatchedLine.open(dealkeep.databaseUrl);
  await startAnotherWorker(dealkeep, { timing, databaseUrl: line.url });
  const statementsOf = (work: () => Promise<unknown>) => line.statementsOf(work);
  return {
    statementsOf,
    /** How often it looks meanwhile for what has no job; it does so each second. */
    sweepsOf: async (work: () => Promise<unknown>): Promise<number> =>
      (await statementsOf(work)).filter((statement) => statement.startsWith('with recursive oldest')).length,
  };
}
