import { describe } from 'vitest';
import { apiKey } from '../src/index.ts';
import { connectByKey } from './platform/connect.ts';
import { startVariant } from './platform/start-in-process.ts';
import { actionPromiseGroups, itKeepsItsPromises, promisesWithKey } from './promises/index.ts';

const { service, platform, receiver } = await startVariant(apiKey);

// No limit holds here, so that one organization is enough for all.
const connection = await connectByKey(service, await service.createOrganization());
const setting = async () => ({ platform, receiver, connection });

describe('by an address and a key (rules zapier 2 and 3)', () => {
  itKeepsItsPromises(promisesWithKey, setting);
});

describe('what a step writes (rules zapier 10 and 14)', () => {
  itKeepsItsPromises(actionPromiseGroups, setting);
});
