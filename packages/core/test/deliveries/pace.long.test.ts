import { createCore, getWebhookWithHealth, listWebhooksWithHealth } from '@dealkeep/core';
import {
  createManualWebhook,
  enableWebhook,
  eventually,
  type HookReceiver,
  ManualClock,
  startDealkeep,
  startHookReceiver,
  type TestOrganization,
  updateManualWebhook,
} from '@dealkeep/testing';
import { startWorker } from '@dealkeep/worker';
import { expect, onTestFinished, test } from 'vitest';
import { queueStanding } from '../../src/installation/queue.ts';
import { listQueue, queueStatus } from '../../src/installation/queue-status.ts';
import { subscribe } from './subscriber.ts';

const clock = new ManualClock();
const timing = { sweepEveryMs: 10 };
const dealkeep = await startDealkeep({ clock, timing, worker: false });
const { core, sql, databaseUrl } = dealkeep;

async function worker() {
  const started = await startWorker({ core: createCore(core), databaseUrl, concurrency: 50, timing });
  onTestFinished(() => started.stop(1000));
  return started;
}

interface Paced {
  id: string;
  organization: TestOrganization;
  receiver: HookReceiver;
}

async function pacedWebhook(
  max_per_minute: number | null,
  { core, createOrganization } = dealkeep,
): Promise<Paced> {
  const receiver = await startHookReceiver();
  const organization = await createOrganization();
  const input = { name: 'Slow', target_url: receiver.url, events: ['lead.created'], max_per_minute };
  const { id } = await createManualWebhook(core, organization, input);
  return { id, organization, receiver };
}

/** So many deliveries that are due now, one after the other. */
const addDue = ({ id, organization }: Paced, count: number) => sql`
  with made as (
    insert into events (organization_id, id, type, record_id, occurred_at, envelope)
    select ${organization.id}, 'evt_' || replace(gen_random_uuid()::text, '-', ''), 'lead.created', gen_random_uuid(),
           ${clock.now().toISOString()}, json_build_object('n', n)
    from generate_series(1, ${count}::integer) n returning organization_id, id, occurred_at, envelope)
  insert into deliveries (id, organization_id, webhook_id, event_id, due_at, created_at)
  select gen_random_uuid(), organization_id, ${id}, id,
         occurred_at - interval '1 hour' + (envelope::json ->> 'n')::integer * interval '1 millisecond', occurred_at
  from made`;

/** At this moment nothing more may begin, and nothing is on its way. */
const settled = ({ id }: Paced) =>
  eventually(async () => {
    const [row] = await sql<{ is_empty: boolean; leased: number }[]>`
      select paced_until > ${clock.now().toISOString()} as is_empty,
             (select count(*)::integer from deliveries where webhook_id = ${id} and worker_id is not null) as leased
      from webhooks where id = ${id}`;
    expect(row).toEqual({ is_empty: true, leased: 0 });
  });

const begunAt = async ({ id }: Paced, count: number): Promise<number[]> =>
  eventually(async () => {
    const rows = await sql<{ at: string }[]>`
      select started_at as at from attempts where webhook_id = ${id} order by started_at`;
    expect(rows).toHaveLength(count);
    return rows.map(({ at }) => Date.parse(at));
  });

test.each([
  { max: 1, seconds: 200, least: 4 },
  { max: 7, seconds: 130, least: 10 },
  { max: 90, seconds: 66, least: 93 },
  { max: 600, seconds: 62, least: 560 },
])(
  'over any 60 seconds never more than max_per_minute attempts begin, retries and two workers included, and nearly as many: $max',
  async ({ max, seconds, least }) => {
    const paced = await pacedWebhook(max);
    await addDue(paced, max * 5);
    paced.receiver.answerWith(({ headers }) => (headers['webhook-id']?.endsWith('0') ? 500 : 200));
    await worker();
    await worker();
    const end = clock.now().getTime() + seconds * 1000;
    let step = 0;
    while (clock.now().getTime() < end) {
      await settled(paced);
      step += 1;
      clock.advance(max < 60 ? 2000 + (step % 4) * 500 : 300 + (step % 5) * 150);
    }
    await settled(paced);
    const begun = await begunAt(paced, paced.receiver.requests.length);
    for (const at of begun) {
      expect(begun.filter((each) => each >= at && each < at + 60_000).length).toBeLessThanOrEqual(max);
    }
    expect(begun.length).toBeGreaterThanOrEqual(least);
  },
);

