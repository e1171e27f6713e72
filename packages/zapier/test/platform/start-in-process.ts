import { startDealkeep } from '@dealkeep/testing';
import { afterAll } from 'vitest';
import { type AuthenticationVariant, integration } from '../../src/index.ts';
import { startHookReceiver } from './hook-receiver.ts';
import { startInProcess } from './platform.ts';
import { MovableClock, serviceInProcess } from './service-in-process.ts';

/** A service, an integration from its sources and the side of Zapier that receives deliveries, for one test file. */
export async function startVariant(variant: AuthenticationVariant) {
  const clock = new MovableClock();
  const service = serviceInProcess(await startDealkeep({ clock }), clock);
  const platform = await startInProcess(integration(variant));
  const receiver = await startHookReceiver();
  afterAll(() => Promise.all([platform.close(), receiver.close()]));
  return { service, platform, receiver };
}
