import { createCore } from '@dealkeep/core';
import type { DeliveryTiming } from '@dealkeep/core/delivering';
import { eventually, startDealkeep, startHookReceiver, type TestDealkeep } from '@dealkeep/testing';
import { startWorker } from '@dealkeep/worker';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { queueLookedAtEveryMs } from '../../src/foundations/operating-limits.ts';
import { subscribe } from './subscriber.ts';
import { startWatchedWorker, sweepSlowly, tooLongToWait } from './watched-worker.ts';

/** The jobs of deliveries that no worker has in its hands. */
const jobsOf = ({ sql }: TestDealkeep) => sql<{ key: string; flags: Record<string, true> }[]>`
  select key, flags from graphile_worker.jobs
  where task_identifier = 'deliver' and locked_at is null order by key`;

async function startAWorker(dealkeep: TestDealkeep, timing: Partial<DeliveryTiming> = {}) {
  const { databaseUrl } = dealkeep;
  const worker = await startWorker({
    core: createCore(dealkeep.core),
    databaseUrl,
    concurrency: 50,
    timing,
  });
  onTestFinished(() => worker.stop(1000));
  return worker;
}

test('with the worker stopped a change shows its job, once for many changes; a worker that starts delivers', async () => {
  const dealkeep = await startDealkeep({ worker: false });
  const receiver = await startHookReceiver();
  const { hookId, organization, createLead } = await subscribe(dealkeep, receiver.url);
  await createLead();
  await eventually(async () => expect(await jobsOf(dealkeep)).toHaveLength(1));
  await Promise.all(Array.from({ length: 20 }, () => createLead()));
  const { host } = new URL(receiver.url);
  await eventually(async () =>
    expect(await jobsOf(dealkeep)).toMatchObject([
      {
        key: `deliver/${hookId}`,
        flags: {
          deliver: true,
          [`webhook:${hookId}`]: true,
          [`organization:${organization.id}`]: true,
          [`host:${host}`]: true,
        },
      },
    ]),
  );
  await startAWorker(dealkeep, { sweepEveryMs: tooLongToWait });
  await receiver.received(21);
  await eventually(async () => expect(await jobsOf(dealkeep)).toEqual([]));
});

test('the worker of the same process sends at once, without a sweep', async () => {
  const dealkeep = await startDealkeep({ timing: { sweepEveryMs: tooLongToWait } });
  const receiver = await startHookReceiver();
  const { createLead } = await subscribe(dealkeep, receiver.url);
  for (let made = 1; made <= 10; made += 1) {
    await createLead();
    await receiver.received(made);
  }
});

test('a worker of another process gets its jobs after the commit, few for many changes', async () => {
  const dealkeep = await startDealkeep({ worker: false });
  const receiver = await startHookReceiver();
  const { createLead } = await subscribe(dealkeep, receiver.url);
  await startAWorker(dealkeep, { sweepEveryMs: tooLongToWait });
  let told = 0;
  const listener = new pg.Client(dealkeep.databaseUrl);
  listener.on('notification', () => {
    told += 1;
  });
  await listener.connect();
  await listener.query('listen "jobs:insert"');
  await createLead();
  await receiver.received(1);
  await Promise.all(Array.from({ length: 60 }, () => createLead()));
  await receiver.received(61);
  expect(told).toBeLessThan(50);
  await listener.end();
});

test('without any job, as when a process dies right after a commit or add_job added none, the second sweep finds it, within two seconds', async () => {
  const dealkeep = await startDealkeep({ worker: false });
  expect(2 * queueLookedAtEveryMs).toBeLessThanOrEqual(2000);
  const { sweepsUntilLease } = await startWatchedWorker(dealkeep, sweepSlowly);
  const receiver = await startHookReceiver();
  const { hookId, organization, createLead } = await subscribe(dealkeep, receiver.url);
  await createLead();
  const [first] = await receiver.received(1);
  await dealkeep.sql`
    insert into deliveries (id, organization_id, webhook_id, event_id, due_at, created_at)
    values (gen_random_uuid(), ${organization.id}, ${hookId}, ${first?.envelope.id ?? ''}, now(), now())`;
  expect(await sweepsUntilLease(() => receiver.received(2))).toBeLessThanOrEqual(2);
});

test('the job of a hook that does well goes before those of failing ones that are a little older, and not for ever', async () => {
  const dealkeep = await startDealkeep({ worker: false });
  const { sql, core } = dealkeep;
  const receiver = await startHookReceiver();
  const healthy = await subscribe(dealkeep, receiver.url);
  const [failing, longFailing] = [
    await subscribe(dealkeep, receiver.url),
    await subscribe(dealkeep, receiver.url),
  ];
  await sql`update webhooks set failing_since = now() where id in (${failing.hookId}, ${longFailing.hookId})`;
  await sql`update webhooks set last_success_at = now() where id = ${healthy.hookId}`;
  const keyOf = ({ hookId }: { hookId: string }) => `deliver/${hookId}`;
  /** As graphile-worker takes them. */
  const inOrder = async () =>
    (
      await sql<{ key: string }[]>`
        select key from graphile_worker._private_jobs where key like 'deliver/%' order by priority, run_at`
    ).map(({ key }) => key);
  const added = async (count: number) =>
    await eventually(async () => expect(await inOrder()).toHaveLength(count));
  core.deliveryJobs.add(longFailing.organization.id, [longFailing.hookId]);
  await added(1);
  await sql`update graphile_worker._private_jobs set run_at = run_at - interval '1 minute'`;
  core.deliveryJobs.add(failing.organization.id, [failing.hookId]);
  await added(2);
  core.deliveryJobs.add(healthy.organization.id, [healthy.hookId]);
  await added(3);
  expect(await inOrder()).toEqual([longFailing, healthy, failing].map(keyOf));
});

