import { seedDemo } from '@dealkeep/core';
import { startDealkeep } from '@dealkeep/testing';
import { afterAll } from 'vitest';
import { apiKey, integration } from '../src/index.ts';
import { startHookReceiver } from './platform/hook-receiver.ts';
import { startInProcess } from './platform/platform.ts';
import { itKeepsItsPromises } from './promises/index.ts';

const dealkeep = await startDealkeep();
const platform = await startInProcess(integration(apiKey));
const receiver = await startHookReceiver();

afterAll(async () => {
  await platform.close();
  await receiver.close();
});

itKeepsItsPromises(async () => {
  const { key, slug } = await dealkeep.createOrganization();
  await seedDemo(dealkeep.core, slug, 'small');
  return { platform, receiver, connection: { base_url: dealkeep.baseUrl, api_key: key } };
});
