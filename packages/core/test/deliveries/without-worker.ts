import { eventually, startDealkeep, startHookReceiver } from '@dealkeep/testing';
import { expect } from 'vitest';
import { startAnotherWorker } from './another-worker.ts';
import { subscribe } from './subscriber.ts';

/** What waits for a hook while no worker runs, and a worker that may be started. */
export async function withoutWorker() {
  const dealkeep = await startDealkeep({ worker: false });
  const receiver = await startHookReceiver();
  const subscriber = await subscribe(dealkeep, receiver.url);
  const { sql } = dealkeep;
  const jobs = () => sql<{ key: string; revision: number; flags: Record<string, true> }[]>`
    select key, revision, flags from graphile_worker.jobs where task_identifier = 'deliver' and key is not null`;
  // Each is waited for, so that none is added to what a test does with the job.
  for (let made = 0; made < 3; made += 1) {
    await subscriber.createLead();
    await eventually(async () => expect(await jobs()).toMatchObject([{ revision: made }]));
  }
  const work = () => startAnotherWorker(dealkeep);
  /** All three arrive, once each, and no job is left. */
  const allArrive = async () => {
    await receiver.received(3);
    await eventually(async () => expect(await jobs()).toEqual([]));
    expect(new Set(receiver.requests.map(({ headers }) => headers['webhook-id'])).size).toBe(3);
    expect(receiver.requests).toHaveLength(3);
  };
  return { ...dealkeep, ...subscriber, receiver, jobs, work, allArrive };
}
