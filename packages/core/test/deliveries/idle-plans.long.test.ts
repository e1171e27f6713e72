import { randomUUID } from 'node:crypto';
import { connect, connectQueue, type Database, oneServer } from '@dealkeep/core/foundations';
import { eventually, testDatabase, WatchedLine } from '@dealkeep/testing';
import { expect, onTestFinished, test } from 'vitest';
import { DeliveryJobs } from '../../src/change/queue/delivery-jobs.ts';
import { judgeAttempt } from '../../src/delivering/deliveries/judge.ts';
import { dueEvents } from '../../src/delivering/deliveries/lease/due-events.ts';
import { freeLeases } from '../../src/delivering/deliveries/lease/free-leases.ts';
import { type LeasedDelivery, leaseDeliveries } from '../../src/delivering/deliveries/lease/lease.ts';
import { settleDeliveries } from '../../src/delivering/deliveries/write/settle-deliveries.ts';

// A queue is idle most of the time, and known to PostgreSQL as it is then: statements are planned for that. When
// thousands wait all the same, each is to be found by its key; else all are read for each.

const each = 50;
const some = 200;
const now = '2026-10-01T08:00:00.000Z';

/** A database whose queue is empty as far as the planner knows, with some webhooks. */
async function idleQueue(webhooks = 40) {
  const { sql, url } = await testDatabase();
  const organization = randomUUID();
  await sql`insert into workers values (1, clock_timestamp())`;
  const hooks = await sql.begin(async (tx) => {
    await tx`set local session_replication_role = replica`;
    await tx`
      insert into organizations (id, name, slug, country_code, currency, time_zone, max_webhooks, max_keys, created_at)
      values (${organization}, 'Test', ${organization}, 'SK', 'EUR', 'Europe/Bratislava', 50, 20, now())`;
    return tx<{ id: string }[]>`
      insert into webhooks (organization_id, id, name, target_url, events, secret, created_at)
      select ${organization}, gen_random_uuid(), 'Test', 'http://127.0.0.1/', '{lead.created}', '\\x00', now()
      from generate_series(1, ${webhooks}::integer) returning id`;
  });
  await sql`vacuum analyze`;
  const queue = connectQueue(url);
  onTestFinished(async () => {
    await Promise.all(Object.values(queue).map((connections) => connections.end()));
  });
  return {
    ...{ sql, url, organization, queue },
    hooks: hooks.map(({ id }) => id),
    /** So many wait for each webhook, all of them leased. */
    async lease(count: number): Promise<LeasedDelivery[]> {
      await sql.begin(async (tx) => {
        await tx`set local session_replication_role = replica`;
        await tx`
          insert into deliveries (id, organization_id, webhook_id, event_id, due_at, created_at)
          select gen_random_uuid(), ${organization}, w.id, 'evt_' || n, ${now}, ${now}
          from webhooks w cross join generate_series(1, ${count}::integer) n`;
      });
      const rooms = new Map(hooks.map(({ id }) => [id, count]));
      const bounds = {
        workerId: 1,
        now,
        rooms,
        bytes: 1_000_000,
        atLeastOne: true,
        events: dueEvents(oneServer),
      };
      const { leased } = await leaseDeliveries(queue.claims, bounds);
      expect(leased).toHaveLength(webhooks * count);
      return leased.map(({ delivery }) => delivery);
    },
    leased: async (): Promise<number> =>
      (await sql`select from deliveries where worker_id is not null`).count,
  };
}

/** Each of two connections has a part, and its plan from now on. */
const onBoth = <Item>(items: readonly Item[], work: (part: readonly Item[]) => Promise<unknown>) =>
  Promise.all([work(items.slice(0, items.length / 2)), work(items.slice(items.length / 2))]);

