import { expect, test } from 'vitest';
import {
  attemptsAhead,
  attemptsToLease,
  attemptsToStart,
  type Busyness,
  isTooLate,
  isWorthGathering,
  jobOfRetryInMs,
  nextStep,
  type Pace,
  paceAfter,
  type RunStatus,
} from '../../src/delivering/deliveries/decide.ts';
import { nearRetryMs } from '../../src/foundations/operating-limits.ts';

const pace = (changes: Partial<Pace> = {}): Pace => ({
  ...{ inFlight: 0, most: 4, known: 'nothing', arrivesLate: false, restsUntil: 0 },
  ...changes,
});
const busy = (changes: Partial<Busyness['taken']> = {}, webhooks = 1): Busyness => ({
  fastSlots: 100,
  taken: { quick: 0, nothing: 0, slow: 0, ...changes },
  webhooks,
});

test.each([
  ['nothing is known of it', pace(), busy(), 4],
  ['nothing is known of it, and one is in flight', pace({ inFlight: 1 }), busy({ nothing: 1 }), 3],
  ['many are tried of which nothing is known', pace(), busy({ nothing: 25 }), 1],
  ['its attempts take long', pace({ known: 'slow' }), busy(), 1],
  ['its attempts take long, and one is in flight', pace({ known: 'slow', inFlight: 1 }), busy(), 0],
  ['it answers quickly', pace({ known: 'quick', most: 32 }), busy(), 32],
  ['it shares with many', pace({ known: 'quick', most: 32 }), busy({}, 9), 10],
  ['all slots are taken', pace({ known: 'quick', most: 32 }), busy({ quick: 100 }), 1],
  ['all slots are taken, one by itself', pace({ known: 'quick', inFlight: 1 }), busy({ quick: 100 }), 0],
  ['it rests', pace({ known: 'quick', restsUntil: 10 }), busy(), 0],
] as const)('what may start now where %s', (_, webhook, busyness, attempts) => {
  expect(attemptsToStart(webhook, busyness, 5)).toBe(attempts);
});

test('leased ahead is as much again as may be in flight, up to four times where few are busy, and nothing where it is not quick', () => {
  expect(attemptsAhead(pace({ most: 8 }), busy())).toBe(0);
  expect(attemptsAhead(pace({ known: 'quick' }), busy())).toBe(0);
  expect(attemptsAhead(pace({ known: 'quick', most: 8 }), busy())).toBe(32);
  expect(attemptsAhead(pace({ known: 'quick', most: 8 }), busy({}, 10))).toBe(10);
  expect(attemptsAhead(pace({ known: 'quick', most: 8 }), busy({}, 50))).toBe(8);
});

test('more is leased when half of what was leased ahead has been sent', () => {
  expect(attemptsToLease(4, 0, 0)).toBe(4);
  expect(attemptsToLease(4, 0, 1)).toBe(0);
  expect(attemptsToLease(0, 32, 17)).toBe(0);
  expect(attemptsToLease(2, 32, 16)).toBe(18);
});

test('a quick answer of a busy webhook lets it have one more; a late one, or a failure, half (rule deliveries 14)', () => {
  const quick = pace({ known: 'quick', most: 16, inFlight: 8 });
  const arrived = { durationMs: 5, delivered: true };
  expect(paceAfter(pace({ known: 'slow', most: 9 }), arrived)).toEqual({ known: 'quick', most: 4 });
  expect(paceAfter(quick, arrived)).toEqual({ known: 'quick', most: 17 });
  expect(paceAfter({ ...quick, inFlight: 7 }, arrived)).toEqual({ known: 'quick', most: 16 });
  expect(paceAfter({ ...quick, most: 32, inFlight: 32 }, arrived)).toEqual({ known: 'quick', most: 32 });
  expect(paceAfter(quick, { durationMs: 400, delivered: true })).toEqual({ known: 'quick', most: 8 });
  expect(paceAfter(quick, { durationMs: 5, delivered: false })).toEqual({ known: 'quick', most: 8 });
});

const few = { all: 1, lingering: 0, slots: 10 };
const many = { all: 6, lingering: 5, slots: 10 };
const status = (changes: Partial<RunStatus>): RunStatus => ({
  ...{ mayHaveMore: false, isTimeUp: false, room: 4, inFlight: 0, waiting: 0, known: 'quick', runs: few },
  ...changes,
});

test.each([
  ['leases while more may be due and there is room', { mayHaveMore: true }, 'lease'],
  ['waits for its attempts where there is no room', { mayHaveMore: true, room: 0, inFlight: 4 }, 'wait'],
  ['waits for its attempts where nothing more is due', { inFlight: 1, runs: many }, 'wait'],
  ['ends after its time, while more is due', { mayHaveMore: true, isTimeUp: true }, 'end'],
  ['ends after its time with attempts in flight', { mayHaveMore: true, isTimeUp: true, inFlight: 4 }, 'end'],
  ['sends first what it has leased', { mayHaveMore: true, isTimeUp: true, inFlight: 4, waiting: 1 }, 'wait'],
  ['ends where its attempts take long', { inFlight: 1, known: 'slow' }, 'end'],
  ['waits for a first answer while few run', { inFlight: 1, known: 'nothing' }, 'wait'],
  ['waits for none while half of the slots are taken', { inFlight: 1, known: 'nothing', runs: many }, 'end'],
  ['lingers when nothing is left', {}, 'linger'],
  ['lingers beside many, while few linger', { runs: { ...many, lingering: 4 } }, 'linger'],
  ['does not linger beside as many as may', { runs: many }, 'end'],
  ['does not linger where its webhook is slow and many run', { known: 'slow', runs: many }, 'end'],
  ['ends where its webhook rests', { mayHaveMore: true, room: 0 }, 'end'],
  ['ends where it may not send what it has leased', { room: 0, waiting: 1 }, 'end'],
] as const)('a run %s', (_, changes, step) => {
  expect(nextStep(status(changes))).toBe(step);
});

test('a round of leases waits for others only where many attempts are in flight and more runs than have asked', () => {
  expect(isWorthGathering(19, 100, 1)).toBe(false);
  expect(isWorthGathering(20, 100, 1)).toBe(true);
  expect(isWorthGathering(20, 1, 1)).toBe(false);
});

test('what was leased for a pace is not sent after its moment', () => {
  expect(isTooLate({ startBy: undefined }, 10)).toBe(false);
  expect(isTooLate({ startBy: 10 }, 10)).toBe(false);
  expect(isTooLate({ startBy: 9 }, 10)).toBe(true);
});

test('a retry that is near has a job; what comes later, and what is over, has none', () => {
  const now = Date.parse('2026-10-01T08:00:00.000Z');
  const at = (ms: number) => new Date(now + ms).toISOString();
  expect(jobOfRetryInMs(at(5000), now)).toBe(5000);
  expect(jobOfRetryInMs(at(-1), now)).toBe(0);
  expect(jobOfRetryInMs(at(nearRetryMs), now)).toBe(nearRetryMs);
  expect(jobOfRetryInMs(at(nearRetryMs + 1), now)).toBeUndefined();
  expect(jobOfRetryInMs(null, now)).toBeUndefined();
});
