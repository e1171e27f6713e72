import { startDealkeep, type TestDealkeep } from '@dealkeep/testing';
import { afterAll } from 'vitest';
import { type AuthenticationVariant, apiKey } from '../../src/index.ts';
import { builtIntegration } from './built-integration.ts';
import { keyConnection } from './connection.ts';
import { startHookReceiver } from './hook-receiver.ts';
import { startInProcess } from './platform.ts';
import { MovableClock, serviceInProcess } from './service-in-process.ts';
import type { Setting } from './setting.ts';

/** An integration from its sources and the side of Zapier that receives deliveries, for one test file. */
async function startBoth(variant: AuthenticationVariant) {
  const platform = await startInProcess(builtIntegration(variant));
  const receiver = await startHookReceiver();
  afterAll(() => Promise.all([platform.close(), receiver.close()]));
  return { platform, receiver };
}

/** These and a service of their own. */
export async function startVariant(variant: AuthenticationVariant) {
  const clock = new MovableClock();
  const service = serviceInProcess(await startDealkeep({ clock }), clock);
  return { service, ...(await startBoth(variant)) };
}

/** The private integration, whose accounts are organizations of a service that runs. */
export async function startPrivate(dealkeep: TestDealkeep, variant = apiKey) {
  const { platform, receiver } = await startBoth(variant);
  const newAccount = async () => {
    const { key, ...organization } = await dealkeep.createOrganization();
    const setting: Setting = { platform, receiver, connection: keyConnection(dealkeep.baseUrl, key) };
    return { setting, organization };
  };
  return { platform, receiver, newAccount };
}
