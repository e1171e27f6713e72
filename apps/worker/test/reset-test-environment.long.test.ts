import { createCore } from '@dealkeep/core';
import { resetTestEnvironment, seedDemo } from '@dealkeep/core/installation';
import { eventually, startDealkeep } from '@dealkeep/testing';
import { expect, test } from 'vitest';
import { everythingShown } from './everything-shown.ts';

const clock = { now: () => new Date('2026-10-02T02:00:00.000Z') };
const dealkeep = await startDealkeep({ environment: 'test', worker: false, clock });

async function demoOrganization() {
  const organization = await dealkeep.createOrganization();
  await seedDemo(dealkeep.core, organization.slug, 'small');
  await dealkeep.sql`update organizations set requests_per_minute = 100000, org_requests_per_minute = 100000
                     where id = ${organization.id}`;
  return { organization, api: dealkeep.as(organization.key) };
}

test('two workers at once reset it once or twice, with one outcome, while requests go on', async () => {
  const { api } = await demoOrganization();
  await resetTestEnvironment(dealkeep.core);
  const before = await everythingShown(api);
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
  expect(await everythingShown(api)).toEqual(before);
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