test('a job in the hands of a worker that is no more is given back: the next worker delivers', async () => {
  const dealkeep = await startDealkeep({ worker: false });
  const receiver = await startHookReceiver();
  const { createLead } = await subscribe(dealkeep, receiver.url);
  await createLead();
  await eventually(async () => expect(await jobsOf(dealkeep)).toHaveLength(1));
  // As graphile-worker leaves it when its process dies.
  await dealkeep.sql`update graphile_worker._private_jobs set locked_at = now(), locked_by = 'pool-of-the-dead'`;
  await startAWorker(dealkeep);
  await receiver.received(1);
  await eventually(async () =>
    expect(await dealkeep.sql`select from graphile_worker.jobs where task_identifier = 'deliver'`).toEqual(
      [],
    ),
  );
});

test('a job in the name of a worker that has ended it, as a standby that took over may have it, is given back', async () => {
  const dealkeep = await startDealkeep({ worker: false });
  const { sql } = dealkeep;
  const receiver = await startHookReceiver();
  const { hookId, organization, createLead } = await subscribe(dealkeep, receiver.url);
  await startAWorker(dealkeep);
  await createLead();
  const [first] = await receiver.received(1);
  const deliverJobs = () => sql`select from graphile_worker.jobs where task_identifier = 'deliver'`;
  await eventually(async () => expect(await deliverJobs()).toEqual([]));
  await sql.begin(async (tx) => {
    await tx`
      select graphile_worker.add_job('deliver',
        json_build_object('organization_id', ${organization.id}::text, 'webhook_id', ${hookId}::text),
        job_key := ${`deliver/${hookId}`})`;
    await tx`
      update graphile_worker._private_jobs set locked_at = now(), attempts = 1,
        locked_by = (select job_pool from workers) where key = ${`deliver/${hookId}`}`;
    await tx`
      insert into deliveries (id, organization_id, webhook_id, event_id, due_at, created_at)
      values (gen_random_uuid(), ${organization.id}, ${hookId}, ${first?.envelope.id ?? ''}, now(), now())`;
  });
  await sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where application_name = 'dealkeep jobs' and datname = current_database() and query ilike 'listen%'`;
  await receiver.received(2);
  await eventually(async () => expect(await deliverJobs()).toEqual([]));
});

test('jobs that are being ended and added at the same moment never wait for each other, whatever comes first', async () => {
  const dealkeep = await startDealkeep({ worker: false });
  const { sql, core } = dealkeep;
  const receiver = await startHookReceiver();
  const one = await subscribe(dealkeep, receiver.url);
  const other = await subscribe(dealkeep, receiver.url);
  const keyOf = ({ hookId }: { hookId: string }) => `deliver/${hookId}`;
  const waiting = async () => (await jobsOf(dealkeep)).map(({ key }) => key).toSorted();
  for (const [first, second] of [
    [one, other],
    [other, one],
  ] as const) {
    const both = [first, second].map(keyOf).toSorted();
    for (const { organization, hookId } of [first, second]) core.deliveryJobs.add(organization.id, [hookId]);
    await eventually(async () => expect(await waiting()).toEqual(both));
    await sql`update graphile_worker._private_jobs set locked_at = now(), locked_by = 'pool', attempts = 1`;
    await sql.begin(async (tx) => {
      // As graphile-worker ends a batch of jobs: it has come to the one, and to the other only when new ones are
      // wanted.
      await tx`delete from graphile_worker._private_jobs where key = ${keyOf(first)}`;
      for (const { organization, hookId } of [first, second])
        core.deliveryJobs.add(organization.id, [hookId]);
      await eventually(async () => expect(await waiting()).toEqual([keyOf(second)]));
      await tx`delete from graphile_worker._private_jobs where locked_by = 'pool'`;
    });
    await eventually(async () => expect(await waiting()).toEqual(both));
    await sql`delete from graphile_worker._private_jobs`;
  }
});

test('a retry that is near has a job at its moment; a new event does not wait for that', async () => {
  const dealkeep = await startDealkeep({ timing: { sweepEveryMs: tooLongToWait } });
  const receiver = await startHookReceiver();
  const { createLead } = await subscribe(dealkeep, receiver.url);
  receiver.answerWith(500);
  await createLead();
  await eventually(async () =>
    expect(
      await dealkeep.sql`
        select abs(extract(epoch from j.run_at - d.due_at)) < 1 as is_at_its_moment
        from graphile_worker.jobs j cross join deliveries d
        where j.task_identifier = 'deliver' and j.locked_at is null and d.attempts = 1 and d.worker_id is null`,
    ).toEqual([{ is_at_its_moment: true }]),
  );
  receiver.answerWith(200);
  await createLead();
  await receiver.received(2);
});

test('a retry that no other event comes before is made by its job, without a sweep', async () => {
  const dealkeep = await startDealkeep({ timing: { sweepEveryMs: tooLongToWait } });
  const receiver = await startHookReceiver();
  const { createLead } = await subscribe(dealkeep, receiver.url);
  receiver.answerWith(() => (receiver.requests.length === 1 ? 500 : 200));
  await createLead();
  await receiver.received(2);
  const [first, second] = receiver.requests;
  expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThan(4900);
});
