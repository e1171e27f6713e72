import { startDealkeep } from '@dealkeep/testing';
import { expect, test } from 'vitest';
import { expectManyItems } from './many-items.ts';
import { N8nDriver } from './n8n-driver.ts';

test('60 items at a limit of 20 per minute all arrive once, in order, and the log tells how far they are', async () => {
  const n8n = new N8nDriver();
  // A minute of this Dealkeep lasts five seconds.
  const [started, speed] = [Date.now(), 12];
  const clock = { now: () => new Date(started + (Date.now() - started) * speed) };
  const dealkeep = await startDealkeep({ worker: false, clock });
  const organization = await dealkeep.createOrganization();
  await expectManyItems(n8n, { dealkeep, organization, speed }, { items: 60, limit: 20, patience: 90_000 });
  await expect.poll(() => n8n.log()).toMatch(/Dealkeep has done \d+ of 60 items and waits \d+ s: /);
});
