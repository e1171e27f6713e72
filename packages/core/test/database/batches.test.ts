import { eventually } from '@dealkeep/testing';
import { expect, test } from 'vitest';
import { Batches } from '../../src/foundations/database/batches.ts';
import { ErrorThrottle } from '../../src/foundations/error-throttle.ts';

const log = { debug() {}, info() {}, warn() {}, error() {} };
const tooLongToWait = 600_000;

/** Batches of numbers, of which three are enough and those from 100 on urgent; and what was written. */
function batches(most?: { count: number; onFirstDropped(): void }) {
  const written: number[][] = [];
  let mayWrite = Promise.resolve();
  const all = new Batches<number>({
    atOnce: 10,
    gathered: { count: 3, forMs: tooLongToWait },
    isUrgent: (item) => item >= 100,
    write: async (batch) => {
      await mayWrite;
      written.push([...batch]);
      return [];
    },
    pauseMs: { first: 1, longest: 1 },
    trouble: new ErrorThrottle({ log, level: 'warn', begins: '', ends: '' }),
    ...(most ? { most } : {}),
  });
  /** Nothing more is written until this is called. */
  const hold = (): (() => void) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    mayWrite = promise;
    return resolve;
  };
  return { all, written, hold };
}

test('few are gathered until they are enough, or one of them is urgent', async () => {
  const { all, written } = batches();
  all.add([1]);
  all.add([100]);
  await eventually(() => expect(written).toEqual([[1, 100]]));
  all.add([2]);
  // Behind a large batch a few wait for a moment only, as at the end of a backlog.
  await eventually(() => expect(written).toEqual([[1, 100], [2]]));
  all.add([3, 4]);
  all.add([5]);
  await eventually(() => expect(written.slice(2)).toEqual([[3, 4, 5]]));
  all.add([6]);
  await eventually(() => expect(written.slice(3)).toEqual([[6]]));
  all.add([7]);
  await all.finish();
  expect(written.slice(4)).toEqual([[7]]);
  all.add([8]);
  expect(all.size).toBe(0);
});

test('of more than are kept the oldest that are not being written go, and are counted', async () => {
  let told = 0;
  const { all, written, hold } = batches({
    count: 3,
    onFirstDropped() {
      told += 1;
    },
  });
  const goOn = hold();
  all.add([1, 2, 3]);
  for (const more of [4, 5]) all.add([more]);
  expect({ told, dropped: all.dropped, size: all.size }).toEqual({ told: 1, dropped: 2, size: 3 });
  goOn();
  await all.finish();
  expect(written).toEqual([[1, 2, 3]]);
});
