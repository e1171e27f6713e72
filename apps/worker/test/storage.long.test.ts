import { updateOrganization } from '@dealkeep/core/accounts';
import { measureStorage } from '@dealkeep/core/identity';
import { Browser, growOlder, startDealkeep } from '@dealkeep/testing';
import { expect, test } from 'vitest';
import { reliedOn, storageUsed } from './storage-used.ts';

const metricsToken = 'token-of-these-tests';
const dealkeep = await startDealkeep({ worker: false, metricsToken, storageQuotaMb: 1000 });
const { core, sql } = dealkeep;
const { measure, fill, standing, organizationWith, shownStorage } = storageUsed(dealkeep);

test('of a large table some pages are read, and the rest is reckoned from them', async () => {
  const organization = await dealkeep.createOrganization();
  await fill(organization, 5000);
  await measureStorage(core);
  const whole = (await standing(organization))?.bytes ?? 0;
  await measureStorage(core, 200);
  const reckoned = (await standing(organization))?.bytes ?? 0;
  expect(reckoned / whole).toBeGreaterThan(0.85);
  expect(reckoned / whole).toBeLessThan(1.15);
  await measureStorage(core, 200);
  expect((await standing(organization))?.bytes).toBe(reckoned);
});

test('a form of the console that is refused because storage is used up keeps what was typed, and says why', async () => {
  const { organization } = await organizationWith(1000);
  const browser = new Browser(dealkeep);
  await browser.signIn(organization);
  const action = '/companies/new';
  const form = await browser.get(action);
  const refused = await browser.submit(form, action, { name: 'Typed with care', do: 'save' });
  expect(refused.status).toBe(409);
  expect(refused.html).toContain('used up its storage');
  expect(refused.html).toContain('value="Typed with care"');
  await updateOrganization(sql, organization.slug, { maxStorageMb: 100 });
  growOlder(reliedOn);
  const again = await browser.submit(refused, action, { name: 'Typed with care', do: 'save' });
  expect(again.status).toBe(303);
});

test('others make what they want, and room comes back with the next measurement', async () => {
  const { organization, api } = await organizationWith(1000);
  const other = await dealkeep.createOrganization();
  expect((await dealkeep.as(other.key).post('/leads', { name: 'Lead' })).status).toBe(201);
  expect((await api.post('/leads', { name: 'Lead' })).status).toBe(409);
  await sql`delete from events where organization_id = ${organization.id}`;
  await measure();
  expect((await api.post('/leads', { name: 'Lead' })).status).toBe(201);
});

test('from 80 % on its owners are told at home and in the settings, and whoever operates it by /metrics and the log', async () => {
  const { organization, api } = await organizationWith(800);
  expect((await standing(organization))?.state).toBe('near');
  expect((await api.post('/leads', { name: 'Lead' })).status).toBe(201);
  for (const path of ['/', '/settings/organization']) {
    expect(await shownStorage(organization, path)).toContain(
      'storage of your organization is almost used up',
    );
  }
  expect(await shownStorage(organization, '/settings/organization')).toMatch(/1 of 1 MB/);
  const metrics = await fetch(`${dealkeep.origin}/metrics`, {
    headers: { Authorization: `Bearer ${metricsToken}` },
  });
  expect(await metrics.text()).toMatch(/dealkeep_organizations_storage\{state="near"\} [1-9]/);
});

test('where an organization has no quota of its own, that of the installation counts', async () => {
  const organization = await dealkeep.createOrganization();
  await fill(organization, 1100);
  await measureStorage({ ...core, storageQuotaMb: 1 });
  expect((await standing(organization))?.state).toBe('full');
  await measureStorage(core);
  expect((await standing(organization))?.state).toBe(null);
});
