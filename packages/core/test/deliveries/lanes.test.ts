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
  lanes.enter('slow').leave();
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
  expect(lanes.freeForUnknown).toBe(1000);
  hanging[0]?.leave();
  const another = lanes.enter('another');
  expect(another.isTrial).toBe(true);
  another.slowDown();
  expect(lanes.isFull('hanging 0')).toBe(true);
  expect(lanes.enter('hanging 0').isTrial).toBe(false);

  // However full it is, nobody who takes long keeps a fast place.
  const late = lanes.enter('late');
  expect(lanes.free).toBe(9);
  late.slowDown();
  expect(lanes.free).toBe(10);
  expect(lanes.freeForUnknown).toBe(998);
});

test('however many webhooks are tried of which nothing is known, half of the fast places are left to the quick ones', () => {
  const lanes = new Lanes(10);
  lanes.enter('quick').leave();
  const unknown = Array.from({ length: 1000 }, (_, index) => lanes.enter(`unknown ${index}`));
  expect(lanes.free).toBe(5);
  expect(lanes.freeForUnknown).toBe(0);
  expect(lanes.quickRoom()).toEqual(new Map([['quick', 4]]));
  lanes.enter('quick');
  expect(lanes.free).toBe(4);
  expect(lanes.quickRoom()).toEqual(new Map([['quick', 3]]));
  unknown[0]?.leave();
  expect(lanes.freeForUnknown).toBe(1);
  expect(lanes.quickRoom().get('unknown 0')).toBe(4);
  unknown[1]?.slowDown();
  expect(lanes.freeForUnknown).toBe(2);
  expect(lanes.quickRoom().has('unknown 1')).toBe(false);
});

test('of webhooks of which nothing is known each gets four at a time while they are few, and one when they are many', () => {
  const lanes = new Lanes(40);
  expect(lanes.perUnknown).toBe(4);
  for (let index = 0; index < 10; index += 1) lanes.enter(`unknown ${index}`);
  expect(lanes.perUnknown).toBe(1);
});

test('a webhook that rests gets nothing, as a quick one and as any, until its rest is over', () => {
  const lanes = new Lanes(10);
  lanes.enter('a').leave();
  lanes.rest('a', 1000);
  expect([lanes.room(), lanes.quickRoom()]).toEqual([new Map([['a', 0]]), new Map()]);
  lanes.endRests(999);
  expect(lanes.room()).toEqual(new Map([['a', 0]]));
  lanes.endRests(1000);
  expect(lanes.room()).toEqual(new Map());
});
