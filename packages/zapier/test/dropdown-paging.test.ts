import { startDealkeep } from '@dealkeep/testing';
import { expect, onTestFinished, test } from 'vitest';
import { apiKey, integration } from '../src/index.ts';
import { startHookReceiver } from './platform/hook-receiver.ts';
import { startInProcess } from './platform/platform.ts';
import { ask, list, type Setting } from './platform/setting.ts';

test('a dropdown loads page after page, each record once, and can begin again', async () => {
  const dealkeep = await startDealkeep({ worker: false });
  const { key } = await dealkeep.createOrganization();
  const setting: Setting = {
    platform: await startInProcess(integration(apiKey)),
    connection: { base_url: dealkeep.baseUrl, api_key: key },
    receiver: await startHookReceiver(),
  };
  onTestFinished(async () => {
    await setting.platform.close();
    await setting.receiver.close();
  });
  const names = Array.from({ length: 103 }, (_, index) => `Company ${index}`);
  for (const name of names) await ask(setting, 'POST', '/companies', { name });

  const page = (number: number) => list(setting, 'triggers.list_companies', {}, { page: number });
  const [first, second, third] = [await page(0), await page(1), await page(2)];
  expect([first.length, second.length, third.length]).toEqual([100, 3, 0]);
  expect(new Set([...first, ...second].map(({ name }) => name))).toEqual(new Set(names));
  expect(await page(0)).toEqual(first);
});
