import { startDealkeep } from '@dealkeep/testing';
import { afterAll, beforeAll } from 'vitest';
import { integration, oauth2 } from '../src/index.ts';
import { connectByOauth, publish } from './platform/connect.ts';
import { startHookReceiver } from './platform/hook-receiver.ts';
import { startInProcess } from './platform/platform.ts';
import { MovableClock, serviceInProcess } from './platform/service-in-process.ts';
import { itKeepsItsPromises, promises } from './promises/index.ts';

const clock = new MovableClock();
const service = serviceInProcess(await startDealkeep({ clock }), clock);
const platform = await startInProcess(integration(oauth2));
const receiver = await startHookReceiver();

beforeAll(() => publish(service, platform));
afterAll(() => Promise.all([platform.close(), receiver.close()]));

itKeepsItsPromises(promises, async () => ({
  platform,
  receiver,
  connection: await connectByOauth(service, platform, await service.createOrganization()),
}));
