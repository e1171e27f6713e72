import { expect, test } from 'vitest';
import {
  type AttemptResult,
  hasFailedTooLong,
  healthAfter,
} from '../../src/delivering/webhooks/webhook-health.ts';

const hour = 3_600_000;
const start = Date.parse('2026-10-01T08:00:00.000Z');
const at = (hours: number): Date => new Date(start + hours * hour);
const text = (hours: number): string => at(hours).toISOString();
const failed = (hours: number): AttemptResult => ({
  startedAt: at(hours),
  endedAt: at(hours),
  delivered: false,
});
const delivered = (hours: number): AttemptResult => ({ ...failed(hours), delivered: true });
const well = { failing_since: null, idle_since: null, failing_told_at: null };

test('failing counts from the first failure after the last success', () => {
  expect(healthAfter(well, [failed(1)])).toEqual({ ...well, failing_since: text(1) });
  expect(healthAfter({ ...well, failing_since: text(1) }, [failed(5)])).toEqual({
    ...well,
    failing_since: text(1),
  });
  expect(healthAfter({ ...well, failing_since: text(1) }, [delivered(5)])).toEqual(well);
  expect(healthAfter({ ...well, failing_since: text(1), idle_since: text(2) }, [delivered(5)])).toEqual(well);
});

test('of attempts written together, the order of their ends decides', () => {
  expect(healthAfter(well, [delivered(2), failed(1)])).toEqual(well);
  expect(healthAfter(well, [failed(2), delivered(1)]).failing_since).toBe(text(2));
  expect(healthAfter(well, [failed(3), delivered(2), failed(1)]).failing_since).toBe(text(3));
});

test('a success that ended before the first failure but was written later does not end the failing', () => {
  const failing = { ...well, failing_since: text(2) };
  expect(healthAfter(failing, [delivered(1)])).toEqual(failing);
});

test('time in which nothing was to be delivered does not count', () => {
  const idle = { ...well, failing_since: text(0), idle_since: text(56) };
  expect(healthAfter(idle, [failed(200)])).toEqual({ ...well, failing_since: text(144) });
  // Failed 56 hours before and 15 since: not yet; with one more it is.
  const failing = healthAfter(idle, [failed(200)]);
  expect(hasFailedTooLong(failing, at(215.9))).toBe(false);
  expect(hasFailedTooLong(failing, at(216))).toBe(true);
});

test('a webhook ends after 72 hours of failing, not before', () => {
  expect(hasFailedTooLong({ ...well, failing_since: text(0) }, at(71.999))).toBe(false);
  expect(hasFailedTooLong({ ...well, failing_since: text(0) }, at(72))).toBe(true);
  expect(hasFailedTooLong(well, at(1000))).toBe(false);
});
