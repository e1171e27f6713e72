import { sharedDealkeep } from '@dealkeep/testing';
import { expect, test } from 'vitest';
import { walked, whatBecomesOf } from './kept-or-refused.ts';
import { openKnownBusiness } from './known-records.ts';

// Every other operation is looked at by `kept-or-refused.long.test.ts`; what a move keeps, by
// `move-and-archive.test.ts`.

const dealkeep = await sharedDealkeep();
const business = await openKnownBusiness(dealkeep);

test.each(walked.filter(({ kind, id }) => kind === 'action' && id !== 'leads.move'))(
  '$id drops no field that it is given, also where the record is already as it would be (rule bodies 27)',
  async (declaration) => {
    const became = await whatBecomesOf(dealkeep, business, declaration);
    expect(Object.entries(became).filter(([, outcome]) => outcome !== 'kept')).toEqual([]);
  },
);
