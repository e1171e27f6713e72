import { describe, expect, test } from 'vitest';
import { ApiFailure } from '../nodes/shared/failure.ts';
import { ofTheOthers } from '../nodes/shared/operations/of-the-others.ts';
import type { Outcome } from '../nodes/shared/operations/run-alone.ts';

const failure = (status?: number) =>
  new ApiFailure({ message: 'Wrong', ...(status === undefined ? {} : { status }) });

/** Items from so many on, of which some failed. */
const part = (from: number, count: number, failed: Readonly<Record<number, ApiFailure>>): Outcome[] =>
  Array.from({ length: count }, (_, index) => {
    const item = from + index;
    const error = failed[item];
    return error ? { item, error } : { item, records: [] };
  });

describe('what is said of the other items of a batch when one stops the workflow (rule n8n 9)', () => {
  const first = failure(422);

  test('of the only batch, with one that failed', () => {
    expect(ofTheOthers(first, part(0, 20, { 3: first }), 20)).toMatch(
      /^The other items up to 19 are done\. Items are counted from 0\. Set On Error to Continue/,
    );
  });

  test('names others that failed, and counts the rest of many', () => {
    const two = part(0, 100, { 3: first, 7: failure(422), 9: failure(409) });
    expect(ofTheOthers(first, two, 250)).toMatch(
      /^The other items up to 99 are done except 7 and 9, which failed too, those from 100 on were not sent\./,
    );
    const many = Object.fromEntries(
      Array.from({ length: 15 }, (_, item) => [item, item === 0 ? first : failure(422)]),
    );
    expect(ofTheOthers(first, part(0, 100, many), 100)).toContain(
      'except 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 and 4 others,',
    );
  });

  test('of a batch that was refused whole', () => {
    const all = part(100, 2, { 100: first, 101: first });
    expect(ofTheOthers(first, all, 300)).toMatch(
      /^Items 100 to 101 were sent together and none of them is done, those before are done, those from 102 on were not sent\./,
    );
  });

  test('of a batch that was never answered', () => {
    const lost = failure();
    expect(ofTheOthers(lost, part(0, 2, { 0: lost, 1: lost }), 2)).toMatch(
      /^Items 0 to 1 were sent together and nobody knows whether they are done \(Retry On Fail does none of them twice\)\./,
    );
  });
});
