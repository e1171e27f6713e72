import { expect, test } from 'vitest';
import { localTime, momentOfLocal } from '../src/forms/body.ts';

const zone = 'Europe/Bratislava';

test.each([
  ['2026-01-15T10:00', '2026-01-15T09:00:00.000Z'],
  ['2026-07-15T10:00', '2026-07-15T08:00:00.000Z'],
  ['2026-07-15T10:00:30', '2026-07-15T08:00:00.000Z'],
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

test.each(['', 'tomorrow', '2026-07-15', '2026-13-40T10:00', '2026-07-15T25:00'])(
  '%j is no local time',
  (local) => {
    expect(momentOfLocal(local, zone)).toBeUndefined();
  },
);
