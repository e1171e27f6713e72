import { startDealkeep } from '@dealkeep/testing';
import { describe } from 'vitest';
import { startPrivate } from './platform/start-in-process.ts';
import { itKeepsItsPromises, newOrUpdatedPromiseGroups } from './promises/index.ts';

const { newAccount } = await startPrivate(await startDealkeep());

describe('each change starts one run (rules zapier 20 and connectors 6)', () => {
  itKeepsItsPromises(newOrUpdatedPromiseGroups, async () => (await newAccount()).setting);
});
