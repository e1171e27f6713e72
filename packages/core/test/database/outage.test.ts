import { freePort } from '@dealkeep/testing';
import { expect, test } from 'vitest';
import { outageAwaitedMs } from '../../src/foundations/operating-limits.ts';
import { startPool, startWay, two, twoInTransaction } from './way-to-database.ts';

const refusal = 'server login has been failing, try again later (server_login_retry)';

test.each([
  ['a statement', two],
  ['a transaction', twoInTransaction],
])('%s that comes while the server is restarted waits for it', async (_, ask) => {
  const way = await startWay();
  const sql = await startPool(way.url);
  await sql`select 1`;
  await way.close();
  const answers = Promise.all(Array.from({ length: 5 }, () => ask(sql)));
  await way.open();
  expect(await answers).toEqual([2, 2, 2, 2, 2]);
});

test.each([
  ['a statement', two],
  ['a transaction', twoInTransaction],
])('%s that PgBouncer has no server for is asked for again, with pauses', async (_, ask) => {
  const way = await startWay();
  const sql = await startPool(way.url);
  await Promise.all([ask(sql), ask(sql)]);
  const refusedFrom = performance.now();
  way.refuse(refusal);
  const answers = Promise.all(Array.from({ length: 5 }, () => ask(sql)));
  await expect.poll(() => way.refused()).toBeGreaterThan(9);
  // Two connections ask at once, and then both wait for a tenth of a second.
  expect(performance.now() - refusedFrom).toBeGreaterThan(190);
  way.refuse('');
  expect(await answers).toEqual([2, 2, 2, 2, 2]);
});

test.each([
  ['a statement', two],
  ['a transaction', twoInTransaction],
])('%s whose server went away meanwhile is not asked for again', async (_, ask) => {
  const way = await startWay();
  // A second one that is being made meanwhile would be refused as well.
  const sql = await startPool(way.url, 1);
  await ask(sql);
  way.refuse('server conn crashed?');
  await expect(ask(sql)).rejects.toMatchObject({ code: 'CONNECTION_CLOSED' });
  expect(way.refused()).toBe(1);
});

test('a server that never answered is not waited for', async () => {
  const sql = await startPool(`postgres://nobody:none@127.0.0.1:${await freePort()}/none`);
  const asked = performance.now();
  await expect(two(sql)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  expect(performance.now() - asked).toBeLessThan(outageAwaitedMs);
});