/** How many rows of a table a pool of at most two connections reads for some work. */
async function rowsRead(pool: Database, table: string, work: () => Promise<unknown>): Promise<number> {
  const countedSoFar = async (): Promise<number> => {
    const tell = () => pool`select pg_stat_force_next_flush(), pg_sleep(0.05)`;
    await Promise.all([tell(), tell()]);
    const [read] = await pool<{ rows: number }[]>`
      select (idx_tup_fetch + seq_tup_read)::integer as rows from pg_stat_user_tables where relname = ${table}`;
    return read?.rows ?? 0;
  };
  const before = await countedSoFar();
  await work();
  return (await countedSoFar()) - before;
}

const answered = (status: number) => (delivery: LeasedDelivery) => {
  const attempt = {
    ...{ id: randomUUID(), delivery, eventType: 'lead.created', startedAt: new Date(), endedAt: new Date() },
    outcome: { outcome: 'answered' as const, status, headers: {}, responseStart: '', durationMs: 1 },
  };
  return { ...attempt, ...judgeAttempt(attempt, 0) };
};
const [arrived, failed] = [answered(200), answered(500)];

test.each([
  ['successes', arrived],
  ['failures', failed],
] as const)('results of %s read their own deliveries only, however many wait', async (_, ended) => {
  const { queue, lease, leased } = await idleQueue();
  const settle = (deliveries: readonly LeasedDelivery[]) =>
    settleDeliveries(queue.results, 1, deliveries.map(ended));
  await onBoth(await lease(1), settle);
  const waiting = await lease(each);
  const read = await rowsRead(queue.results, 'deliveries', () => settle(waiting.slice(0, some)));
  expect(await leased()).toBe(waiting.length - some);
  expect(read).toBeLessThan(some * 10);
});

test('a result finds its delivery also where it has moved since', async () => {
  const { sql, queue, lease, leased } = await idleQueue();
  const waiting = await lease(2);
  await sql`update deliveries set by_hand = true where id = ${waiting.at(-1)?.id ?? ''}`;
  await sql`vacuum full deliveries`;
  expect((await settleDeliveries(queue.results, 1, waiting.map(arrived))).unwritten).toEqual([]);
  expect(await leased()).toBe(0);
});

test('what is given back reads its own deliveries only, however many wait', async () => {
  const { queue, lease, leased } = await idleQueue();
  const free = (deliveries: readonly LeasedDelivery[]) =>
    freeLeases(
      queue.results,
      1,
      deliveries.map((delivery) => ({ delivery })),
    );
  await onBoth(await lease(1), free);
  await queue.results`delete from deliveries`;
  const waiting = await lease(each);
  const read = await rowsRead(queue.results, 'deliveries', async () => {
    expect(await free(waiting.slice(0, some))).toBe(true);
  });
  expect(await leased()).toBe(waiting.length - some);
  expect(read).toBeLessThan(some * 10);
});

test('jobs of many webhooks at once are added by a plan for as many jobs as there are, those of few by the plan at hand', async () => {
  const { sql, url, organization, hooks } = await idleQueue(150);
  const line = await WatchedLine.open(url);
  const pool = connect(line.url, { connections: 1, name: 'one connection' });
  onTestFinished(() => pool.end());
  const jobs = new DeliveryJobs({ sql: pool, log: { debug() {}, info() {}, warn() {}, error() {} } });
  const add = async (ids: readonly string[]): Promise<void> => {
    jobs.add(organization, ids);
    const keys = ids.map((id) => `deliver/${id}`);
    await eventually(async () =>
      expect(await sql`select from graphile_worker.jobs where key = any(${keys}::text[])`).toHaveLength(
        ids.length,
      ),
    );
  };
  const plannedAnew = /^begin *; set local plan_cache_mode = force_custom_plan$/;
  const few = await line.statementsOf(() => add(hooks.slice(0, 20)));
  expect(few.filter((statement) => plannedAnew.test(statement))).toEqual([]);
  const many = await line.statementsOf(() => add(hooks));
  expect(many.filter((statement) => plannedAnew.test(statement))).toHaveLength(1);
});
