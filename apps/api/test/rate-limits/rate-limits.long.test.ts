import { describe, expect, test } from 'vitest';
import { drain, passedAtOnce, startLimited } from './limited-server.ts';

// Larger limits than `rate-limits.test.ts` tries.

const { dealkeep, nextMinute, organization, anotherProcess } = await startLimited();

test.each([19, 21, 120])('one process passes a limit of %i exactly, all at once', async (limit) => {
  const { key } = await organization({ credential: limit, organization: 100_000 });
  expect(await passedAtOnce([dealkeep.as(key)], limit + 10)).toBe(limit);
});

describe('several processes', () => {
  test.each([10, 120])('together never pass more than a limit of %i', async (limit) => {
    const { key } = await organization({ credential: limit, organization: 100_000 });
    const processes = [dealkeep.as(key), (await anotherProcess())(key), (await anotherProcess())(key)];
    for (let minute = 0; minute < 2; minute += 1) {
      nextMinute();
      // Each alone asks for more than there is, so no lease is left over.
      expect(await passedAtOnce(processes, limit + 5)).toBe(limit);
    }
  });

  test('refuse early at most by the leases that the others hold', async () => {
    const { key } = await organization({ credential: 120, organization: 100_000 });
    const other = (await anotherProcess())(key);
    nextMinute();
    await other.get('/me');
    const passed = 1 + (await drain(dealkeep.as(key)));
    expect(passed).toBeLessThanOrEqual(120);
    expect(passed).toBeGreaterThanOrEqual(120 - 6);
    // What the other one holds is not lost to it.
    expect(passed + (await drain(other))).toBe(120);
  });
});
