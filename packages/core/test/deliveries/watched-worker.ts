import type { DeliveryTiming } from '@dealkeep/core/delivering';
import { type TestDealkeep, WatchedLine } from '@dealkeep/testing';
import { expect } from 'vitest';
import { startAnotherWorker } from './another-worker.ts';

export const tooLongToWait = 600_000;

/** Slower than the second of a running program, so that a busy machine does not come to one more sweep meanwhile. */
export const sweepSlowly: Partial<DeliveryTiming> = { sweepEveryMs: 4000 };

/** A worker, as another process would be, and what it asks the database while work runs. Stops with the test. */
export async function startWatchedWorker(dealkeep: TestDealkeep, timing: Partial<DeliveryTiming> = {}) {
  const line = await WatchedLine.open(dealkeep.databaseUrl);
  await startAnotherWorker(dealkeep, { timing, databaseUrl: line.url });
  const statementsOf = (work: () => Promise<unknown>) => line.statementsOf(work);
  return {
    statementsOf,
    /**
     * How often it looks for what has no job, as it does each second, until it leases what `work` waits for. How
     * long a busy machine then takes to send does not count.
     */
    sweepsUntilLease: async (work: () => Promise<unknown>): Promise<number> => {
      const statements = await statementsOf(work);
      const leased = statements.findLastIndex((statement) => statement.startsWith('with me as materialized'));
      expect(leased).toBeGreaterThan(-1);
      return statements.slice(0, leased).filter((statement) => statement.startsWith('with recursive oldest'))
        .length;
    },
  };
}
