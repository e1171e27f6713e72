import { createCore, resetTestEnvironment, seedDemo } from '@dealkeep/core';
import { type ApiClient, connectedUser, eventually, startDealkeep } from '@dealkeep/testing';
import { expect, test } from 'vitest';

const clock = { now: () => new Date('2026-10-02T02:00:00.000Z') };
const dealkeep = await startDealkeep({ environment: 'test', worker: false, clock });

async function demoOrganization() {
  const organization = await dealkeep.createOrganization();
  await seedDemo(dealkeep.core, organization.slug, 'small');
  await dealkeep.sql`update organizations set requests_per_minute = 100000, org_requests_per_minute = 100000
                     where id = ${organization.id}`;
  return { organization, api: dealkeep.as(organization.key) };
}

const lists = [
  ...[
    '/companies',
    '/contacts',
    '/clients',
    '/leads',
    '/activities',
    '/tasks',
    '/invoices',
    '/bookings',
    '/orders',
  ],
  ...[
    '/products',
    '/pipelines',
    '/lead-origins',
    '/lost-reasons',
    '/activity-types',
    '/tags',
    '/custom-fields',
  ],
  ...['/projects', '/booking-services', '/booking-staff', '/users'],
] as const;

/** Everything that the API shows, as it stands. */
async function everything(api: ApiClient): Promise<Record<string, unknown>> {
  const pages = await Promise.all(
    lists.map(
      async (path) => [path, (await api.get(path, { limit: 100, sort: 'created_at' })).json] as const,
    ),
  );
  return Object.fromEntries(pages);
}

test('the night brings back the very demo of the day before, and the keys stay valid', async () => {
  const { organization, api } = await demoOrganization();
  await resetTestEnvironment(dealkeep.core);
  const before = await everything(api);

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
  expect(await everything(api)).not.toEqual(before);

  await resetTestEnvironment(dealkeep.core);
  expect(await everything(api)).toEqual(before);
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

test('two workers at once reset it once or twice, with one outcome, while requests go on', async () => {
  const { api } = await demoOrganization();
  await resetTestEnvironment(dealkeep.core);
  const before = await everything(api);
  const other = createCore(dealkeep.core);
  let over = false;
  const outcomes = new Set<string>();
  const traffic = async (): Promise<void> => {
    while (!over) {
      const [company] = (await api.get('/companies', { limit: 1 })).page.data;
      outcomes.add((await api.post('/leads', { name: 'Meanwhile', company_id: company?.id ?? '' })).outcome);
      const [lead] = (await api.get('/leads', { limit: 1 })).page.data;
      outcomes.add((await api.patch(`/leads/${lead?.id}`, { note: String(Math.random()) })).outcome);
    }
  };
  const busy = Array.from({ length: 4 }, traffic);
  await Promise.all([resetTestEnvironment(dealkeep.core), resetTestEnvironment(other)]);
  over = true;
  await Promise.all(busy);
  // What was there before may be gone; nothing fails by a fault.
  for (const outcome of outcomes)
    expect(['200', '201', '404 NOT_FOUND', '422 VALIDATION_ERROR']).toContain(outcome);
  await resetTestEnvironment(dealkeep.core);
  expect(await everything(api)).toEqual(before);
});

test('connections end with it', async () => {
  const { organization } = await demoOrganization();
  const { token } = await connectedUser(dealkeep, organization, 'leads.view=all');
  expect((await dealkeep.as(token).get('/leads')).status).toBe(200);
  await resetTestEnvironment(dealkeep.core);
  expect((await dealkeep.as(token).get('/leads')).outcome).toBe('401 UNAUTHORIZED');
});

test('a live environment is never reset', async () => {
  const live = await startDealkeep({ worker: false });
  await expect(resetTestEnvironment(live.core)).rejects.toThrow('ENVIRONMENT=test');
});

test('the worker of a test environment resets it at two, that of a live one never', async () => {
  const schedule = async (environment: 'test' | 'live') => {
    const running = await startDealkeep({ environment });
    let names: string[] = [];
    await eventually(async () => {
      const rows = await running.sql<{ identifier: string }[]>`
        select identifier from graphile_worker._private_known_crontabs`;
      names = rows.map(({ identifier }) => identifier);
      expect(names).toContain('remove_old_each_hour');
    });
    return { running, names };
  };
  expect((await schedule('live')).names).not.toContain('reset_test_environment');
  const { running, names } = await schedule('test');
  expect(names).toContain('reset_test_environment');
  const organization = await running.createOrganization();
  await running.as(organization.key).post('/companies', { name: 'Of today' });
  await running.sql`select graphile_worker.add_job('reset_test_environment')`;
  await eventually(
    async () => {
      const { page } = await running.as(organization.key).get('/companies');
      expect(page.data).toHaveLength(24);
    },
    { interval: 500 },
  );
});
