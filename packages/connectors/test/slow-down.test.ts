import { expect, test } from 'vitest';
import { pauseFor } from '../src/requests/rate-limit.ts';

test.each([
  ['plenty is left', 120, 60, 30, 0],
  ['a tenth is left', 120, 12, 30, 0],
  ['the service says nothing', undefined, undefined, undefined, 0],
])('when %s there is no pause', (_, limit, remaining, secondsLeft, pause) => {
  expect(pauseFor(limit, remaining, secondsLeft)).toBe(pause);
});

test('when little is left it is spread over what is left of the window (rule connectors 12)', () => {
  expect(pauseFor(120, 9, 10)).toBe(1000);
  expect(pauseFor(120, 1, 2)).toBe(1000);
});

test('no pause is so long that a step would run out of time', () => {
  expect(pauseFor(120, 0, 60)).toBe(2000);
});
