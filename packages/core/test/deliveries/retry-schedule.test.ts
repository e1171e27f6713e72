import { expect, test } from 'vitest';
import { judgeAttempt, parseRetryAfter, retryDelayMs } from '../../src/delivering/deliveries/judge.ts';

const seconds = [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 86_400];

test('the delays are those that are promised, and jitter only makes them longer, by at most a tenth (rule deliveries 9)', () => {
  expect(seconds.map((_, index) => retryDelayMs(index + 1, undefined, 0))).toEqual(
    seconds.map((each) => each * 1000),
  );
  expect(seconds.map((_, index) => retryDelayMs(index + 1, undefined, 1))).toEqual(
    seconds.map((each) => each * 1100),
  );
});

test('there is no tenth attempt, whatever the receiver asks for', () => {
  expect(retryDelayMs(9, undefined, 0.5)).toBeUndefined();
  expect(retryDelayMs(9, 60, 0.5)).toBeUndefined();
});

test('Retry-After makes a delay longer, never shorter, and ends at 24 hours (rule deliveries 10)', () => {
  expect(retryDelayMs(1, 60, 0)).toBe(60_000);
  expect(retryDelayMs(1, 1, 0)).toBe(5000);
  expect(retryDelayMs(1, 0, 0)).toBe(5000);
  expect(retryDelayMs(3, 86_401, 1)).toBe(86_400_000);
  expect(retryDelayMs(3, Number.POSITIVE_INFINITY, 1)).toBe(86_400_000);
  // The last delay with its jitter is longer than the cap already.
  expect(retryDelayMs(8, 1e9, 1)).toBe(95_040_000);
});

const now = new Date('2026-10-01T08:00:00.000Z');

test.each([
  ['120', 120],
  [' 120 ', 120],
  ['0', 0],
  ['9'.repeat(400), Number.POSITIVE_INFINITY],
  ['Thu, 01 Oct 2026 08:02:00 GMT', 120],
  ['Thursday, 01-Oct-26 08:02:00 GMT', 120],
  ['Thu Oct  1 08:02:00 2026', 120],
  ['Thu, 01 Oct 2026 07:00:00 GMT', 0],
  ['Sat, 01 Jan 0000 00:00:00 GMT', 0],
  ['Sunday, 06-Nov-94 08:49:37 GMT', 0],
  ['Fri, 31 Dec 9999 23:59:59 GMT', 251_611_459_199],
])('Retry-After: %s is %d seconds', (value, expected) => {
  expect(parseRetryAfter(value, now)).toBe(expected);
});

test.each([
  undefined,
  '',
  '-1',
  `-${'9'.repeat(300)}`,
  'NaN',
  '1e308',
  'Fri, 31 Dec 99999 23:59:59 GMT',
  '1.5',
  '1e3',
  '0x10',
  'soon',
  '10 s',
  '2026-10-01T09:00:00Z',
  'Oct 2',
  'GMT',
  'foo 5 GMT',
  'Thu, 32 Oct 2026 08:02:00 GMT',
  'Thu, 01 Foo 2026 08:02:00 GMT',
  'Thu, 01 Oct 2026 08:02:00 CET',
  '60, 120',
])('Retry-After: %s is ignored', (value) => {
  expect(parseRetryAfter(value, now)).toBeUndefined();
});

const answered = (status: number, retryAfter?: string, attempts = 0) =>
  judgeAttempt(
    {
      delivery: { attempts, by_hand: false, retry_at: null },
      endedAt: now,
      outcome: {
        outcome: 'answered',
        status,
        headers: retryAfter === undefined ? {} : { retryAfter },
        responseStart: '',
        durationMs: 1,
      },
    },
    0,
  );
const dueIn = (ms: number) => new Date(now.getTime() + ms).toISOString();

test('any 2xx is a success', () => {
  for (const status of [200, 201, 202, 204, 226, 299]) {
    expect(answered(status)).toEqual({ fate: 'delivered', dueAt: null });
  }
});

test('every other status but 410 is tried again', () => {
  for (const status of [
    300, 301, 302, 303, 304, 307, 308, 400, 401, 403, 404, 409, 422, 429, 500, 502, 503, 599,
  ]) {
    expect(answered(status)).toEqual({ fate: 'again', dueAt: dueIn(5000) });
  }
  expect(answered(410)).toEqual({ fate: 'gone', dueAt: null });
  expect(answered(500, undefined, 8)).toEqual({ fate: 'given up', dueAt: null });
});

test('Retry-After counts with 429 and 503 only', () => {
  for (const status of [429, 503]) expect(answered(status, '60').dueAt).toBe(dueIn(60_000));
  for (const status of [400, 404, 408, 425, 500, 502, 504, 301])
    expect(answered(status, '60').dueAt).toBe(dueIn(5000));
});
