import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { eventually, startDealkeep, startHookReceiver } from '@dealkeep/testing';
import { expect, test } from 'vitest';
import { countDeliveryJobs } from '../../src/installation/job-counts.ts';
import { startAnotherWorker } from './another-worker.ts';
import { subscribe } from './subscriber.ts';

/** What waits for a hook while no worker runs, and a worker that may be started. */
async function withoutWorker() {
  const dealkeep = await startDealkeep({ worker: false });
  const receiver = await startHookReceiver();
  const subscriber = await subscribe(dealkeep, receiver.url);
  const { sql } = dealkeep;
  const jobs = () => sql<{ key: string; revision: number }[]>`
    select key, revision from graphile_worker.jobs where task_identifier = 'deliver' and key is not null`;
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

test('complete_jobs on jobs of deliveries loses nothing: the sweep adds them again', async () => {
  const { sql, jobs, work, allArrive, pending } = await withoutWorker();
  await sql`select from graphile_worker.complete_jobs(array(select id from graphile_worker.jobs where task_identifier = 'deliver'))`;
  expect(await jobs()).toEqual([]);
  expect(await pending()).toHaveLength(3);
  await work();
  await allArrive();
});

test('permanently_fail_jobs on jobs of deliveries loses nothing: the sweep adds them again', async () => {
  const { sql, work, allArrive } = await withoutWorker();
  await sql`select from graphile_worker.permanently_fail_jobs(array(select id from graphile_worker.jobs where task_identifier = 'deliver'), 'By hand')`;
  expect(await countDeliveryJobs(sql)).toMatchObject({ waiting: 0, failed: 1 });
  await work();
  await allArrive();
});

test('reschedule_jobs puts a turn off; what is due goes on as soon as something needs a job earlier', async () => {
  const { sql, work, allArrive } = await withoutWorker();
  await sql`select from graphile_worker.reschedule_jobs(array(select id from graphile_worker.jobs where task_identifier = 'deliver'), run_at => now() + interval '1 hour')`;
  expect(await countDeliveryJobs(sql)).toMatchObject({ waiting: 0, later: 1 });
  await work();
  await allArrive();
});

test('force_unlock_workers gives the jobs of a pool back at once; no delivery is sent twice for it', async () => {
  const { sql, jobs, work, allArrive } = await withoutWorker();
  await sql`update graphile_worker._private_jobs set locked_at = now(), locked_by = 'pool-of-the-dead'`;
  expect(await countDeliveryJobs(sql)).toMatchObject({ waiting: 0, lost: 1 });
  await sql`select from graphile_worker.force_unlock_workers(array['pool-of-the-dead'])`;
  expect(await countDeliveryJobs(sql)).toMatchObject({ waiting: 1, lost: 0 });
  await work();
  await allArrive();
  expect(await jobs()).toEqual([]);
});

test('every statement of docs/queue.md runs', async () => {
  const { sql, hookId } = await withoutWorker();
  const page = await readFile(join(import.meta.dirname, '../../../../docs/queue.md'), 'utf8');
  const statements = [...page.matchAll(/```sql\n([\s\S]*?)```/g)].flatMap(([, block = '']) =>
    block.split(/;\s*\n/).filter((each) => each.trim() !== ''),
  );
  expect(statements.length).toBeGreaterThan(6);
  for (const statement of statements) {
    const rows = await sql.unsafe(statement.replaceAll('019a0000-0000-7000-8000-000000000000', hookId));
    expect(rows.length, statement).toBeGreaterThanOrEqual(0);
  }
});
