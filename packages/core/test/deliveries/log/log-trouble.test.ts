import { eventually, startDealkeep, startHookReceiver } from '@dealkeep/testing';
import { expect, test } from 'vitest';
import { subscribe } from '../subscriber.ts';

/** Everything is sent once, and no lease is left that would have it sent again. */
async function goesOn(dealkeep: Awaited<ReturnType<typeof startDealkeep>>, end: () => Promise<unknown>) {
  const receiver = await startHookReceiver();
  const { createLead, pending, log, logged } = await subscribe(dealkeep, receiver.url);
  for (const name of ['first', 'second', 'third']) await createLead(name);
  await receiver.received(3);
  await eventually(async () => expect(await pending()).toEqual([]));
  await end();
  const attempts = await logged(3);
  expect(attempts.map(({ number, status }) => ({ number, status }))).toEqual(
    Array.from({ length: 3 }, () => ({ number: 1, status: 200 })),
  );
  expect(new Set(receiver.requests.map(({ envelope }) => envelope.id)).size).toBe(3);
  expect(receiver.requests).toHaveLength(3);
  expect(await log()).toHaveLength(3);
}

test('a full disk under the log does not keep deliveries back, and the log catches up', async () => {
  const said: string[] = [];
  const say = (_: object, sentence: string) => said.push(sentence);
  const dealkeep = await startDealkeep({ log: { debug() {}, info: say, warn: say, error: say } });
  const { sql } = dealkeep;
  await sql`
    create function full_disk() returns trigger language plpgsql as $$
    begin raise 'could not extend file' using errcode = 'disk_full'; end $$`;
  await sql`create trigger full_disk before insert on attempts execute function full_disk()`;
  await goesOn(dealkeep, async () => {
    await eventually(() => expect(said).toContain('The delivery log cannot be written; deliveries go on'));
    await sql`drop trigger full_disk on attempts`;
  });
  // The rows can be seen a moment before the worker knows that they are written.
  await eventually(() =>
    expect(said.filter((sentence) => sentence.includes('delivery log'))).toEqual([
      'The delivery log cannot be written; deliveries go on',
      'The delivery log is written again',
    ]),
  );
});

test('a lock on the log does not keep deliveries back', async () => {
  const dealkeep = await startDealkeep();
  const unlock = Promise.withResolvers<void>();
  const locked = Promise.withResolvers<void>();
  const transaction = dealkeep.sql.begin(async (tx) => {
    await tx`lock table attempts in access exclusive mode`;
    locked.resolve();
    await unlock.promise;
  });
  await locked.promise;
  try {
    await goesOn(dealkeep, async () => unlock.resolve());
  } finally {
    unlock.resolve();
    await transaction;
  }
});
