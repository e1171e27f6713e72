import { sharedDealkeep } from '@dealkeep/testing';
import { expect, test } from 'vitest';
import { walked, whatBecomesOf } from './kept-or-refused.ts';
import { openKnownBusiness } from './known-records.ts';

const dealkeep = await sharedDealkeep();
const business = await openKnownBusiness(dealkeep);

test.each(walked)(
  '$id drops no field that it is given, and takes each of them somewhere (rule bodies 27)',
  async (declaration) => {
    const became = await whatBecomesOf(dealkeep, business, declaration);
    expect(Object.entries(became).filter(([, outcome]) => outcome !== 'kept')).toEqual([]);
  },
);
