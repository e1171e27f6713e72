import { sharedDealkeep } from '@dealkeep/testing';
import { expect, test } from 'vitest';
import { largestOf, sendFaulty, withBody } from './faulty-bodies.ts';
import { type Tried, triedOperations } from './told-at-once.ts';

// As much as can be wrong with each operation; each fault alone and in pairs is tried by
// `told-at-once.long.test.ts`.

const dealkeep = await sharedDealkeep();
const { api, tried } = await triedOperations(dealkeep);

test('every operation with a body is tried', () => {
  expect(Object.keys(tried).sort()).toEqual(withBody.map(({ id }) => id).sort());
});

test.each(Object.entries<Tried>(tried))(
  '%s tells all that is wrong at once, each field once (rule bodies 9)',
  async (...each) => {
    for (const many of largestOf(each[1].faults)) {
      const { answer, expected } = await sendFaulty(api, each, many);
      expect(Object.keys(answer.fields).sort()).toEqual(expected);
    }
  },
);
