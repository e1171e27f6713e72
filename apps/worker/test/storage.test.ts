import { updateOrganization } from '@dealkeep/core/accounts';
import { measureStorage } from '@dealkeep/core/identity';
import { Browser, growOlder, inConsole, startDealkeep } from '@dealkeep/testing';
import { expect, test } from 'vitest';
import { reliedOn, storageUsed } from './storage-used.ts';

const metricsToken = 'token-of-these-tests';
const dealkeep = await startDealkeep({ worker: false, metricsToken, storageQuotaMb: 1000 });
const { core, sql } = dealkeep;
const { measure, fill, standing, organizationWith, shownStorage } = storageUsed(dealkeep);

test('what the rows of each organization take is measured, and nobody is near a quota that is far', async () => {
  const [one, other] = [await dealkeep.createOrganization(), await dealkeep.createOrganization()];
  await measureStorage(core);
  const before = await standing(one);
  await fill(one, 500);
  await measureStorage(core);
  const [after, beside] = [await standing(one), await standing(other)];
  expect((after?.bytes ?? 0) - (before?.bytes ?? 0)).toBeGreaterThan(500_000);
  expect((after?.bytes ?? 0) - (before?.bytes ?? 0)).toBeLessThan(650_000);
  expect(beside?.bytes).toBe(before?.bytes);
  expect([after?.state, beside?.state]).toEqual([null, null]);
});

test('an organization that has used up its quota makes nothing new; it reads, changes and deletes', async () => {
  const organization = await dealkeep.createOrganization();
  const api = dealkeep.as(organization.key);
  const { data: company } = await api.post('/companies', { name: 'Acme', registration_id: '12345678' });
  const { data: webhook } = await api.post('/webhooks', {
    target_url: 'https://127.0.0.1:1/',
    event: 'company.updated',
  });
  await updateOrganization(sql, organization.slug, { maxStorageMb: 1 });
  await fill(organization, 1000);
  await measure();
  expect((await standing(organization))?.state).toBe('full');
  const refused = await api.post('/leads', { name: 'One more' }, { 'Idempotency-Key': 'one more' });
  expect(refused.outcome).toBe('409 LIMIT_EXCEEDED');
  expect(refused.error.message).toContain('used up its storage');
  const inSlovak = await api.post('/leads', { name: 'One more' }, { 'Accept-Language': 'sk' });
  expect(inSlovak.error.message).toContain('vyčerpala svoje úložisko');
  const batch = await api.post('/leads/batch', { operation: 'create', items: [{ name: 'One' }] });
  expect(batch.data).toMatchObject([{ status: 409 }]);
  expect((await api.post('/companies/upsert', { match_by: 'name', name: 'New' })).outcome).toBe(
    '409 LIMIT_EXCEEDED',
  );

  expect((await api.get(`/companies/${company.id}`)).status).toBe(200);
  expect((await api.patch(`/companies/${company.id}`, { name: 'Acme Slovakia' })).status).toBe(200);
  expect(
    (
      await api.post('/companies/upsert', {
        match_by: 'registration_id',
        name: 'Acme again',
        registration_id: '12345678',
      })
    ).status,
  ).toBe(200);
  const [queued] = await sql<{ count: number }[]>`
    select count(*)::integer as count from deliveries where webhook_id = ${webhook.id}`;
  expect(queued?.count).toBe(2);
  expect((await api.delete(`/webhooks/${webhook.id}`)).status).toBe(204);

  // What was refused is not stored for a repeat: it passes once there is room.
  await updateOrganization(sql, organization.slug, { maxStorageMb: 100 });
  expect((await standing(organization))?.state).toBe(null);
  growOlder(reliedOn);
  const again = await api.post('/leads', { name: 'One more' }, { 'Idempotency-Key': 'one more' });
  expect(again.status).toBe(201);
});

test('an organization that is full makes no quote and uploads no file, which no event tells of', async () => {
  const { organization } = await organizationWith(1000);
  const items = [{ name: 'Bike', quantity: 1, unit_price: 100, vat_rate: 23 }];
  const quote = inConsole(core, organization, 'quotes.create', { items });
  await expect(quote).rejects.toMatchObject({ key: 'storage.full' });
  const browser = new Browser(dealkeep);
  await browser.signIn(organization);
  const action = '/companies/import';
  const bytes = new TextEncoder().encode('Name\nAcme');
  const sent = await browser.upload(await browser.get(action), action, { name: 'table.csv', bytes });
  expect(sent.status).toBe(409);
  expect(sent.html).toContain('used up its storage');
  expect(await sql`select from imports where organization_id = ${organization.id}`).toHaveLength(0);
});

test('from 125 % on nothing is changed that leaves an event; what frees storage goes on', async () => {
  const organization = await dealkeep.createOrganization();
  const api = dealkeep.as(organization.key);
  const { data: company } = await api.post('/companies', { name: 'Acme' });
  await updateOrganization(sql, organization.slug, { maxStorageMb: 1 });
  await fill(organization, 1300);
  await measure();
  expect((await standing(organization))?.state).toBe('over');
  const rename = (name: string) => api.patch(`/companies/${company.id}`, { name });
  const renamed = await rename('One more');
  expect(renamed.outcome).toBe('409 LIMIT_EXCEEDED');
  expect(renamed.error.message).toContain('a quarter more, so no record can be changed');
  expect((await api.post('/leads', { name: 'Lead' })).error.message).toContain('nothing new can be made');
  for (const path of ['/', '/settings/organization']) {
    expect(await shownStorage(organization, path)).toContain('and a quarter more');
  }
  const counted = await fetch(`${dealkeep.origin}/metrics`, {
    headers: { Authorization: `Bearer ${metricsToken}` },
  });
  expect(await counted.text()).toMatch(/dealkeep_organizations_storage\{state="full"\} [1-9]/);
  expect((await api.get(`/companies/${company.id}`)).data.name).not.toBe('One more');
  expect((await api.send('POST', `/companies/${company.id}/erase`)).status).toBe(200);
  await updateOrganization(sql, organization.slug, { maxStorageMb: 100 });
  growOlder(reliedOn);
  expect((await api.post('/leads', { name: 'Lead' })).status).toBe(201);
});
