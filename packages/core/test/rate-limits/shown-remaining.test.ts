import { connect } from '@dealkeep/core/foundations';
import { testDatabase } from '@dealkeep/testing';
import { expect, onTestFinished, test, vi } from 'vitest';
import { RateLimiter } from '../../src/identity/rate-limits/rate-limiter.ts';
import { credentialOf } from './limited-credential.ts';

const clock = { now: () => new Date('2026-10-01T12:00:10.000Z') };

test('what passed in other processes is shown within a second, and within a tenth of one where less than half is left', async () => {
  const { url } = await testDatabase();
  const sql = connect(url, { connections: 2, name: 'test' });
  onTestFinished(() => sql.end());
  let now = performance.now();
  const stopwatch = vi.spyOn(performance, 'now').mockImplementation(() => now);
  onTestFinished(() => stopwatch.mockRestore());
  const [one, other] = [new RateLimiter({ sql, clock }), new RateLimiter({ sql, clock })];
  const credential = credentialOf(1000);
  const passElsewhere = async (requests: number): Promise<void> => {
    for (let made = 0; made < requests; made += 1)
      expect(await other.count(credential)).toMatchObject({ passed: true });
  };
  const remaining = async () => (await one.count(credential)).remaining;

  expect(await remaining()).toBe(999);
  await passElsewhere(600);
  now += 900;
  expect(await remaining()).toBe(998);
  now += 200;
  const shown = await remaining();
  expect(shown).toBeLessThanOrEqual(1000 - 600 - 3);
  expect(shown).toBeGreaterThan(300);
  await passElsewhere(200);
  now += 90;
  expect(await remaining()).toBe(shown - 1);
  now += 20;
  expect(await remaining()).toBeLessThanOrEqual(1000 - 800 - 5);
});
