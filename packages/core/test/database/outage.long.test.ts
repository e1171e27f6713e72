import { expect, test } from 'vitest';
import { outageAwaitedMs } from '../../src/foundations/operating-limits.ts';
import { startPool, startWay, two, twoInTransaction } from './way-to-database.ts';

test('a server that stays away is waited for once; whatever comes later is refused at once, until it is back', async () => {
  const way = await startWay();
  const sql = await startPool(way.url);
  await sql`select 1`;
  await way.close();
  await expect
    .poll(() => two(sql).catch((error) => error.code), { timeout: 4 * outageAwaitedMs })
    .toBe('ECONNREFUSED');
  const refused = Array.from({ length: 5 }, () => two(sql).catch((error) => error.code));
  const first = await Promise.race([
    Promise.all(refused),
    new Promise((resolve) => setTimeout(resolve, outageAwaitedMs, 'waits')),
  ]);
  expect(first).toEqual(Array.from({ length: 5 }, () => 'ECONNREFUSED'));
  await way.open();
  await expect.poll(() => two(sql).catch((error) => error.code)).toBe(2);
  expect(await twoInTransaction(sql)).toBe(2);
});
