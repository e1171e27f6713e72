import { expect, test } from 'vitest';
import { withoutWorker } from './without-worker.ts';

test('complete_jobs on jobs of deliveries loses nothing: the sweep adds them again; each says whose it is by its flags (rule operator 35)', async () => {
  const { sql, jobs, work, allArrive, pending, hookId, organization, receiver } = await withoutWorker();
  const names = [
    'deliver',
    `webhook:${hookId}`,
    `organization:${organization.id}`,
    `host:${new URL(receiver.url).host}`,
  ];
  expect((await jobs()).map(({ flags }) => flags)).toEqual([
    Object.fromEntries(names.map((name) => [name, true])),
  ]);
  await sql`select from graphile_worker.complete_jobs(array(select id from graphile_worker.jobs where task_identifier = 'deliver'))`;
  expect(await jobs()).toEqual([]);
  expect(await pending()).toHaveLength(3);
  await work();
  await allArrive();
});
