import { randomUUID } from 'node:crypto';
import { connectQueue, oneServer, type Placement, severalServers } from '@dealkeep/core/foundations';
import { testDatabase } from '@dealkeep/testing';
import { afterAll, expect, test } from 'vitest';
import { webhooksWithoutJob } from '../../src/change/queue/delivery-jobs.ts';
import { dueEvents } from '../../src/delivering/deliveries/lease/due-events.ts';
import { freeLeases } from '../../src/delivering/deliveries/lease/free-leases.ts';
import {
  type LeaseBounds,
  type LeasedDelivery,
  leaseDeliveries,
} from '../../src/delivering/deliveries/lease/lease.ts';
import { webhooksWalkedAtOnce } from '../../src/foundations/operating-limits.ts';

const database = await testDatabase();
const { sql: admin } = database;
const { claims, results } = connectQueue(database.url);
await admin`insert into workers select id, clock_timestamp() from generate_series(0, 7) id`;
afterAll(() => Promise.all([claims.end(), results.end()]));
type Statements = Parameters<typeof leaseDeliveries>[0];

const bounds = {
  workerId: 1,
  now: '2026-10-01T08:00:00.000Z',
  bytes: 1_000_000,
  atLeastOne: true,
  events: dueEvents(oneServer),
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
const leasedBy = async (sql: Statements, changes: Partial<LeaseBounds> & Pick<LeaseBounds, 'rooms'>) =>
  (await leaseDeliveries(sql, { ...bounds, ...changes })).leased.map(({ delivery }) => delivery);
const lease = (rooms: ReadonlyMap<string, number>, changes: Partial<LeaseBounds> = {}) =>
  leasedBy(claims, { ...changes, rooms });
const each = (webhooks: readonly string[], room: number) => new Map(webhooks.map((id) => [id, room]));
const countsOf = (claimed: readonly LeasedDelivery[]): Record<string, number> =>
  Object.fromEntries(
    [...Map.groupBy(claimed, ({ webhook_id }) => webhook_id)].map(([id, group]) => [id, group.length]),
  );

test('one statement leases for many webhooks, of each its oldest and as much as it has room for', async () => {
  const [a = '', b = '', c = ''] = await fill(3, 20);
  const leased = await lease(
    new Map([
      [a, 4],
      [b, 1],
    ]),
  );
  expect(countsOf(leased)).toEqual({ [a]: 4, [b]: 1 });
  expect(
    leased
      .filter(({ webhook_id }) => webhook_id === a)
      .map(({ event_id }) => event_id.slice(-1))
      .sort(),
  ).toEqual(['1', '2', '3', '4']);
  expect(countsOf(await lease(each([a, b, c], 32)))).toEqual({ [a]: 16, [b]: 19, [c]: 20 });
  await clear();
});

test('what is leased or not due yet is left', async () => {
  const [later = ''] = await fill(1, 5, '1 hour');
  const [free = ''] = await fill(1, 6);
  expect(countsOf(await lease(each([later, free], 4)))).toEqual({ [free]: 4 });
  expect(countsOf(await lease(each([later, free], 4), { workerId: 2 }))).toEqual({ [free]: 2 });
  expect(await lease(each([later, free], 4))).toEqual([]);
  await clear();
});

test('a worker that others took for lost gets nothing, nor does one that has not shown itself since the server started', async () => {
  const rooms = each(await fill(1, 5), 4);
  expect(await lease(rooms, { workerId: 99 })).toEqual([]);
  await admin`insert into workers select 99, pg_postmaster_start_time() - interval '1 second'`;
  expect(await lease(rooms, { workerId: 99 })).toEqual([]);
  expect(await lease(rooms)).toHaveLength(4);
  await clear();
});

test('two leases at once share, and take nothing twice', async () => {
  const rooms = each(await fill(10, 40), 3);
  const leased = await Promise.all(
    Array.from({ length: 8 }, (_, index) =>
      leasedBy(index % 2 ? results : claims, { workerId: index, rooms }),
    ),
  );
  const ids = leased.flat().map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.length).toBeGreaterThanOrEqual(150);
  await clear();
});

const nothingFound = { found: [], walkedTo: null };

/** What work reads of the queue: whole tables, and rows along indexes. */
async function readBy(work: (tx: Statements) => Promise<unknown>): Promise<{ tables: number; rows: number }> {
  return claims.begin(async (tx) => {
    // Earlier transactions count until PostgreSQL has passed their figures on.
    const readSoFar = async () => {
      const [read] = await tx<{ tables: number; rows: number }[]>`
        select seq_scan::integer as tables, idx_tup_fetch::integer as rows
        from pg_stat_xact_user_tables where relname = 'deliveries'`;
      return read ?? { tables: 0, rows: 0 };
    };
    const before = await readSoFar();
    await work(tx);
    const after = await readSoFar();
    return { tables: after.tables - before.tables, rows: after.rows - before.rows };
  });
}

