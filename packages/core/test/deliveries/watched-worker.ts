import { createCore, type DeliveryTiming } from '@dealkeep/core';
import { type TestDealkeep, WatchedLine } from '@dealkeep/testing';
import { startWorker } from '@dealkeep/worker';
import { onTestFinished } from 'vitest';

export const tooLongToWait = 600_000;

/** A worker, as another process would be, and what it asks the database while work runs. Stops with the test. */
export async function startWatchedWorker(dealkeep: TestDealkeep, timing: Partial<DeliveryTiming> = {}) {
  const line = await WatchedLine.open(dealkeep.databaseUrl);
  const worker = await startWorker({
    core: createCore(dealkeep.core),
    databaseUrl: line.url,
    concurrency: 50,
    timing,
  });
  onTestFinished(() => worker.stop(1000));
  const statementsOf = (work: () => Promise<unknown>) => line.statementsOf(work);
  return {
    statementsOf,
    /** How often it looks meanwhile for what has no job; it does so each second. */
    sweepsOf: async (work: () => Promise<unknown>): Promise<number> =>
      (await statementsOf(work)).filter((statement) => statement.startsWith('with recursive oldest')).length,
  };
}
