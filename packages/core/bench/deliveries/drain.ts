import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { type RunningProgram, startProgram } from '../../test/deliveries/running-program.ts';
import { addDeliveries, addWebhooks } from './fill-queue.ts';
import { type BenchTarget, connectBench, makeOrganization } from './organization.ts';
import { type BenchReceiver, startBenchReceiver } from './receiver.ts';

const webhooks = 100;

/** 100 webhooks with one receiver, and what it takes to drain a backlog of theirs. */
export interface Drain {
  receiver: BenchReceiver;
  /** Makes so many deliveries due, all at one moment. */
  fill(deliveries: number): Promise<void>;
  startWorker(): Promise<RunningProgram>;
}

/** Nothing of the backlog is left for the next measurement. */
export async function withBacklog<Result>(
  target: BenchTarget,
  { answerMs = 0 }: { answerMs?: number },
  measure: (drain: Drain) => Promise<Result>,
): Promise<Result> {
  const sql = connectBench(target);
  const receiver = await startBenchReceiver(answerMs);
  try {
    const organization = await makeOrganization(sql);
    await addWebhooks(sql, target, organization, { url: receiver.url, webhooks });
    return await measure({
      receiver,
      fill: (deliveries) => addDeliveries(sql, organization, deliveries / webhooks),
      startWorker: () => startProgram({ ...target, roles: 'worker', variables: { LOG_LEVEL: 'warn' } }),
    });
  } finally {
    receiver.stop();
    await sql`truncate deliveries`;
    await sql.end();
  }
}

/** What came in each second, once workers have warmed up. */
export async function ratesFor(
  receiver: BenchReceiver,
  { warmUp, seconds }: { warmUp: number; seconds: number },
): Promise<number[]> {
  await receiver.reset();
  await receiver.received(1);
  await sleep(warmUp * 1000);
  await receiver.reset();
  await sleep(seconds * 1000);
  // The last second is not over.
  return (await receiver.received(0)).perSecond.slice(0, -1);
}

/** The resident memory of a process at its highest so far, in MB; Linux knows it. */
export async function mostMemory({ pid }: RunningProgram): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Math.round(Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) / 1024);
}
