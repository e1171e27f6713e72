import { startDealkeep } from '@dealkeep/testing';
import { describe } from 'vitest';
import { startPrivate } from './platform/start-in-process.ts';
import { itKeepsItsPromises, narrowedZapPromiseGroups } from './promises/index.ts';

const { newAccount } = await startPrivate(await startDealkeep());

describe('what does not fit is not sent to Zapier (rules zapier 7 and 19, connectors 6)', () => {
  itKeepsItsPromises(narrowedZapPromiseGroups, async () => (await newAccount()).setting);
});
