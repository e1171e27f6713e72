import { addDays, clockTime, dayOf, localTime, momentOfLocal, nextHour } from '@dealkeep/core/foundations';
import { expect, test } from 'vitest';

const zone = 'Europe/Bratislava';

test.each([
  ['2026-01-15T10:00', '2026-01-15T09:00:00.000Z'],
  ['2026-07-15T10:00', '2026-07-15T08:00:00.000Z'],
  ['2026-07-15T10:00:30', '2026-07-15T08:00:30.000Z'],
  ['2026-03-29T01:59', '2026-03-29T00:59:00.000Z'],
  ['2026-03-29T03:00', '2026-03-29T01:00:00.000Z'],
  ['2026-10-25T01:30', '2026-10-24T23:30:00.000Z'],
  ['2026-10-25T03:30', '2026-10-25T02:30:00.000Z'],
])('%s in Bratislava is %s, and back', (local, moment) => {
  expect(momentOfLocal(local, zone)).toBe(moment);
  expect(localTime(moment, zone)).toBe(local.slice(0, 16));
});

test('an hour that is skipped in spring is the one after it', () => {
  const moment = momentOfLocal('2026-03-29T02:30', zone) ?? '';
  expect(localTime(moment, zone)).toBe('2026-03-29T03:30');
});

test('an hour that comes twice in autumn is the first of the two', () => {
  expect(momentOfLocal('2026-10-25T02:30', zone)).toBe('2026-10-25T00:30:00.000Z');
});

test.each(['', 'tomorrow', '2026-07-15', '2026-02-31T10:00', '2026-13-40T10:00', '2026-07-15T25:00'])(
  '%j is no local time',
  (local) => {
    expect(momentOfLocal(local, zone)).toBeUndefined();
  },
);

test('the next full hour is one of the clocks there, also where they differ by half an hour', () => {
  expect(nextHour('2026-11-23T04:40:00Z', 'Asia/Kolkata')).toBe('2026-11-23T11:00');
  expect(nextHour('2026-11-23T23:59:59Z', zone)).toBe('2026-11-24T01:00');
  expect(nextHour('2026-11-23T10:00:00Z', zone)).toBe('2026-11-23T12:00');
});

test('a day is that of the clocks there, and days are counted over the ends of months', () => {
  expect(dayOf('2026-11-23T23:30:00Z', zone)).toBe('2026-11-24');
  expect(clockTime('2026-11-23T23:30:15Z', zone)).toBe('2026-11-24 00:30:15');
  expect([addDays('2026-12-31', 1), addDays('2026-03-01', -1)]).toEqual(['2027-01-01', '2026-02-28']);
});
