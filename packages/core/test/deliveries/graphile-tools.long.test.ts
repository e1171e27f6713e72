import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { countDeliveryJobs } from '../../src/change/queue/job-counts.ts';
import { withoutWorker } from './without-worker.ts';

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
