import { apiKey } from '../src/index.ts';
import { connectByKey } from './platform/connect.ts';
import { startVariant } from './platform/start-in-process.ts';
import { itKeepsItsPromises, promisesWithKey } from './promises/index.ts';

const { service, platform, receiver } = await startVariant(apiKey);

itKeepsItsPromises(promisesWithKey, async () => ({
  platform,
  receiver,
  connection: await connectByKey(service, await service.createOrganization()),
}));
