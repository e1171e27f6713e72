import { oauth2 } from '../src/index.ts';
import { connectByOauth, publish } from './platform/connect.ts';
import { startVariant } from './platform/start-in-process.ts';
import { itKeepsItsPromises, promises } from './promises/index.ts';

const { service, platform, receiver } = await startVariant(oauth2);
await publish(service, platform);

itKeepsItsPromises(promises, async () => ({
  platform,
  receiver,
  connection: await connectByOauth(service, platform, await service.createOrganization()),
}));
