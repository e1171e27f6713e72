import { randomUUID } from 'node:crypto';
import { connectQueue } from '@dealkeep/core';
import { testDatabase } from '@dealkeep/testing';
import { afterAll, expect, test } from 'vitest';
import {
  type ClaimBounds,
  claimDeliveries,
  endOfClaim,
  firstOfAll,
  type LeasedDelivery,
} from '../../src/deliveries/claim.ts';

const database = await testDatabase();
const { sql: admin } = database;
const { claims, results } = connectQueue(database.url);
await admin`insert into workers select id, clock_timestamp() from generate_series(0, 7) id`;
afterAll(() => Promise.all([claims.end(), results.end()]));

const bounds: ClaimBounds = {
  workerId: 1,
  now: '2026-10-01T08:00:00.000Z',
  most: 100,
  perWebhook: 4,
  room: new Map(),
  after: firstOfAll,
};

/** An organization with webhooks; each has so many deliveries, one due each millisecond from an hour ago on. */
async function fill(webhooks: number, deliveries: number, dueIn = '-1 hour'): Promise<string[]> {
  const organization = randomUUID();
  return admin.begin(async (tx) => {
    // Without the check of every foreign key, which takes longer than all the rest.
    await tx`set local session_replication_role = replica`;
    await tx`
      insert into organizations (id, name, slug, country_code, currency, time_zone, max_webhooks, max_keys, created_at)
      values (${organization}, 'Test', ${organization}, 'SK', 'EUR', 'Europe/Bratislava', 50, 20, now())`;
    const hooks = await tx<{ id: string }[]>`
      insert into webhooks (organization_id, id, name, target_url, events, secret, created_at)
      select ${organization}, gen_random_uuid(), 'Test', 'http://127.0.0.1/', '{lead.created}', '\\x00', now()
      from generate_series(1, ${webhooks}) returning id`;
    await tx`
      insert into deliveries (id, organization_id, webhook_id, event_id, due_at, created_at)
      select gen_random_uuid(), ${organization}, w.id, 'evt_' || lpad(n::text, 8, '0'),
             ${bounds.now}::timestamptz + ${dueIn}::interval + n * interval '1 millisecond', ${bounds.now}
      from webhooks w cross join generate_series(1, ${deliveries}) n
      where w.organization_id = ${organization}`;
    return hooks.map(({ id }) => id).sort();
  });
}

const clear = () => admin`delete from webhooks`;
const claim = (changes: Partial<ClaimBounds> = {}) => claimDeliveries(claims, { ...bounds, ...changes });
const countsOf = (claimed: readonly LeasedDelivery[]): Record<string, number> =>
  Object.fromEntries(
    [...Map.groupBy(claimed, ({ webhook_id }) => webhook_id)].map(([id, group]) => [id, group.length]),
  );

test('a claim takes a few of each webhook, its oldest, and goes on round and round where it ended', async () => {
  const hooks = await fill(5, 20);
  const [a = '', b = '', c = '', d = '', e = ''] = hooks;
  const first = await claim({ most: 10 });
  expect(countsOf(first)).toEqual({ [a]: 4, [b]: 4, [c]: 2 });
  expect(
    first
      .filter(({ webhook_id }) => webhook_id === a)
      .map(({ event_id }) => event_id.slice(-1))
      .sort(),
  ).toEqual(['1', '2', '3', '4']);
  const afterC = endOfClaim(first, firstOfAll);
  expect(afterC).toBe(c);
  const second = await claim({ most: 10, after: afterC });
  expect(countsOf(second)).toEqual({ [d]: 4, [e]: 4, [a]: 2 });
  expect(endOfClaim(second, afterC)).toBe(a);
  await clear();
});

test('what is leased, not due yet, or beyond the room of its webhook is left', async () => {
  const [later = ''] = await fill(1, 5, '1 hour');
  const [full = ''] = await fill(1, 5);
  const [busy = ''] = await fill(1, 5);
  const [free = ''] = await fill(1, 6);
  const room = new Map([
    [full, 0],
    [busy, 1],
    [later, 4],
  ]);
  expect(countsOf(await claim({ room }))).toEqual({ [busy]: 1, [free]: 4 });
  expect(countsOf(await claim({ room, workerId: 2 }))).toEqual({ [busy]: 1, [free]: 2 });
  expect(countsOf(await claim())).toEqual({ [full]: 4, [busy]: 3 });
  await clear();
});

test('a worker that others took for lost gets nothing, nor does one that has not shown itself since the server started', async () => {
  await fill(1, 5);
  expect(await claim({ workerId: 99 })).toEqual([]);
  await admin`insert into workers select 99, pg_postmaster_start_time() - interval '1 second'`;
  expect(await claim({ workerId: 99 })).toEqual([]);
  expect(await claim()).toHaveLength(4);
  await clear();
});

test('two claims at once share, and take nothing twice', async () => {
  await fill(10, 40);
  const claimed = await Promise.all(
    Array.from({ length: 8 }, (_, index) =>
      claimDeliveries(index % 2 ? results : claims, { ...bounds, workerId: index, most: 30 }),
    ),
  );
  const ids = claimed.flat().map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.length).toBeGreaterThanOrEqual(150);
  await clear();
});

test('with 100,000 due, a claim reads a few rows along the index, even by a plan from when nothing was due', async () => {
  // PostgreSQL settles for one plan after five runs.
  for (let run = 0; run < 10; run += 1) expect(await claim()).toEqual([]);
  await fill(100, 1000);
  let after = firstOfAll;
  const took: number[] = [];
  for (let run = 0; run < 20; run += 1) {
    await claims.begin(async (tx) => {
      const started = performance.now();
      const claimed = await claimDeliveries(tx, { ...bounds, after });
      took.push(performance.now() - started);
      expect(claimed).toHaveLength(100);
      after = endOfClaim(claimed, after);
      const [read] = await tx<{ tables: number; rows: number }[]>`
        select seq_scan::integer as tables, idx_tup_fetch::integer as rows
        from pg_stat_xact_user_tables where relname = 'deliveries'`;
      expect(read?.tables).toBe(0);
      // Those that were deleted before are still passed, until they are vacuumed.
      expect(read?.rows).toBeLessThan(10_000);
    });
    // As it is when its result is written.
    await admin`delete from deliveries where worker_id = ${bounds.workerId}`;
  }
  const [typical = 0] = took.sort((x, y) => x - y).slice(10);
  expect(typical).toBeLessThan(100);
  await clear();
});
