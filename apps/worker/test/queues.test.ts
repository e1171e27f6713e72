import { eventually, startDealkeep } from '@dealkeep/testing';
import { expect, test } from 'vitest';
import { JobRunner } from '../src/job-runner.ts';

const { core, sql } = await startDealkeep({ worker: false });

test('jobs of one queue follow each other without waiting to be polled for', async () => {
  const done: number[] = [];
  let atOnce = 0;
  const runner = new JobRunner({
    log: core.log,
    what: 'Jobs of a test',
    databaseUrl: core.databaseUrl,
    connections: 3,
    slots: 2,
    pollMs: 24 * 60 * 60 * 1000,
    taskList: {
      note: async (payload) => {
        atOnce += 1;
        expect(atOnce).toBe(1);
        done.push(Object(payload).number);
        atOnce -= 1;
      },
    },
  });
  await runner.start();
  await sql`
    select graphile_worker.add_job('note', json_build_object('number', number), queue_name => 'notes')
    from generate_series(1, 20) number`;
  await eventually(async () => expect(done).toHaveLength(20));
  await runner.stop();
  expect(done.toSorted((one, other) => one - other)).toEqual(Array.from({ length: 20 }, (_, at) => at + 1));
});
