import { sharedDealkeep } from '@dealkeep/testing';
import { describe } from 'vitest';
import { startPrivate } from './platform/start-in-process.ts';
import { itKeepsItsPromises, searchPromiseGroups } from './promises/index.ts';

const { newAccount } = await startPrivate(await sharedDealkeep());
const { setting } = await newAccount();

describe('what a step finds (rules zapier 11 and 12)', () => {
  itKeepsItsPromises(searchPromiseGroups, async () => setting);
});
