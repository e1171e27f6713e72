import { createCore } from '@dealkeep/core';
import { startDealkeep, type TestDealkeep } from '@dealkeep/testing';
import { startWorker } from '@dealkeep/worker';
import { expect, onTestFinished, test, vi } from 'vitest';
import { type HookReceiver, startHookReceiver } from './hook-receiver.ts';
import { subscribe } from './subscriber.ts';

/** What PostgreSQL says when the disk is full, for statements on this table. Answers how to make room. */
async function fullDiskUnder({ sql }: TestDealkeep, statements: string): Promise<() => Promise<unknown>> {
  await sql`create sequence refused`;
  await sql`
    create function full_disk() returns trigger language plpgsql as $$
    begin
      perform nextval('refused');
      raise 'could not extend file' using errcode = 'disk_full';
    end $$`;
  await sql.unsafe(`create trigger full_disk before ${statements} execute function full_disk()`);
  return () => sql`drop trigger full_disk on deliveries`;
}

/** How often something was refused; a sequence counts what is rolled back, too. */
async function refusals({ sql }: TestDealkeep): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select case when is_called then last_value else 0 end::integer as count from refused`;
  return row?.count ?? 0;
}

const timesSent = ({ requests }: HookReceiver): number[] =>
  [...Map.groupBy(requests, ({ envelope }) => envelope.id).values()].map((sent) => sent.length);

function startWithLog() {
  const said: string[] = [];
  const say = (_: object, sentence: string) => said.push(sentence);
  const log = { debug() {}, info: say, warn: say, error: say };
  return { said, start: () => startDealkeep({ log, concurrency: 4, timing: { sweepEveryMs: 10 } }) };
}

/** Results, and nothing else: a claim only gives a worker to what has none. */
const results = 'delete on deliveries';

test('results that a full disk does not take are told once, sent once, and nothing more is sent until there is room', async () => {
  const { said, start } = startWithLog();
  const dealkeep = await start();
  const receiver = await startHookReceiver();
  const { createLead, pending, logged } = await subscribe(dealkeep, receiver.url);
  const makeRoom = await fullDiskUnder(dealkeep, results);
  await createLead();
  await receiver.received(1);
  await vi.waitUntil(async () => (await refusals(dealkeep)) >= 2, { timeout: 5000 });
  for (let made = 1; made < 60; made += 1) await createLead();
  await vi.waitUntil(async () => (await refusals(dealkeep)) >= 4, { timeout: 10_000 });

  expect(receiver.requests).toHaveLength(1);
  expect(await pending()).toHaveLength(60);
  expect(said.filter((sentence) => sentence.startsWith('Results'))).toEqual([
    'Results of deliveries cannot be written; nothing is sent until they can be',
  ]);
  const full = performance.now();
  await makeRoom();
  await receiver.received(60);
  expect(performance.now() - full).toBeLessThan(7000);
  await vi.waitFor(async () => expect(await pending()).toEqual([]), { timeout: 5000 });
  expect(timesSent(receiver)).toEqual(Array(60).fill(1));
  expect(await logged(60)).toHaveLength(60);
  expect(said.filter((sentence) => sentence.startsWith('Results'))).toEqual([
    'Results of deliveries cannot be written; nothing is sent until they can be',
    'Results of deliveries are written again',
  ]);
});

test('results are written again after pauses that grow', async () => {
  const { start } = startWithLog();
  const dealkeep = await start();
  const receiver = await startHookReceiver();
  const { createLead } = await subscribe(dealkeep, receiver.url);
  await fullDiskUnder(dealkeep, results);
  await createLead();
  const moments: number[] = [];
  for (let refused = 1; refused <= 4; refused += 1) {
    await vi.waitUntil(async () => (await refusals(dealkeep)) >= refused, { timeout: 5000, interval: 5 });
    moments.push(performance.now());
  }
  const pauses = moments.slice(1).map((moment, index) => moment - (moments[index] ?? 0));
  expect(pauses[1]).toBeGreaterThan((pauses[0] ?? 0) * 1.4);
  expect(pauses[2]).toBeGreaterThan((pauses[1] ?? 0) * 1.4);
});

test('a disk that takes no claim either is told once; then everything goes out once', async () => {
  const { said, start } = startWithLog();
  const dealkeep = await start();
  const receiver = await startHookReceiver();
  const { createLead, pending } = await subscribe(dealkeep, receiver.url);
  const makeRoom = await fullDiskUnder(dealkeep, 'update or delete on deliveries');
  for (let made = 0; made < 20; made += 1) await createLead();
  await vi.waitUntil(async () => (await refusals(dealkeep)) >= 10, { timeout: 10_000 });
  expect(receiver.requests).toEqual([]);
  expect(said.filter((sentence) => sentence.startsWith('Looking'))).toHaveLength(1);
  await makeRoom();
  await receiver.received(20);
  await vi.waitFor(async () => expect(await pending()).toEqual([]), { timeout: 5000 });
  expect(timesSent(receiver)).toEqual(Array(20).fill(1));
});

test('workers whose results are not written do not send the same by turns when leases end', async () => {
  const { start } = startWithLog();
  const dealkeep = await start();
  const { sql, databaseUrl } = dealkeep;
  const worker = await startWorker({ core: createCore(dealkeep.core), databaseUrl, concurrency: 4 });
  onTestFinished(() => worker.stop(1000));
  const receiver = await startHookReceiver();
  const { createLead, pending } = await subscribe(dealkeep, receiver.url);
  const makeRoom = await fullDiskUnder(dealkeep, results);
  await createLead();
  await vi.waitUntil(async () => (await refusals(dealkeep)) >= 1, { timeout: 5000 });
  for (let end = 0; end < 4; end += 1) {
    const before = await refusals(dealkeep);
    // As after half a minute.
    await sql`update workers set seen_at = seen_at - interval '31 seconds'`;
    await vi.waitUntil(async () => (await refusals(dealkeep)) > before, { timeout: 10_000 });
  }
  // Once by each of them at most.
  expect(receiver.requests.length).toBeLessThanOrEqual(2);
  await makeRoom();
  await vi.waitFor(async () => expect(await pending()).toEqual([]), { timeout: 12_000 });
});
