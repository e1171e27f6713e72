import { startDealkeep } from '@dealkeep/testing';
import { describe } from 'vitest';
import { startPrivate } from './platform/start-in-process.ts';
import { itKeepsItsPromises, zapPromiseGroups } from './promises/index.ts';

// By OAuth: published-variant.long.test.ts.

const { newAccount } = await startPrivate(await startDealkeep());

describe('what begins a Zap (rules zapier 9, connectors 8 and 9)', () => {
  itKeepsItsPromises(zapPromiseGroups, async () => (await newAccount()).setting);
});
