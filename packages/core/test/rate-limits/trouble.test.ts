import { connect, isTemporaryFailure } from '@dealkeep/core/foundations';
import { testDatabase } from '@dealkeep/testing';
import { expect, test } from 'vitest';
import { RateLimiter } from '../../src/identity/rate-limits/rate-limiter.ts';
import { credentialOf } from './limited-credential.ts';

const clock = { now: () => new Date('2026-10-01T12:00:10.000Z') };

test('without the database nothing passes: the fault is raised as the temporary one that it is (rule rate-limits 8)', async () => {
  const sql = connect('postgres://nobody@127.0.0.1:1/none', { connections: 1, name: 'test' });
  const limiter = new RateLimiter({ sql, clock });
  for (const limit of [10, 1000]) {
    const credential = credentialOf(limit);
    for (let each = 0; each < 3; each += 1) {
      const failure = await Promise.resolve(limiter.count(credential)).catch((error: unknown) => error);
      expect(isTemporaryFailure(failure)).toBe(true);
    }
  }
  await sql.end({ timeout: 0 });
});

test('requests that failed with the database are not counted, and later ones go on', async () => {
  const { url, sql: admin } = await testDatabase();
  const sql = connect(url, { connections: 1, name: 'test' });
  const limiter = new RateLimiter({ sql, clock });
  const credential = credentialOf(100);
  expect(await limiter.count(credential)).toMatchObject({ passed: true, remaining: 99 });
  await admin`alter table rate_windows rename to rate_windows_away`;
  // The lease holds for a while, but not beyond itself.
  const outcomes = await Promise.allSettled(
    Array.from({ length: 20 }, async () => await limiter.count(credential)),
  );
  const failed = outcomes.filter(({ status }) => status === 'rejected').length;
  expect(failed).toBeGreaterThanOrEqual(16);
  await admin`alter table rate_windows_away rename to rate_windows`;
  let passed = 1 + 20 - failed;
  while ((await limiter.count(credential)).passed) passed += 1;
  expect(passed).toBe(100);
  await sql.end();
});
