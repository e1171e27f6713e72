import { startDealkeep } from '@dealkeep/testing';
import { test } from 'vitest';
import { expectManyItems } from '../real/many-items.ts';
import { N8nDriver } from '../real/n8n-driver.ts';

const [items, limit] = [1000, 120];

test('1,000 items at the default limit of 120 per minute all arrive once, in order', async () => {
  const dealkeep = await startDealkeep({ worker: false });
  const organization = await dealkeep.createOrganization();
  const started = Date.now();
  const { requests } = await expectManyItems(
    new N8nDriver(),
    { dealkeep, organization, speed: 1 },
    { items, limit, patience: 1_200_000 },
  );
  const refused = requests.filter(({ status }) => status === 429).length;
  const seconds = Math.round((Date.now() - started) / 1000);
  // The limit counts by the minutes of the clock: nine of them, of which the first and the last need not be whole.
  console.log(`${items} items in ${seconds} s, ${refused} refusals`);
});
