import { eventually } from '@dealkeep/testing';
import { expect, test } from 'vitest';
import { failedJobs } from '../../src/change/queue/job-counts.ts';
import { withoutWorker } from './without-worker.ts';

test('a worker that was killed leaves no failed job behind: one that was replaced meanwhile is removed, one that an operator failed stays (rule deliveries 40)', async () => {
  const { sql, core, work, createLead, receiver } = await withoutWorker();
  // As graphile-worker has it when a process is killed in the middle of the job.
  await sql`
    update graphile_worker._private_jobs set locked_by = 'the dead', locked_at = now(), attempts = 1
    where key like 'deliver/%'`;
  await createLead();
  await eventually(async () => {
    const replaced = await sql`
      select from graphile_worker._private_jobs where locked_by = 'the dead' and key is null and attempts = max_attempts`;
    expect(replaced).toHaveLength(1);
  });
  await sql`select graphile_worker.add_job('deliver', run_at => now() + interval '1 day', job_key => 'deliver/by hand')`;
  await sql`
    select graphile_worker.permanently_fail_jobs(array(
      select id from graphile_worker.jobs where key = 'deliver/by hand'), 'by hand')`;
  await work();
  await receiver.received(4);
  await eventually(async () => {
    const jobs = await sql`select last_error from graphile_worker.jobs where task_identifier = 'deliver'`;
    expect(jobs).toEqual([{ last_error: 'by hand' }]);
  });
  expect(await failedJobs(core.sql)).toEqual([{ task: 'deliver', count: 1, error: 'by hand' }]);
});
