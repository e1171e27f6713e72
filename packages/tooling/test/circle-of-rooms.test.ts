import { expect, test } from 'vitest';
import { circleOfRooms } from '../src/circle-of-rooms.ts';

const arrow = (from: string, ...to: readonly string[]) => ({
  source: `packages/core/src/${from}`,
  dependencies: to.map((each) => ({ resolved: `packages/core/src/${each}` })),
});

test('rooms of core that stand in a circle are named in its order, though no files stand in one', () => {
  expect(
    circleOfRooms([
      arrow('change/verb/verb.ts', 'change/events/event.ts'),
      arrow('records/leads/record.ts', 'change/verb/verb.ts'),
      arrow('change/events/old/feed.ts', 'change/audit/entry.ts'),
      arrow('change/audit/list.ts', 'change/verb/change.ts'),
    ]),
  ).toEqual(
    ['change/verb', 'change/events', 'change/audit', 'change/verb'].map(
      (each) => `packages/core/src/${each}`,
    ),
  );
});

test('arrows within a room, and two ways to one room, are no circle', () => {
  expect(
    circleOfRooms([
      arrow('delivering/deliveries/lease/lease.ts', 'delivering/deliveries/send/send.ts'),
      arrow('delivering/deliveries/send/send.ts', 'delivering/webhooks/keys.ts', 'foundations/clock.ts'),
      arrow('delivering/webhooks/keys.ts', 'foundations/clock.ts'),
    ]),
  ).toBeUndefined();
});
