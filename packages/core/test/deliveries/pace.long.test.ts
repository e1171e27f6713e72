import {
  enableWebhook,
  eventually,
  ManualClock,
  startDealkeep,
  startHookReceiver,
  updateManualWebhook,
} from '@dealkeep/testing';
import { expect, test } from 'vitest';
import { attemptsKeepThePace } from './attempts-at-a-pace.ts';
import { type PacedWebhook, pacedDeliveries, pacedWebhook } from './paced-deliveries.ts';
import { subscribe } from './subscriber.ts';

const clock = new ManualClock();
const dealkeep = await startDealkeep({ clock, worker: false });
const { core, sql } = dealkeep;
const { worker, addDue, settled } = pacedDeliveries(dealkeep, clock);

const begunAt = async ({ id }: PacedWebhook, count: number): Promise<number[]> =>
  eventually(async () => {
    const rows = await sql<{ at: string }[]>`
      select started_at as at from attempts where webhook_id = ${id} order by started_at`;
    expect(rows).toHaveLength(count);
    return rows.map(({ at }) => Date.parse(at));
  });

test.each([
  { max: 1, seconds: 200, least: 4 },
  { max: 90, seconds: 66, least: 93 },
  { max: 600, seconds: 62, least: 560 },
])(
  '$max a minute: over any 60 seconds never more than max_per_minute attempts begin, retries and two workers included, and nearly as many',
  attemptsKeepThePace,
);

test('workers keep to it: of two, over a minute, no more begin than they may, retries included', async () => {
  const [max, seconds, least] = [7, 130, 10];
  const paced = await pacedWebhook(dealkeep, max);
  await addDue(paced, max * 5);
  paced.receiver.answerWith(({ headers }) => (headers['webhook-id']?.endsWith('0') ? 500 : 200));
  await worker();
  await worker();
  const end = clock.now().getTime() + seconds * 1000;
  let step = 0;
  while (clock.now().getTime() < end) {
    await settled(paced);
    step += 1;
    clock.advance(2000 + (step % 4) * 500);
  }
  await settled(paced);
  const begun = await begunAt(paced, paced.receiver.requests.length);
  for (const at of begun) {
    expect(begun.filter((each) => each >= at && each < at + 60_000).length).toBeLessThanOrEqual(max);
  }
  expect(begun.length).toBeGreaterThanOrEqual(least);
});

test('the pace survives a restart of every worker', async () => {
  const paced = await pacedWebhook(dealkeep, 1);
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
  const paced = await pacedWebhook(dealkeep, 1);
  await addDue(paced, 40);
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
  await paced.receiver.received(40);
});

test('a change of something else leaves the pace as it is', async () => {
  await worker();
  const paced = await pacedWebhook(dealkeep, 1);
  await addDue(paced, 2);
  await settled(paced);
  await updateManualWebhook(core, paced.organization, { id: paced.id, name: 'Renamed' });
  clock.advance(59_000);
  await settled(paced);
  expect(paced.receiver.requests).toHaveLength(1);
});

test('a bucket that was full for long gives a second of it at once, and no more', async () => {
  await worker();
  const paced = await pacedWebhook(dealkeep, 300);
  clock.advance(3_600_000);
  await addDue(paced, 100);
  await settled(paced);
  expect(paced.receiver.requests).toHaveLength(5);
});

test('a clock that is set back by an hour does not stop a paced webhook', async () => {
  await worker();
  const paced = await pacedWebhook(dealkeep, 1);
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
  const paced = await pacedWebhook(dealkeep, 60);
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
  const paced = await pacedWebhook(dealkeep, 60);
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

test('what was leased and did not begin within a second is given back, and begins when its turn comes anew', async () => {
  const leaping = {
    leapMs: 700,
    now: () => {
      clock.advance(leaping.leapMs);
      return clock.now();
    },
  };
  const paced = await pacedWebhook(dealkeep, 6000);
  await addDue(paced, 3);
  await worker(leaping);
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
