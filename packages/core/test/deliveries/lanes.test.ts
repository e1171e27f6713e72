import { expect, test } from 'vitest';
import { Lanes } from '../../src/deliveries/lanes.ts';

test('a webhook has four in flight at most', () => {
  const lanes = new Lanes(10);
  const places = Array.from({ length: 4 }, () => lanes.enter('a'));
  expect(lanes.isFull('a')).toBe(true);
  expect(lanes.isFull('b')).toBe(false);
  expect(lanes.room()).toEqual(new Map([['a', 0]]));
  expect(lanes.free).toBe(6);
  places[0]?.leave();
  expect(lanes.room()).toEqual(new Map([['a', 1]]));
  for (const place of places.slice(1)) place.leave();
  expect(lanes.room()).toEqual(new Map());
  expect(lanes.size).toBe(0);
});

test('an attempt that takes long frees its fast place, and its webhook gets one at a time until one is quick', () => {
  const lanes = new Lanes(2);
  const [first, second] = [lanes.enter('slow'), lanes.enter('slow')];
  expect(lanes.free).toBe(0);
  first.slowDown();
  second.slowDown();
  expect(lanes.free).toBe(2);
  expect(lanes.isFull('slow')).toBe(true);
  first.leave();
  expect(lanes.isFull('slow')).toBe(true);
  second.leave();
  expect(lanes.room()).toEqual(new Map([['slow', 1]]));

  // The next one takes no fast place from the beginning.
  const third = lanes.enter('slow');
  expect(lanes.free).toBe(2);
  expect(lanes.isFull('slow')).toBe(true);
  third.leave();
  expect(lanes.room()).toEqual(new Map());
});

test('with a full slow lane, slow webhooks get nothing and the others go on', () => {
  const lanes = new Lanes(10);
  const hanging = Array.from({ length: 2000 }, (_, index) => {
    const place = lanes.enter(`hanging ${index}`);
    place.slowDown();
    return place;
  });
  expect(lanes.free).toBe(10);
  expect(lanes.isFull('new')).toBe(false);
  hanging[0]?.leave();
  const another = lanes.enter('another');
  another.slowDown();
  expect(lanes.isFull('hanging 0')).toBe(true);
  const late = lanes.enter('late');
  late.slowDown();
  expect(lanes.free).toBe(9);
});
