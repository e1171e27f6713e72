import { eventually } from '@dealkeep/testing';
import { expect, test } from 'vitest';
import { Batcher } from '../../src/database/batcher.ts';

/** A batcher that shows its batches and ends each when told. */
function observed() {
  const batches: { numbers: readonly number[]; end: PromiseWithResolvers<void> }[] = [];
  const batcher = new Batcher<number, number>(async (numbers) => {
    const end = Promise.withResolvers<void>();
    batches.push({ numbers, end });
    await end.promise;
    return numbers.map((number) => number * 10);
  });
  const turn = () => new Promise((resolve) => setImmediate(() => setImmediate(() => setImmediate(resolve))));
  return { batcher, batches, turn };
}

test('what is asked for in one turn goes together, and each gets what is its own', async () => {
  const { batcher, batches, turn } = observed();
  const answers = Promise.all([1, 2, 3].map((number) => batcher.ask(number)));
  await turn();
  expect(batches.map(({ numbers }) => numbers)).toEqual([[1, 2, 3]]);
  batches[0]?.end.resolve();
  expect(await answers).toEqual([10, 20, 30]);
});

test('what comes meanwhile gathers for the next one, fifty at most', async () => {
  const { batcher, batches, turn } = observed();
  const first = batcher.ask(0);
  await turn();
  const later = Promise.all(Array.from({ length: 60 }, (_, at) => batcher.ask(at + 1)));
  await turn();
  expect(batches).toHaveLength(1);
  for (let at = 0; at < 3; at += 1) {
    batches[at]?.end.resolve();
    await turn();
  }
  expect(batches.map(({ numbers }) => numbers.length)).toEqual([1, 50, 10]);
  expect(await first).toBe(0);
  expect((await later).at(-1)).toBe(600);
});

test('a failure is told to those that it concerns, and the next ones are asked', async () => {
  const { batcher, batches, turn } = observed();
  const lost = Promise.allSettled([batcher.ask(1), batcher.ask(2)]);
  await turn();
  const next = batcher.ask(3);
  batches[0]?.end.reject(new Error('gone'));
  expect((await lost).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  await turn();
  batches[1]?.end.resolve();
  expect(await next).toBe(30);
});

test('one that hangs holds up the next one only for a moment', async () => {
  const { batcher, batches, turn } = observed();
  const hanging = batcher.ask(1);
  await turn();
  const next = batcher.ask(2);
  await eventually(() => expect(batches).toHaveLength(2));
  batches[1]?.end.resolve();
  expect(await next).toBe(20);
  batches[0]?.end.resolve();
  expect(await hanging).toBe(10);
});
