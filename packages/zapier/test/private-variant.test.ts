import { apiKey } from '../src/index.ts';
import { connectByKey } from './platform/connect.ts';
import { startVariant } from './platform/start-in-process.ts';
import { itKeepsItsPromises, promisesWithKey, stepPromiseGroups } from './promises/index.ts';

const { service, platform, receiver } = await startVariant(apiKey);

// No limit holds here, so that one organization is enough for all.
const connection = await connectByKey(service, await service.createOrganization());

itKeepsItsPromises({ ...promisesWithKey, ...stepPromiseGroups }, async () => ({
  platform,
  receiver,
  connection,
}));
