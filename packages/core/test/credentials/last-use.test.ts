import { listApiKeys } from '@dealkeep/core';
import { startDealkeep } from '@dealkeep/testing';
import { expect, test } from 'vitest';

test('the list of keys shows when a key was last used', async () => {
  const dealkeep = await startDealkeep({ worker: false });
  const { slug, key } = await dealkeep.createOrganization();
  const lastUse = async () => (await listApiKeys(dealkeep.sql, slug))[0]?.last_used_at;
  expect(await lastUse()).toBeNull();

  const before = new Date().toISOString();
  await fetch(`${dealkeep.baseUrl}/me`, { headers: { authorization: `Bearer ${key}` } });
  await expect.poll(async () => (await lastUse()) ?? '').toSatisfy((used: string) => used >= before);
});
