import { resetTestEnvironment } from '@dealkeep/core/installation';
import { connectedUser, startDealkeep } from '@dealkeep/testing';
import { expect, test } from 'vitest';
import { everythingShown } from './everything-shown.ts';

const clock = { now: () => new Date('2026-10-02T02:00:00.000Z') };
const dealkeep = await startDealkeep({ environment: 'test', worker: false, clock });

test('the night brings back the very demo of the day before, the keys stay valid, and connections end (rule test-environment 4)', async () => {
  const organization = await dealkeep.createOrganization();
  const api = dealkeep.as(organization.key);
  const { token } = await connectedUser(dealkeep, organization, 'leads.view=all');
  expect((await dealkeep.as(token).get('/leads')).status).toBe(200);
  await resetTestEnvironment(dealkeep.core);
  expect((await dealkeep.as(token).get('/leads')).outcome).toBe('401 UNAUTHORIZED');
  const before = await everythingShown(api);

  await api.post('/leads', { name: 'Of today', company: { name: 'Company of today' } });
  const [company] = (await api.get('/companies')).page.data;
  await api.patch(`/companies/${company?.id}`, { name: 'Changed' });
  await api.post('/orders', { customer: {}, items: [{ sku: 'X', quantity: 1, unit_price: 5 }] });
  const hook = await api.post('/webhooks', {
    target_url: 'https://127.0.0.1:5000/',
    events: ['lead.created'],
  });
  expect(hook.status).toBe(201);
  await api.post('/leads', { name: 'For the hook' });
  const kept = await api.post('/leads', { name: 'Once' }, { 'Idempotency-Key': 'k' });
  expect(await everythingShown(api)).not.toEqual(before);

  await resetTestEnvironment(dealkeep.core);
  expect(await everythingShown(api)).toEqual(before);
  expect((await api.get('/webhooks')).page.data).toEqual([]);
  expect(await dealkeep.eventsOf(organization)).toEqual([]);
  expect(
    await dealkeep.sql`select 1 from deliveries where organization_id = ${organization.id}`,
  ).toHaveLength(0);
  // An answer that was kept would speak of a lead that is gone.
  const again = await api.post('/leads', { name: 'Once' }, { 'Idempotency-Key': 'k' });
  expect(again.headers.get('idempotent-replayed')).toBeNull();
  expect(again.data.id).not.toBe(kept.data.id);
});

test('a reset that fails leaves its organization as it was and does not stop the others; a reset makes no events (rule test-environment 5)', async () => {
  const own = await startDealkeep({ environment: 'test', worker: false, clock });
  const { sql } = own;
  const [failing, other] = [await own.createOrganization(), await own.createOrganization()];
  for (const { key } of [failing, other]) await own.as(key).post('/companies', { name: 'Of today' });
  await sql.unsafe(
    `alter table companies add constraint refused check (organization_id <> '${failing.id}') not valid`,
  );
  const before = await everythingShown(own.as(failing.key));
  await expect(resetTestEnvironment(own.core)).rejects.toThrow('Some organizations could not be reset');
  await sql`alter table companies drop constraint refused`;
  expect(await everythingShown(own.as(failing.key))).toEqual(before);
  expect(await own.eventsOf(failing)).toMatchObject([{ type: 'company.created' }]);
  const names = (await own.as(other.key).get('/companies', { limit: 100 })).page.data.map(({ name }) => name);
  expect(names).toHaveLength(24);
  expect(names).not.toContain('Of today');
  expect(await own.eventsOf(other)).toEqual([]);
});

test('a live environment is never reset', async () => {
  const live = await startDealkeep({ worker: false });
  await expect(resetTestEnvironment(live.core)).rejects.toThrow('ENVIRONMENT=test');
});
