import { expect, test } from 'vitest';
import { oauth2 } from '../src/index.ts';
import { connectByOauth, publish } from './platform/connect.ts';
import { startVariant } from './platform/start-in-process.ts';
import {
  actionPromiseGroups,
  eachNewOrUpdatedPromiseGroups,
  furtherPromiseGroups,
  itKeepsItsPromises,
  narrowedZapPromiseGroups,
  newOrUpdatedPromiseGroups,
  searchPromiseGroups,
  zapPromiseGroups,
} from './promises/index.ts';

const { service, platform, receiver } = await startVariant(oauth2);
await publish(service, platform);

// No limit holds here, so that one organization is enough for all.
const connection = await connectByOauth(service, platform, await service.createOrganization());

test('a connection by OAuth is labelled by its person and the organization, without a secret', async () => {
  const { authData } = connection;
  const me = await platform.run('authentication.test', { authData, meta: {} });
  const { user, organization } = Object(me);
  const label = await platform.run('authentication.connectionLabel', { authData, inputData: me });
  expect(label).toBe(`${user.name} @ ${organization.name}`);
  for (const secret of Object.values(authData)) expect(JSON.stringify(me)).not.toContain(secret);
});

const groups = {
  ...zapPromiseGroups,
  ...narrowedZapPromiseGroups,
  ...newOrUpdatedPromiseGroups,
  ...eachNewOrUpdatedPromiseGroups,
  ...actionPromiseGroups,
  ...searchPromiseGroups,
  ...furtherPromiseGroups,
};

itKeepsItsPromises(groups, async () => ({ platform, receiver, connection }));
