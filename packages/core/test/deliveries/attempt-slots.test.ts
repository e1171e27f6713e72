import { expect, test } from 'vitest';
import { AttemptSlots } from '../../src/delivering/deliveries/state/attempt-slots.ts';

const quickly = { durationMs: 5, delivered: true };
const slowly = { durationMs: 400, delivered: true };
const roomOf = (slots: AttemptSlots, webhook: string): number => slots.roomOf(webhook, 0);

/** So many answers, each while as many are in flight as may be. */
function answer(slots: AttemptSlots, webhook: string, answers: number, ended = quickly): void {
  for (let done = 0; done < answers; done += 1) {
    const all = Array.from({ length: roomOf(slots, webhook) }, () => slots.enter(webhook));
    for (const slot of all) slot.leave(ended);
  }
}

test('a webhook has four in flight at first (rule deliveries 14)', () => {
  const slots = new AttemptSlots(100);
  expect(roomOf(slots, 'a')).toBe(4);
  const all = Array.from({ length: 4 }, () => slots.enter('a'));
  expect(roomOf(slots, 'a')).toBe(0);
  expect(roomOf(slots, 'b')).toBe(4);
  all[0]?.leave(quickly);
  expect(roomOf(slots, 'a')).toBe(1);
  for (const slot of all.slice(1)) slot.leave(quickly);
  expect(slots.size).toBe(0);
});

test('one that is busy and answers quickly gets more step by step, 32 at most, and fewer when it slows or fails (rule deliveries 14)', () => {
  const slots = new AttemptSlots(200);
  answer(slots, 'a', 1);
  expect(roomOf(slots, 'a')).toBeLessThanOrEqual(8);
  answer(slots, 'a', 30);
  expect(roomOf(slots, 'a')).toBe(32);
  slots.enter('a').leave(slowly);
  expect(roomOf(slots, 'a')).toBe(16);
  for (let failed = 0; failed < 5; failed += 1) slots.enter('a').leave({ durationMs: 1, delivered: false });
  expect(roomOf(slots, 'a')).toBe(4);
  // One that is far away, and well.
  answer(slots, 'far', 31, { durationMs: 200, delivered: true });
  expect(roomOf(slots, 'far')).toBe(32);
  // One that has little to do does not grow.
  for (let made = 0; made < 100; made += 1) slots.enter('b').leave(quickly);
  expect(roomOf(slots, 'b')).toBe(4);
});

test('an attempt that takes long frees its slot, and its webhook gets one at a time until one is quick (rule deliveries 14)', () => {
  const slots = new AttemptSlots(2);
  answer(slots, 'other', 1);
  const [first, second] = [slots.enter('slow'), slots.enter('slow')];
  first.slowDown();
  second.slowDown();
  expect(slots.counts).toEqual({ fast: 0, slow: 2, slowWebhooks: 1 });
  expect(roomOf(slots, 'other')).toBe(2);
  expect(roomOf(slots, 'slow')).toBe(0);
  first.leave({ durationMs: 2000, delivered: true });
  expect(roomOf(slots, 'slow')).toBe(0);
  second.leave({ durationMs: 2000, delivered: true });
  expect(roomOf(slots, 'slow')).toBe(1);

  // The next one takes no fast slot from the beginning.
  const third = slots.enter('slow');
  expect(third.isTrial).toBe(false);
  expect(slots.fast).toBe(0);
  expect(roomOf(slots, 'slow')).toBe(0);
  third.leave(quickly);
  expect(slots.known('slow')).toBe('quick');
});

test('with as many slow attempts as may be, slow webhooks get nothing and the others go on', () => {
  const slots = new AttemptSlots(10);
  const hanging = Array.from({ length: 2000 }, (_, index) => {
    const slot = slots.enter(`hanging ${index}`);
    slot.slowDown();
    return slot;
  });
  expect(roomOf(slots, 'new')).toBe(4);
  hanging[0]?.leave({ durationMs: 10_000, delivered: false });
  expect(roomOf(slots, 'hanging 0')).toBe(1);
  slots.enter('another').slowDown();
  expect(roomOf(slots, 'hanging 0')).toBe(0);
});

test('thousands that hang take no slot from a webhook that answers late, but well', () => {
  const slots = new AttemptSlots(10);
  const late = slots.enter('late');
  for (let index = 0; index < 2000; index += 1) slots.enter(`hanging ${index}`).slowDown();
  late.slowDown();
  late.leave({ durationMs: 2000, delivered: true });
  expect(roomOf(slots, 'late')).toBe(1);
  const second = slots.enter('late');
  expect(roomOf(slots, 'late')).toBe(0);
  second.slowDown();
  second.leave({ durationMs: 10_000, delivered: false });
  expect(roomOf(slots, 'late')).toBe(0);
});

test('however many webhooks answer late, but well, they take no more than all that take long may', () => {
  const slots = new AttemptSlots(10);
  const late = slots.enter('late');
  late.slowDown();
  late.leave({ durationMs: 2000, delivered: true });
  for (let index = 0; index < 2999; index += 1) slots.enter(`slow ${index}`).slowDown();
  expect(roomOf(slots, 'late')).toBe(1);
  slots.enter('one more').slowDown();
  expect(roomOf(slots, 'late')).toBe(0);
});

test('however many webhooks are tried of which nothing is known, half of the slots are left to the quick ones', () => {
  const slots = new AttemptSlots(10);
  answer(slots, 'quick', 1);
  for (let index = 0; index < 1000; index += 1) slots.enter(`unknown ${index}`);
  expect(roomOf(slots, 'quick')).toBeGreaterThanOrEqual(4);
  expect(roomOf(slots, 'one more')).toBe(0);
});

test('of webhooks of which nothing is known each gets four at a time while they are few, and one when they are many', () => {
  const slots = new AttemptSlots(40);
  expect(roomOf(slots, 'new')).toBe(4);
  for (let index = 0; index < 10; index += 1) slots.enter(`unknown ${index}`);
  expect(roomOf(slots, 'new')).toBe(1);
});

test('many that are busy share the slots evenly, and each gets one whatever the others have', () => {
  const slots = new AttemptSlots(100);
  answer(slots, 'a', 40);
  const others = Array.from({ length: 9 }, (_, index) => slots.enter(`other ${index}`));
  expect(roomOf(slots, 'a')).toBe(10);
  for (const other of others) other.leave(quickly);
  for (let taken = 0; taken < 100; taken += 1) slots.enter('a');
  answer(slots, 'b', 1);
  expect(roomOf(slots, 'b')).toBe(1);
});

test('a webhook that rests gets nothing until its rest is over', () => {
  const slots = new AttemptSlots(10);
  answer(slots, 'a', 1);
  slots.rest('a', 1000);
  expect(slots.roomOf('a', 999)).toBe(0);
  expect(slots.roomOf('a', 1000)).toBeGreaterThan(0);
});

test('a rest is not longer than it was meant to be when the clock is set back', () => {
  const slots = new AttemptSlots(10);
  const rested = 3_600_000 + 60_000;
  slots.rest('a', rested);
  expect(slots.roomOf('a', 3_600_000)).toBe(0);
  expect(slots.roomOf('a', 0)).toBeGreaterThan(0);
});
