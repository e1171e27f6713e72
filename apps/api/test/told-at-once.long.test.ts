import { randomUUID } from 'node:crypto';
import { checkValue } from '@dealkeep/contract';
import { sharedDealkeep } from '@dealkeep/testing';
import { describe, expect, test } from 'vitest';
import { bodyWith, clash, declarationOf, expectedOf, largestOf, sendFaulty } from './faulty-bodies.ts';
import { type Fault, type Tried, triedOperations } from './told-at-once.ts';

const dealkeep = await sharedDealkeep();
const { api, tried } = await triedOperations(dealkeep);

describe.each(Object.entries<Tried>(tried))('%s tells all that is wrong at once', (...each) => {
  const [id, operation] = each;
  const { faults } = operation;
  const { body: schema, method } = declarationOf(id);

  test.each(faults)('$told alone', async (fault) => {
    const { answer, expected } = await sendFaulty(api, each, [fault]);
    expect(answer.outcome).toBe(fault.alone ?? '422 VALIDATION_ERROR');
    if (!fault.alone) expect(Object.keys(answer.fields).sort()).toEqual(expected);
  });

  /** Whether the contract alone finds all that is to be told. */
  function isToldByContract(pair: readonly Fault[]): boolean {
    const { body, moved } = bodyWith(operation, pair);
    const sent: unknown = JSON.parse(JSON.stringify(body));
    const problems = schema ? (checkValue(schema, sent).problems ?? []) : [];
    return (
      JSON.stringify(problems.map(({ path }) => path).sort()) === JSON.stringify(expectedOf(pair, moved))
    );
  }

  test('any two', async () => {
    const pairs = faults.flatMap((one, index) =>
      faults
        .slice(index + 1)
        .flatMap((other) => (clash(one, other) || clash(other, one) ? [] : [[one, other]])),
    );
    // What the contract finds is told; that is shown by as much as can be wrong.
    for (const pair of pairs.filter((both) => !isToldByContract(both))) {
      const { answer, expected } = await sendFaulty(api, each, pair);
      expect([pair, Object.keys(answer.fields).sort()]).toEqual([pair, expected]);
    }
  });

  // A PATCH takes no key.
  if (method !== 'POST') return;
  test('and with an Idempotency-Key, twice', async () => {
    for (const many of largestOf(faults)) {
      const headers = { 'Idempotency-Key': randomUUID() };
      const { answer, expected } = await sendFaulty(api, each, many, headers);
      expect(Object.keys(answer.fields).sort()).toEqual(expected);
      expect((await sendFaulty(api, each, many, headers)).answer.text).toBe(answer.text);
    }
  });
});
