import { fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { connect } from '@dealkeep/core/foundations';
import { removeOld } from '@dealkeep/core/installation';
import { testDatabase } from '@dealkeep/testing';
import { afterAll, expect, test } from 'vitest';
import * as z from 'zod';

const hammer = fileURLToPath(new URL('./hammer.ts', import.meta.url));
const database = await testDatabase();
/** Most of what a process takes is its start, so that they stay for all tests. */
const processes = Array.from({ length: 3 }, () => fork(hammer, [database.url]));
afterAll(async () => {
  const ended = processes.map((each) => once(each, 'exit'));
  for (const each of processes) each.disconnect();
  await Promise.all(ended);
});
const Passed = z.tuple([z.array(z.number())]).rest(z.unknown());

/** For each process, how many passed in each of three minutes. */
async function hammerTogether(
  keys: readonly string[],
  limits: { credential: number; organization: number },
): Promise<number[][]> {
  const organization = randomUUID();
  return Promise.all(
    processes.map(async (each, index): Promise<number[]> => {
      const answer = once(each, 'message');
      each.send({ key: keys[index], organization, limits });
      return Passed.parse(await answer)[0];
    }),
  );
}

const totals = (ofEach: readonly (readonly number[])[]): number[] =>
  [0, 1, 2].map((minute) => ofEach.reduce((sum, passed) => sum + (passed[minute] ?? 0), 0));

test.each([7, 120, 5000])(
  'processes that hammer one key pass its limit of %i together, and no more',
  async (limit) => {
    const key = randomUUID();
    const passed = await hammerTogether([key, key, key], { credential: limit, organization: 1_000_000 });
    expect(totals(passed)).toEqual([limit, limit, limit]);
  },
);

test.each([7, 600, 5000])(
  'processes that hammer keys of one organization pass its limit of %i together',
  async (limit) => {
    const keys = [randomUUID(), randomUUID(), randomUUID()];
    const passed = await hammerTogether(keys, { credential: 1_000_000, organization: limit });
    expect(totals(passed)).toEqual([limit, limit, limit]);
  },
);

test('both limits at once: no key and no organization goes beyond its own', async () => {
  const [one, two] = [randomUUID(), randomUUID()];
  const passed = await hammerTogether([one, one, two], { credential: 100, organization: 150 });
  for (const minute of [0, 1, 2]) {
    expect((passed[0]?.[minute] ?? 0) + (passed[1]?.[minute] ?? 0)).toBeLessThanOrEqual(100);
    expect(passed[2]?.[minute]).toBeLessThanOrEqual(100);
  }
  // A lease that one holds while the other runs dry is lost, at most 5 % of 100 for each process.
  for (const total of totals(passed)) {
    expect(total).toBeLessThanOrEqual(150);
    expect(total).toBeGreaterThanOrEqual(135);
  }
});

test('counts of minutes that are over are removed', async () => {
  const sql = connect(database.url, { connections: 1, name: 'test' });
  const minute = 2_000_000;
  await sql`
    insert into rate_windows (minute, bucket_id, taken, lease, ceiling)
    select ${minute} - n, gen_random_uuid(), 1, 1, 100 from generate_series(0, 20) as n`;
  await removeOld({ sql, clock: { now: () => new Date(minute * 60_000) } }, { only: ['windows'] });
  const rows = await sql<{ minute: number }[]>`select minute from rate_windows order by minute`;
  expect(rows.map((row) => row.minute)).toEqual([5, 4, 3, 2, 1, 0].map((age) => minute - age));
  await sql.end();
});
