import { expect, test } from 'vitest';
import { Places } from '../../src/delivering/deliveries/send/places.ts';

const quickly = { durationMs: 5, delivered: true };
const slowly = { durationMs: 400, delivered: true };
const roomOf = (places: Places, webhook: string): number => places.roomOf(webhook, 0);

/** So many answers, each while as many are in flight as may be. */
function answer(places: Places, webhook: string, answers: number, ended = quickly): void {
  for (let done = 0; done < answers; done += 1) {
    const all = Array.from({ length: roomOf(places, webhook) }, () => places.enter(webhook));
    for (const place of all) place.leave(ended);
  }
}

test('a webhook has four in flight at first (rule deliveries 14)', () => {
  const places = new Places(100);
  expect(roomOf(places, 'a')).toBe(4);
  const all = Array.from({ length: 4 }, () => places.enter('a'));
  expect(roomOf(places, 'a')).toBe(0);
  expect(roomOf(places, 'b')).toBe(4);
  all[0]?.leave(quickly);
  expect(roomOf(places, 'a')).toBe(1);
  for (const place of all.slice(1)) place.leave(quickly);
  expect(places.size).toBe(0);
});

test('one that is busy and answers quickly gets more step by step, 32 at most, and fewer when it slows or fails (rule deliveries 14)', () => {
  const places = new Places(200);
  answer(places, 'a', 1);
  expect(roomOf(places, 'a')).toBeLessThanOrEqual(8);
  answer(places, 'a', 30);
  expect(roomOf(places, 'a')).toBe(32);
  places.enter('a').leave(slowly);
  expect(roomOf(places, 'a')).toBe(16);
  for (let failed = 0; failed < 5; failed += 1) places.enter('a').leave({ durationMs: 1, delivered: false });
  expect(roomOf(places, 'a')).toBe(4);
  // One that is far away, and well.
  answer(places, 'far', 31, { durationMs: 200, delivered: true });
  expect(roomOf(places, 'far')).toBe(32);
  // One that has little to do does not grow.
  for (let made = 0; made < 100; made += 1) places.enter('b').leave(quickly);
  expect(roomOf(places, 'b')).toBe(4);
});

test('an attempt that takes long frees its place, and its webhook gets one at a time until one is quick (rule deliveries 14)', () => {
  const places = new Places(2);
  answer(places, 'other', 1);
  const [first, second] = [places.enter('slow'), places.enter('slow')];
  first.slowDown();
  second.slowDown();
  expect(places.counts).toEqual({ fast: 0, slow: 2, slowWebhooks: 1 });
  expect(roomOf(places, 'other')).toBe(2);
  expect(roomOf(places, 'slow')).toBe(0);
  first.leave({ durationMs: 2000, delivered: true });
  expect(roomOf(places, 'slow')).toBe(0);
  second.leave({ durationMs: 2000, delivered: true });
  expect(roomOf(places, 'slow')).toBe(1);

  // The next one takes no fast place from the beginning.
  const third = places.enter('slow');
  expect(third.isTrial).toBe(false);
  expect(places.fast).toBe(0);
  expect(roomOf(places, 'slow')).toBe(0);
  third.leave(quickly);
  expect(places.known('slow')).toBe('quick');
});

test('with as many slow attempts as may be, slow webhooks get nothing and the others go on', () => {
  const places = new Places(10);
  const hanging = Array.from({ length: 2000 }, (_, index) => {
    const place = places.enter(`hanging ${index}`);
    place.slowDown();
    return place;
  });
  expect(roomOf(places, 'new')).toBe(4);
  hanging[0]?.leave({ durationMs: 10_000, delivered: false });
  expect(roomOf(places, 'hanging 0')).toBe(1);
  places.enter('another').slowDown();
  expect(roomOf(places, 'hanging 0')).toBe(0);
});

test('thousands that hang take no place from a webhook that answers late, but well', () => {
  const places = new Places(10);
  const late = places.enter('late');
  for (let index = 0; index < 2000; index += 1) places.enter(`hanging ${index}`).slowDown();
  late.slowDown();
  late.leave({ durationMs: 2000, delivered: true });
  expect(roomOf(places, 'late')).toBe(1);
  const second = places.enter('late');
  expect(roomOf(places, 'late')).toBe(0);
  second.slowDown();
  second.leave({ durationMs: 10_000, delivered: false });
  expect(roomOf(places, 'late')).toBe(0);
});

test('however many webhooks answer late, but well, they take no more than all that take long may', () => {
  const places = new Places(10);
  const late = places.enter('late');
  late.slowDown();
  late.leave({ durationMs: 2000, delivered: true });
  for (let index = 0; index < 2999; index += 1) places.enter(`slow ${index}`).slowDown();
  expect(roomOf(places, 'late')).toBe(1);
  places.enter('one more').slowDown();
  expect(roomOf(places, 'late')).toBe(0);
});

test('however many webhooks are tried of which nothing is known, half of the places are left to the quick ones', () => {
  const places = new Places(10);
  answer(places, 'quick', 1);
  for (let index = 0; index < 1000; index += 1) places.enter(`unknown ${index}`);
  expect(roomOf(places, 'quick')).toBeGreaterThanOrEqual(4);
  expect(roomOf(places, 'one more')).toBe(0);
});

test('of webhooks of which nothing is known each gets four at a time while they are few, and one when they are many', () => {
  const places = new Places(40);
  expect(roomOf(places, 'new')).toBe(4);
  for (let index = 0; index < 10; index += 1) places.enter(`unknown ${index}`);
  expect(roomOf(places, 'new')).toBe(1);
});

test('many that are busy share the places evenly, and each gets one whatever the others have', () => {
  const places = new Places(100);
  answer(places, 'a', 40);
  const others = Array.from({ length: 9 }, (_, index) => places.enter(`other ${index}`));
  expect(roomOf(places, 'a')).toBe(10);
  for (const other of others) other.leave(quickly);
  for (let taken = 0; taken < 100; taken += 1) places.enter('a');
  answer(places, 'b', 1);
  expect(roomOf(places, 'b')).toBe(1);
});

test('a webhook that rests gets nothing until its rest is over', () => {
  const places = new Places(10);
  answer(places, 'a', 1);
  places.rest('a', 1000);
  expect(places.roomOf('a', 999)).toBe(0);
  expect(places.roomOf('a', 1000)).toBeGreaterThan(0);
});

test('a rest is not longer than it was meant to be when the clock is set back', () => {
  const places = new Places(10);
  const rested = 3_600_000 + 60_000;
  places.rest('a', rested);
  expect(places.roomOf('a', 3_600_000)).toBe(0);
  expect(places.roomOf('a', 0)).toBeGreaterThan(0);
});
