import { describe, expect, test } from 'vitest';
import { BoundedWork } from '../../src/identity/passwords/password.ts';

/** Work that goes on until it is told to end, and how each piece of it ended. */
function works(limits: { atOnce: number; waiting: number }) {
  const bounded = new BoundedWork(limits);
  const running: { name: string; end: (error?: Error) => void }[] = [];
  const ended: Record<string, string> = {};
  const begin = (lane: string, name: string): void => {
    const work = () =>
      new Promise<string>((resolve, reject) => {
        running.push({ name, end: (error) => (error ? reject(error) : resolve('done')) });
      });
    bounded.run(lane, work).then(
      (result) => (ended[name] = result),
      (error) => (ended[name] = error.code ?? error.message),
    );
  };
  /** Ends what runs, and what comes in its place, until all is done. */
  const finish = async () => {
    for (let at = 0; at < running.length; at += 1) {
      running[at]?.end();
      await new Promise(setImmediate);
    }
    return running.map(({ name }) => name);
  };
  return { begin, running, ended, finish };
}

test('so much runs at once, so much waits in its order, the rest is refused', async () => {
  const { begin, ended, finish } = works({ atOnce: 2, waiting: 2 });
  for (const name of ['a', 'b', 'c', 'd', 'e']) begin('one', name);
  expect(await finish()).toEqual(['a', 'b', 'c', 'd']);
  expect(ended).toEqual({ a: 'done', b: 'done', c: 'done', d: 'done', e: 'SERVICE_UNAVAILABLE' });
});

test('work that fails makes place like any other', async () => {
  const { begin, running, ended, finish } = works({ atOnce: 1, waiting: 1 });
  begin('one', 'a');
  begin('one', 'b');
  running[0]?.end(new Error('failed'));
  expect(await finish()).toEqual(['a', 'b']);
  begin('one', 'c');
  await finish();
  expect(ended).toEqual({ a: 'failed', b: 'done', c: 'done' });
});

describe('whoever asks for much only gets in the way of themselves', () => {
  test('lanes take turns', async () => {
    const { begin, finish } = works({ atOnce: 1, waiting: 10 });
    for (const name of ['a1', 'a2', 'a3', 'a4']) begin('a', name);
    begin('b', 'b1');
    begin('c', 'c1');
    begin('b', 'b2');
    expect(await finish()).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4']);
  });

  test('when there is no room, the longest lane gives way, and nobody to its own', async () => {
    const { begin, ended, finish } = works({ atOnce: 1, waiting: 4 });
    for (const name of ['a1', 'a2', 'a3', 'a4', 'a5', 'a6']) begin('a', name);
    for (const name of ['b1', 'c1', 'd1', 'e1']) begin(name, name);
    expect(await finish()).toEqual(['a1', 'a2', 'b1', 'c1', 'd1']);
    expect(ended).toMatchObject({
      a3: 'SERVICE_UNAVAILABLE',
      a4: 'SERVICE_UNAVAILABLE',
      a5: 'SERVICE_UNAVAILABLE',
      a6: 'SERVICE_UNAVAILABLE',
      e1: 'SERVICE_UNAVAILABLE',
    });
  });
});