test('what waits for the pace is no attempt and no failure, keeps its order, and holds up no other webhook', async () => {
  await worker();
  const paced = await pacedWebhook(1);
  await addDue(paced, 3);
  await settled(paced);
  const other = await subscribe(dealkeep, (await startHookReceiver()).url);
  for (const _ of [1, 2, 3]) await other.createLead();
  await other.logged(3);
  expect(paced.receiver.requests).toHaveLength(1);
  expect(await sql`select attempts, worker_id from deliveries where webhook_id = ${paced.id}`).toEqual([
    { attempts: 0, worker_id: null },
    { attempts: 0, worker_id: null },
  ]);
  expect(await getWebhookWithHealth(core, paced.organization, paced.id)).toMatchObject({
    state: 'active',
    failing_since: null,
    paced_deliveries: 2,
  });
  for (const count of [2, 3]) {
    clock.advance(61_000);
    await paced.receiver.received(count);
    await settled(paced);
  }
  expect(paced.receiver.requests.map(({ envelope }) => Reflect.get(envelope, 'n'))).toEqual([1, 2, 3]);
  expect(paced.receiver.requests.map(({ headers }) => headers['x-service-attempt'])).toEqual(['1', '1', '1']);
});

test('the pace survives a restart of every worker', async () => {
  const paced = await pacedWebhook(1);
  await addDue(paced, 2);
  const first = await worker();
  await settled(paced);
  await first.stop(1000);
  clock.advance(59_000);
  await worker();
  const other = await subscribe(dealkeep, (await startHookReceiver()).url);
  await other.createLead();
  await other.logged(1);
  expect(paced.receiver.requests).toHaveLength(1);
  clock.advance(2000);
  await paced.receiver.received(2);
});

test('another figure counts at once: a greater one, a smaller one and none', async () => {
  await worker();
  const paced = await pacedWebhook(1);
  await addDue(paced, 300);
  await settled(paced);
  const change = (max_per_minute: number | null) =>
    updateManualWebhook(core, paced.organization, { id: paced.id, max_per_minute });
  await change(600);
  clock.advance(110);
  await settled(paced);
  expect(paced.receiver.requests).toHaveLength(2);
  clock.advance(1100);
  await settled(paced);
  expect(paced.receiver.requests).toHaveLength(12);
  await change(2);
  clock.advance(29_000);
  await settled(paced);
  expect(paced.receiver.requests).toHaveLength(13);
  clock.advance(29_000);
  await settled(paced);
  expect(paced.receiver.requests).toHaveLength(13);
  expect(await change(null)).toMatchObject({ max_per_minute: null, paced_deliveries: 0 });
  await paced.receiver.received(300);
});

test('a change of something else leaves the pace as it is', async () => {
  await worker();
  const paced = await pacedWebhook(1);
  await addDue(paced, 2);
  await settled(paced);
  await updateManualWebhook(core, paced.organization, { id: paced.id, name: 'Renamed' });
  clock.advance(59_000);
  await settled(paced);
  expect(paced.receiver.requests).toHaveLength(1);
});

test('a bucket that was full for long gives a second of it at once, and no more', async () => {
  await worker();
  const paced = await pacedWebhook(300);
  clock.advance(3_600_000);
  await addDue(paced, 100);
  await settled(paced);
  expect(paced.receiver.requests).toHaveLength(5);
});

test('a clock that is set back by an hour does not stop a paced webhook', async () => {
  await worker();
  const paced = await pacedWebhook(1);
  await addDue(paced, 2);
  await settled(paced);
  clock.advance(-3_600_000);
  await eventually(async () => {
    const [row] = await sql<{ wait: number }[]>`
      select extract(epoch from paced_until - ${clock.now().toISOString()})::float as wait from webhooks where id = ${paced.id}`;
    expect(row).toEqual({ wait: 61 });
  });
  // What is due is due by the time of before, too.
  await sql`update deliveries set due_at = due_at - interval '1 hour' where webhook_id = ${paced.id}`;
  clock.advance(61_000);
  await paced.receiver.received(2);
  clock.advance(3_600_000);
});

test('while somebody has the row of a paced webhook locked, others go on; it goes on afterwards', async () => {
  await worker();
  const paced = await pacedWebhook(60);
  const other = await subscribe(dealkeep, (await startHookReceiver()).url);
  await sql.begin(async (tx) => {
    await tx`select from webhooks where id = ${paced.id} for no key update`;
    await addDue(paced, 1);
    await other.createLead();
    await other.logged(1);
    expect(paced.receiver.requests).toHaveLength(0);
  });
  await paced.receiver.received(1);
});

