import {
  eventually,
  type HookReceiver,
  startDealkeep,
  startHookReceiver,
  type TestDealkeep,
} from '@dealkeep/testing';
import { expect, test } from 'vitest';
import { startAnotherWorker } from './another-worker.ts';
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
  const pauses: unknown[] = [];
  const debug = (fields: object, sentence: string): void => {
    if (sentence.startsWith('Results')) pauses.push(Reflect.get(fields, 'again_in_ms'));
  };
  const log = { debug, info: say, warn: say, error: say };
  return { said, pauses, start: () => startDealkeep({ log, concurrency: 4 }) };
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
  await eventually(async () => expect(await refusals(dealkeep)).toBeGreaterThanOrEqual(2));
  for (let made = 1; made < 60; made += 1) await createLead();
  await eventually(async () => expect(await refusals(dealkeep)).toBeGreaterThanOrEqual(3));

  expect(receiver.requests).toHaveLength(1);
  expect(await pending()).toHaveLength(60);
  expect(said.filter((sentence) => sentence.startsWith('Results'))).toEqual([
    'Results of deliveries cannot be written; nothing is sent until they can be',
  ]);
  await makeRoom();
  await receiver.received(60);
  await eventually(async () => expect(await pending()).toEqual([]));
  expect(timesSent(receiver)).toEqual(Array(60).fill(1));
  expect(await logged(60)).toHaveLength(60);
  expect(said.filter((sentence) => sentence.startsWith('Results'))).toEqual([
    'Results of deliveries cannot be written; nothing is sent until they can be',
    'Results of deliveries are written again',
  ]);
});

test('results are written again after pauses that grow', async () => {
  const { pauses, start } = startWithLog();
  const dealkeep = await start();
  const receiver = await startHookReceiver();
  const { createLead, pending } = await subscribe(dealkeep, receiver.url);
  const makeRoom = await fullDiskUnder(dealkeep, results);
  await createLead();
  await eventually(async () => expect(await refusals(dealkeep)).toBeGreaterThanOrEqual(3));
  await makeRoom();
  await eventually(async () => expect(await pending()).toEqual([]));
  // Each pause is told before it begins, and each time it is tried is one of them.
  expect(pauses).toHaveLength(await refusals(dealkeep));
  expect(pauses.slice(0, 3)).toEqual([250, 500, 1000]);
});

test('a disk that takes no claim either is told once; then everything goes out once', async () => {
  const { said, start } = startWithLog();
  const dealkeep = await start();
  const receiver = await startHookReceiver();
  const { createLead, pending } = await subscribe(dealkeep, receiver.url);
  const makeRoom = await fullDiskUnder(dealkeep, 'update or delete on deliveries');
  for (let made = 0; made < 20; made += 1) await createLead();
  await eventually(async () => expect(await refusals(dealkeep)).toBeGreaterThanOrEqual(10));
  expect(receiver.requests).toEqual([]);
  expect(said.filter((sentence) => sentence.startsWith('Looking'))).toHaveLength(1);
  await makeRoom();
  await receiver.received(20);
  await eventually(async () => expect(await pending()).toEqual([]));
  expect(timesSent(receiver)).toEqual(Array(20).fill(1));
});

test('workers whose results are not written do not send the same by turns when leases end', async () => {
  const { start } = startWithLog();
  const dealkeep = await start();
  const { sql } = dealkeep;
  await startAnotherWorker(dealkeep, { concurrency: 4 });
  const receiver = await startHookReceiver();
  const { createLead, pending } = await subscribe(dealkeep, receiver.url);
  const makeRoom = await fullDiskUnder(dealkeep, results);
  await createLead();
  await eventually(async () => expect(await refusals(dealkeep)).toBeGreaterThanOrEqual(1));
  for (let end = 0; end < 4; end += 1) {
    const before = await refusals(dealkeep);
    // As after half a minute.
    await sql`update workers set seen_at = seen_at - interval '31 seconds'`;
    await eventually(async () => expect(await refusals(dealkeep)).toBeGreaterThan(before));
  }
  // Once by each of them at most.
  expect(receiver.requests.length).toBeLessThanOrEqual(2);
  await makeRoom();
  await eventually(async () => expect(await pending()).toEqual([]));
});
