import { eventually, startDealkeep, startHookReceiver } from '@dealkeep/testing';
import { expect, test } from 'vitest';
import { startAnotherWorker } from './another-worker.ts';
import { subscribe } from './subscriber.ts';
import { startWatchedWorker, sweepSlowly } from './watched-worker.ts';

test('two workers share what waits, each delivery sent once', async () => {
  const dealkeep = await startDealkeep();
  await startAnotherWorker(dealkeep);
  const receivers = await Promise.all(Array.from({ length: 6 }, () => startHookReceiver()));
  const [first] = receivers;
  if (!first) throw new Error('No receiver');
  const { organization, createLead } = await subscribe(dealkeep, first.url);
  for (const { url } of receivers.slice(1)) await subscribe(dealkeep, url, { organization });
  await Promise.all(Array.from({ length: 40 }, () => createLead()));
  await Promise.all(receivers.map((receiver) => receiver.received(40)));
  await eventually(async () => expect(await dealkeep.sql`select from deliveries`).toHaveLength(0));
  const attempts =
    await dealkeep.sql`select webhook_id, event_id from attempts group by 1, 2 having count(*) > 1`;
  expect(attempts).toHaveLength(0);
  for (const { requests } of receivers) {
    expect(new Set(requests.map(({ envelope }) => envelope.id)).size).toBe(40);
    expect(requests).toHaveLength(40);
  }
});

test('what a worker that is no more held is taken over by the second sweep', async () => {
  const dealkeep = await startDealkeep({ worker: false });
  const { sweepsUntilLease } = await startWatchedWorker(dealkeep, sweepSlowly);
  const receiver = await startHookReceiver();
  const { createLead, pending, hookId } = await subscribe(dealkeep, receiver.url);
  receiver.answerWith(500);
  await createLead();
  await eventually(async () => expect(await pending()).toMatchObject([{ attempts: 1, worker_id: null }]));
  receiver.answerWith(200);
  await dealkeep.sql`insert into workers values (999999, clock_timestamp())`;
  await dealkeep.sql`
    update deliveries set worker_id = 999999, due_at = now() where webhook_id = ${hookId}`;
  expect(await sweepsUntilLease(() => receiver.received(2))).toBeLessThanOrEqual(2);
});

test('the leases of a worker that hangs end by themselves', async () => {
  const dealkeep = await startDealkeep();
  const receiver = await startHookReceiver();
  const { createLead, pending, hookId } = await subscribe(dealkeep, receiver.url);
  receiver.answerWith(500);
  await createLead();
  await eventually(async () => expect(await pending()).toMatchObject([{ attempts: 1, worker_id: null }]));
  receiver.answerWith(200);
  // It still shows that it lives.
  await dealkeep.sql.begin(async (hung) => {
    await hung`select pg_advisory_xact_lock(4711, 888888)`;
    await dealkeep.sql`insert into workers values (888888, clock_timestamp() - interval '31 seconds')`;
    await dealkeep.sql`
      update deliveries set worker_id = 888888, due_at = now() where webhook_id = ${hookId}`;
    await receiver.received(2);
  });
});

test('a worker that others took for lost by mistake shows itself again and goes on', async () => {
  const dealkeep = await startDealkeep();
  const receiver = await startHookReceiver();
  const { createLead, pending } = await subscribe(dealkeep, receiver.url);
  await dealkeep.sql`delete from workers`;
  await createLead();
  await receiver.received(1);
  await eventually(async () => expect(await pending()).toEqual([]));
});

test('a claim whose answer was lost with its connection is made again within seconds', async () => {
  const dealkeep = await startDealkeep({ worker: false });
  const { sweepsUntilLease } = await startWatchedWorker(dealkeep, sweepSlowly);
  const receiver = await startHookReceiver();
  const { createLead, pending, hookId } = await subscribe(dealkeep, receiver.url);
  receiver.answerWith(500);
  await createLead();
  await eventually(async () => expect(await pending()).toMatchObject([{ attempts: 1, worker_id: null }]));
  receiver.answerWith(200);
  const { sql } = dealkeep;
  await sql.begin(async (tx) => {
    await tx`lock table workers in access exclusive mode`;
    await eventually(async () =>
      expect(
        await sql`
          select from pg_stat_activity
          where application_name = 'dealkeep claims' and datname = current_database() and wait_event_type = 'Lock'`,
      ).toHaveLength(1),
    );
    // As it is when the claim was committed: leased by the living worker, which does not know it.
    await sql`
      update deliveries d set due_at = now(), worker_id = l.objid::bigint
      from pg_locks l join pg_database b on b.oid = l.database
      where d.webhook_id = ${hookId} and l.locktype = 'advisory' and l.classid = 4711
        and b.datname = current_database()`;
    await sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where application_name = 'dealkeep claims' and datname = current_database()`;
  });
  expect(await sweepsUntilLease(() => receiver.received(2))).toBeLessThanOrEqual(4);
});

test('a stop that finds its connections closed ends all the same', async () => {
  const dealkeep = await startDealkeep({ worker: false });
  const worker = await startAnotherWorker(dealkeep);
  await dealkeep.sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where application_name in ('dealkeep claims', 'dealkeep results', 'dealkeep worker presence')
      and datname = current_database()`;
  await worker.stop(100);
});
