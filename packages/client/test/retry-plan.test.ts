import { expect, test } from 'vitest';
import { retryAfterSeconds } from '../src/transport/index.ts';
import { delayBeforeNext } from '../src/transport/retry.ts';

const earliest = () => 0.999999;
const latest = () => 0;

test('waits double, up to 20 seconds, and chance takes at most half away', () => {
  const attempts = [1, 2, 3, 4, 5, 6, 7];

  expect(attempts.map((attempt) => delayBeforeNext(attempt, undefined, latest))).toEqual([
    1000, 2000, 4000, 8000, 16_000, 20_000, 20_000,
  ]);
  expect(attempts.map((attempt) => delayBeforeNext(attempt, undefined, earliest))).toEqual([
    500, 1000, 2000, 4000, 8000, 10_000, 10_000,
  ]);
});

test('never waits less than the API asks for, and chance adds at most a second', () => {
  expect(delayBeforeNext(1, 30, () => 0)).toBe(30_000);
  expect(delayBeforeNext(1, 30, () => 0.999999)).toBe(31_000);
});

test('an API that asks for no time at all is not asked at once again', () => {
  expect(delayBeforeNext(3, 0, () => 0)).toBe(2000);
});

test('Retry-After is a number of seconds, a date, or nothing', () => {
  const now = Date.parse('2026-10-01T12:00:00.250Z');

  expect(retryAfterSeconds('12', now)).toBe(12);
  expect(retryAfterSeconds('Thu, 01 Oct 2026 12:00:10 GMT', now)).toBe(10);
  expect(retryAfterSeconds('Thu, 01 Oct 2026 11:00:00 GMT', now)).toBe(0);
  expect(retryAfterSeconds('soon', now)).toBeUndefined();
  expect(retryAfterSeconds(null, now)).toBeUndefined();
});
