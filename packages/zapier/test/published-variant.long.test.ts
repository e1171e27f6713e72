import { oauth2 } from '../src/index.ts';
import { connectByOauth, publish } from './platform/connect.ts';
import { startVariant } from './platform/start-in-process.ts';
import {
  actionPromiseGroups,
  furtherPromiseGroups,
  itKeepsItsPromises,
  newOrUpdatedPromiseGroups,
  searchPromiseGroups,
} from './promises/index.ts';

const { service, platform, receiver } = await startVariant(oauth2);
await publish(service, platform);

// No limit holds here, so that one organization is enough for all.
const connection = await connectByOauth(service, platform, await service.createOrganization());

const groups = {
  ...newOrUpdatedPromiseGroups,
  ...actionPromiseGroups,
  ...searchPromiseGroups,
  ...furtherPromiseGroups,
};

itKeepsItsPromises(groups, async () => ({ platform, receiver, connection }));
