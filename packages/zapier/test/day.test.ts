import { startDealkeep } from '@dealkeep/testing';
import { afterAll, beforeAll, describe } from 'vitest';
import { integration, oauth2 } from '../src/index.ts';
import { publish } from './platform/connect.ts';
import { startHookReceiver } from './platform/hook-receiver.ts';
import { startInProcess } from './platform/platform.ts';
import { MovableClock, serviceInProcess } from './platform/service-in-process.ts';
import { aDayInZapiersLife } from './promises/day.ts';

const clock = new MovableClock();
const service = serviceInProcess(await startDealkeep({ clock }), clock);
const platform = await startInProcess(integration(oauth2));
const receiver = await startHookReceiver();

beforeAll(() => publish(service, platform));
afterAll(() => Promise.all([platform.close(), receiver.close()]));

describe("a day in Zapier's life", () => {
  aDayInZapiersLife(() => ({ service, platform, receiver }));
});
