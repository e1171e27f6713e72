import { connectQueue } from '@dealkeep/core/foundations';
import { eventually, startDealkeep, startHookReceiver } from '@dealkeep/testing';
import { expect, onTestFinished, test } from 'vitest';
import { webhooksWithoutJob } from '../../src/change/queue/delivery-jobs.ts';
import { subscribe } from './subscriber.ts';

test('however many webhooks have something due and can be sent nothing, the sweep comes to those behind them', async () => {
  const dealkeep = await startDealkeep({ log: { debug() {}, info() {}, warn() {}, error() {} } });
  const { sql } = dealkeep;
  const receiver = await startHookReceiver();
  const { organization, hookId, createLead } = await subscribe(dealkeep, receiver.url);
  await createLead();
  await receiver.received(1);
  // Nobody can read their secrets, so that they rest; their ids come before that of the other.
  const resting = 600;
  await sql`
    insert into webhooks (organization_id, id, name, target_url, events, secret, created_at)
    select ${organization.id}, ('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid, 'Test', ${receiver.url},
           '{lead.deleted}', '\\x00', now()
    from generate_series(1, ${resting}::integer) n`;
  const addDue = (webhooks: 'resting' | 'other', each: number) => sql`
    insert into deliveries (id, organization_id, webhook_id, event_id, due_at, created_at)
    select gen_random_uuid(), w.organization_id, w.id, e.id, now(), now()
    from webhooks w join events e on e.organization_id = w.organization_id cross join generate_series(1, ${each}::integer)
    where (w.id = ${hookId}) = ${webhooks === 'other'}`;
  await addDue('resting', 5);
  await eventually(async () =>
    expect(
      await sql`select distinct webhook_id from deliveries where due_at > created_at + interval '10 seconds'`,
    ).toHaveLength(resting),
  );
  // Nothing is leased and left lying.
  await eventually(async () =>
    expect(await sql`select from deliveries where worker_id is not null`).toEqual([]),
  );
  await addDue('other', 1);
  await receiver.received(2);
});

test('however many jobs wait, and whatever the planner believes of them, the sweep looks each one up by its key', async () => {
  const dealkeep = await startDealkeep({ worker: false });
  const { sql, databaseUrl } = dealkeep;
  const receiver = await startHookReceiver();
  const { organization, createLead } = await subscribe(dealkeep, receiver.url);
  await createLead();
  await eventually(async () =>
    expect(await sql`select from graphile_worker.jobs where task_identifier = 'deliver'`).toHaveLength(1),
  );
  const [event] = await sql<{ id: string }[]>`
    select id from events where organization_id = ${organization.id}`;
  const webhooks = 300;
  await sql`
    with webhook as (
      insert into webhooks (organization_id, id, name, target_url, events, secret, created_at)
      select ${organization.id}, gen_random_uuid(), 'Test', ${receiver.url}, '{lead.deleted}', '\\x00', now()
      from generate_series(1, ${webhooks}::integer) returning organization_id, id)
    insert into deliveries (id, organization_id, webhook_id, event_id, due_at, created_at)
    select gen_random_uuid(), organization_id, id, ${event?.id ?? ''}, now(), now() from webhook`;
  await sql`analyze`;
  // As an idle queue is known, when thousands of jobs come at once.
  await sql`delete from graphile_worker._private_jobs`;
  await sql`vacuum analyze graphile_worker._private_jobs`;
  const queue = connectQueue(databaseUrl);
  onTestFinished(async () => {
    await Promise.all(Object.values(queue).map((connections) => connections.end()));
  });
  const now = new Date().toISOString();
  expect((await webhooksWithoutJob(queue.claims, now)).found).toHaveLength(webhooks + 1);
  await sql`
    select graphile_worker.add_jobs(array_agg(
      ('deliver', '{}', null, now(), null, 'deliver/' || d.webhook_id, null, null)::graphile_worker.job_spec))
    from deliveries d`;
  const jobsRead = await queue.claims.begin(async (tx) => {
    expect((await webhooksWithoutJob(tx, now)).found).toEqual([]);
    const [read] = await tx<{ rows: number }[]>`
      select (idx_tup_fetch + seq_tup_read)::integer as rows from pg_stat_xact_all_tables
      where schemaname = 'graphile_worker' and relname = '_private_jobs'`;
    return read?.rows;
  });
  expect(jobsRead).toBeLessThan(webhooks * 3);
});
