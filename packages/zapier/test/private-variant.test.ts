import { startDealkeep } from '@dealkeep/testing';
import { afterAll } from 'vitest';
import { apiKey, integration } from '../src/index.ts';
import { connectByKey } from './platform/connect.ts';
import { startHookReceiver } from './platform/hook-receiver.ts';
import { startInProcess } from './platform/platform.ts';
import { MovableClock, serviceInProcess } from './platform/service-in-process.ts';
import { itKeepsItsPromises, promisesWithKey } from './promises/index.ts';

const clock = new MovableClock();
const service = serviceInProcess(await startDealkeep({ clock }), clock);
const platform = await startInProcess(integration(apiKey));
const receiver = await startHookReceiver();

afterAll(() => Promise.all([platform.close(), receiver.close()]));

itKeepsItsPromises(promisesWithKey, async () => ({
  platform,
  receiver,
  connection: await connectByKey(service, await service.createOrganization()),
}));