test('with 20,000 due, leases and the sweep read a few rows along the index, even by a plan from when nothing was due', async () => {
  // PostgreSQL settles for one plan after five runs.
  const nobody = each([randomUUID()], 1);
  for (let run = 0; run < 10; run += 1) {
    expect(await lease(nobody)).toEqual([]);
    expect(await webhooksWithoutJob(claims, bounds.now)).toEqual(nothingFound);
  }
  const webhooks = await fill(100, 200);
  for (let run = 0; run < 10; run += 1) {
    const { tables, rows } = await readBy(async (tx) => {
      expect((await webhooksWithoutJob(tx, bounds.now)).found).toHaveLength(100);
      expect(await leasedBy(tx, { rooms: each(webhooks, 1) })).toHaveLength(100);
    });
    expect(tables).toBe(0);
    // Those that were deleted before are still passed, until they are vacuumed.
    expect(rows).toBeLessThan(5_000);
    // As it is when its result is written.
    await admin`delete from deliveries where worker_id = ${bounds.workerId}`;
  }
  await clear();
});

test('with 2,000 webhooks that have only far retries, a sweep reads a few hundred rows; the sweeps come to all in turn', async () => {
  // What is deleted is still passed until then.
  await admin`vacuum deliveries`;
  await fill(2_000, 1, '1 hour');
  const [due = ''] = await fill(1, 1);
  const found: string[] = [];
  let [sweeps, after]: [number, string | undefined] = [0, undefined];
  do {
    const { tables, rows } = await readBy(async (tx) => {
      const walk = await webhooksWithoutJob(tx, bounds.now, after);
      found.push(...walk.found.map(({ webhook_id }) => webhook_id));
      after = walk.walkedTo ?? undefined;
    });
    sweeps += 1;
    expect(tables).toBe(0);
    expect(rows).toBeLessThan(2 * webhooksWalkedAtOnce);
  } while (after !== undefined);
  expect(sweeps).toBe(Math.ceil(2_001 / webhooksWalkedAtOnce));
  expect(found).toEqual([due]);
  await clear();
});

test('what there is no room for by its bytes is not leased; the first is, however large', async () => {
  const rooms = each(await fill(1, 3), 3);
  await admin`
    insert into events (organization_id, id, type, record_id, occurred_at, envelope)
    select organization_id, event_id, 'lead.created', gen_random_uuid(), created_at, repeat('x', 100) from deliveries`;
  const leaseWithin = (bytes: number, atLeastOne: boolean) =>
    leaseDeliveries(claims, { ...bounds, rooms, bytes, atLeastOne });
  expect(await leaseWithin(99, false)).toMatchObject({ leased: [], allFit: false });
  const first = await leaseWithin(99, true);
  expect(first).toMatchObject({
    allFit: false,
    leased: [{ event: { bytes: 100, envelope: 'x'.repeat(100) } }],
  });
  expect(first.leased).toHaveLength(1);
  const others = await leaseWithin(200, false);
  expect(others.leased).toHaveLength(2);
  expect(others.allFit).toBe(true);
  await clear();
  await admin`delete from events`;
});

test('a lease brings the same events where records stand apart, and knows which are gone', async () => {
  const [webhook = ''] = await fill(1, 3);
  await admin`
    insert into events (organization_id, id, type, record_id, occurred_at, envelope)
    select organization_id, event_id, 'lead.created', gen_random_uuid(), created_at, event_id || repeat('x', 100)
    from deliveries where event_id <> 'evt_00000002'`;
  // It happened longer ago than any change takes to be ended.
  await admin`update deliveries set created_at = created_at - interval '1 day'`;
  const leasedWith = async (placement: Placement) => {
    const asked = { ...bounds, rooms: each([webhook], 3), events: dueEvents(placement) };
    const { leased, allFit } = await leaseDeliveries(claims, asked);
    await freeLeases(results, bounds.workerId, leased);
    expect(allFit).toBe(true);
    return new Map(leased.map(({ delivery, event }) => [delivery.event_id, event]));
  };
  const together = await leasedWith(oneServer);
  expect(together.get('evt_00000001')).toEqual({
    type: 'lead.created',
    envelope: `evt_00000001${'x'.repeat(100)}`,
    bytes: 112,
  });
  expect([...together.keys()].toSorted()).toEqual(['evt_00000001', 'evt_00000002', 'evt_00000003']);
  expect(together.get('evt_00000002')).toBeUndefined();
  expect(await leasedWith(severalServers)).toEqual(together);
  await clear();
  await admin`delete from events`;
});

test('what is given back waits for nobody who has locked some of it, as a webhook that is being removed, and that is told', async () => {
  const webhooks = await fill(2, 3);
  const leased = (await lease(each(webhooks, 3))).map((delivery) => ({ delivery }));
  await admin.begin(async (tx) => {
    await tx`select from deliveries where webhook_id = ${webhooks[0] ?? ''} for update`;
    expect(await freeLeases(results, bounds.workerId, leased)).toBe(false);
  });
  expect(countsOf(await lease(each(webhooks, 3)))).toEqual({ [webhooks[1] ?? '']: 3 });
  expect(await freeLeases(results, bounds.workerId, leased)).toBe(true);
  expect(await freeLeases(results, 2, leased)).toBe(true);
  expect(countsOf(await lease(each(webhooks, 3)))).toEqual({
    [webhooks[0] ?? '']: 3,
    [webhooks[1] ?? '']: 3,
  });
  await clear();
});
