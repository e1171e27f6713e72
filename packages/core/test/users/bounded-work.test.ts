import { expect, test } from 'vitest';
import { BoundedWork } from '../../src/users/bounded-work.ts';

/** Work that goes on until it is told to end. */
function works() {
  const running: { name: string; end: (error?: Error) => void }[] = [];
  const begin = (name: string) => () =>
    new Promise<string>((resolve, reject) => {
      running.push({ name, end: (error) => (error ? reject(error) : resolve(name)) });
    });
  return { begin, running, names: () => running.map(({ name }) => name) };
}

test('so much runs at once, so much waits in its order, the rest is refused', async () => {
  const { begin, running, names } = works();
  const bounded = new BoundedWork({ atOnce: 2, waiting: 2 });
  const given = ['a', 'b', 'c', 'd', 'e'].map((name) => bounded.run(begin(name)));
  expect(given.map((each) => each !== undefined)).toEqual([true, true, true, true, false]);
  expect(names()).toEqual(['a', 'b']);
  running[1]?.end();
  expect(await given[1]).toBe('b');
  expect(names()).toEqual(['a', 'b', 'c']);
  for (const each of running) each.end();
  await given[2];
  expect(names()).toEqual(['a', 'b', 'c', 'd']);
});

test('work that fails makes place like any other', async () => {
  const { begin, running } = works();
  const bounded = new BoundedWork({ atOnce: 1, waiting: 1 });
  const [first, second] = [bounded.run(begin('a')), bounded.run(begin('b'))];
  running[0]?.end(new Error('failed'));
  await expect(first).rejects.toThrow('failed');
  running[1]?.end();
  expect(await second).toBe('b');
  expect(bounded.run(begin('c'))).toBeDefined();
});
