import { startDealkeep } from '@dealkeep/testing';
import { expect, test } from 'vitest';
import { flood, hang } from './hanging-listener.ts';
import { listen } from './listener.ts';

test('a listener that takes nothing costs one page of memory, however much there is for it', async () => {
  const dealkeep = await startDealkeep({ worker: false, streamTiming: { newsEvery: 20, checkEvery: 20 } });
  const { id, key } = await dealkeep.createOrganization();
  await hang(dealkeep, key);
  const organization = await dealkeep.createOrganization();
  const other = dealkeep.as(organization.key);
  const reader = await listen(dealkeep.origin, organization.key);
  const used = () => {
    const { heapUsed, external } = process.memoryUsage();
    return heapUsed + external;
  };
  const before = used();
  await flood(dealkeep, id, 50);
  let most = 0;
  // Meanwhile others are served.
  for (let round = 1; round <= 30; round += 1) {
    await other.post('/leads', { name: 'Lead' });
    await reader.heard(round);
    most = Math.max(most, used() - before);
  }
  expect(most).toBeLessThan(80_000_000);
});
