import { createCore } from '@dealkeep/core';
import type { DeliveryTiming } from '@dealkeep/core/delivering';
import { promptTiming, type TestDealkeep } from '@dealkeep/testing';
import { startWorker } from '@dealkeep/worker';
import { onTestFinished } from 'vitest';

interface AnotherWorkerOptions {
  /** `promptTiming` where it says nothing else. */
  timing?: Partial<DeliveryTiming>;
  /** As `WEBHOOK_CONCURRENCY`. */
  concurrency?: number;
  /** What of the core it has otherwise. */
  core?: Partial<TestDealkeep['core']>;
  /** The database's address; that of Dealkeep when absent. */
  databaseUrl?: string;
}

/** A further worker on the same database, as another process would be. Stops with the test. */
export async function startAnotherWorker(
  dealkeep: TestDealkeep,
  { timing, concurrency = 50, core, databaseUrl = dealkeep.databaseUrl }: AnotherWorkerOptions = {},
) {
  const worker = await startWorker({
    core: createCore({ ...dealkeep.core, ...core }),
    databaseUrl,
    concurrency,
    timing: { ...promptTiming, ...timing },
  });
  let stopped: Promise<void> | undefined;
  const stop = (limitMs = 1000): Promise<void> => (stopped ??= worker.stop(limitMs));
  onTestFinished(() => stop());
  return { stop };
}