test('held events of a paced webhook arrive in their order, each at its pace', async () => {
  await worker();
  const paced = await pacedWebhook(60);
  await sql`
    update webhooks set disabled_reason = 'failing', disabled_at = ${clock.now().toISOString()} where id = ${paced.id}`;
  await addDue(paced, 4);
  await sql`
    with moved as (delete from deliveries where webhook_id = ${paced.id} returning *)
    insert into held_events (organization_id, webhook_id, event_id, attempts, occurred_at, held_at)
    select organization_id, webhook_id, event_id, 0, due_at, created_at from moved on conflict do nothing`;
  await enableWebhook(core, paced.organization, { id: paced.id });
  for (const count of [1, 2, 3, 4]) {
    await settled(paced);
    expect(paced.receiver.requests).toHaveLength(count);
    clock.advance(1100);
  }
  expect(paced.receiver.requests.map(({ envelope }) => Reflect.get(envelope, 'n'))).toEqual([1, 2, 3, 4]);
});

test.each([0, -1, 1e9, 6001, 1.5, '60', Number.MAX_SAFE_INTEGER])(
  'max_per_minute is a whole number from 1 to 6000: %s is refused',
  async (max_per_minute) => {
    const { id, organization } = await pacedWebhook(null);
    const changes = Object.assign({ id }, { max_per_minute });
    await expect(updateManualWebhook(core, organization, changes as { id: string })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
    });
    expect(await listWebhooksWithHealth(core, organization)).toMatchObject([{ max_per_minute: null }]);
  },
);

test('the operator and the owner see what waits for its pace; it is neither late nor overdue', async () => {
  const real = await startDealkeep({ timing: { sweepEveryMs: 100 }, metricsToken: 'token' });
  const paced = await pacedWebhook(1, real);
  const api = real.as(paced.organization.key);
  for (const name of ['One', 'Two', 'Three']) await api.post('/leads', { name });
  await paced.receiver.received(1);
  await real.sql`update deliveries set due_at = due_at - interval '1 hour'`;
  await eventually(async () => {
    expect(await queueStanding(real.sql)).toMatchObject({
      waiting: 2,
      due: 2,
      due_paced: 2,
      due_paused: 0,
      in_flight: 0,
      oldest_due_seconds: 0,
    });
  });
  const status = await queueStatus(real.sql);
  expect(status.organizations).toMatchObject([
    { organization: paced.organization.slug, due: 2, due_paced: 2, oldest_due_seconds: 0 },
  ]);
  const [row] = await real.sql<
    { paced_until: string }[]
  >`select paced_until from webhooks where id = ${paced.id}`;
  expect(await listQueue(real.sql, {})).toMatchObject([
    { standing: 'paced', due: 2, max_per_minute: 1, next_attempt_at: row?.paced_until },
  ]);
  const shown = { max_per_minute: 1, paced_deliveries: 2, failing_since: null };
  expect(await getWebhookWithHealth(real.core, paced.organization, paced.id)).toMatchObject(shown);
  const metrics = await (
    await fetch(`${real.origin}/metrics`, { headers: { Authorization: 'Bearer token' } })
  ).text();
  for (const [state, count] of [
    ['paced', 2],
    ['due', 0],
    ['overdue', 0],
  ] as const) {
    expect(metrics).toContain(`dealkeep_deliveries_waiting{state="${state}"} ${count}`);
  }
});

test('what was leased and did not begin within a second is given back, and begins when its turn comes anew', async () => {
  const leaping = {
    leapMs: 700,
    now: () => {
      clock.advance(leaping.leapMs);
      return clock.now();
    },
  };
  const paced = await pacedWebhook(6000);
  await addDue(paced, 3);
  const late = await startWorker({
    core: createCore({ ...core, clock: leaping }),
    databaseUrl,
    concurrency: 50,
    timing,
  });
  onTestFinished(() => late.stop(1000));
  const standing = async () => {
    const [row] = await sql<{ leases: string | null; free: number }[]>`
      select paced_until as leases,
             (select count(*)::integer from deliveries where webhook_id = ${paced.id} and worker_id is null) as free
      from webhooks where id = ${paced.id}`;
    return row;
  };
  const leases = new Set<string>();
  await eventually(async () => {
    const row = await standing();
    if (row?.leases) leases.add(row.leases);
    expect(leases.size).toBeGreaterThanOrEqual(3);
    expect(row?.free).toBe(3);
  });
  expect(paced.receiver.requests).toHaveLength(0);
  leaping.leapMs = 0;
  clock.advance(2000);
  await paced.receiver.received(3);
  expect(paced.receiver.requests.map(({ headers }) => headers['x-service-attempt'])).toEqual(['1', '1', '1']);
});
