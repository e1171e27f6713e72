import { seedDemo } from '@dealkeep/core/installation';
import { sharedDealkeep } from '@dealkeep/testing';
import { openShop } from '@dealkeep/testing/business';
import { expect, test } from 'vitest';
import { connectAssistant, refusalIn, textOf } from './assistant.ts';
import { atWork } from './at-work.ts';

const dealkeep = await sharedDealkeep();

test('leads are counted and added up in all and by stage, with the filters of the list (rule assistants 25)', async () => {
  const { api, call } = await atWork();
  for (const [name, value] of [
    ['One', 100.1],
    ['Two', 200.2],
    ['Three', 5],
  ] as const) {
    await api.post('/leads', { name, value });
  }
  await call('move_lead', { lead: 'Three', stage: 'Lost' });
  const open = await call('sum_leads', { status: 'open', by: 'stage' });
  expect(open.structuredContent).toEqual({
    totals: [{ currency: 'EUR', count: 2, amount: 300.3 }],
    groups: [{ name: 'New', id: expect.any(String), currency: 'EUR', count: 2, amount: 300.3 }],
  });
  expect(textOf(open)).toContain('In all: 2 records, 300.3 EUR');
  const byOwner = await call('sum_leads', { by: 'owner' });
  expect(byOwner.structuredContent).toMatchObject({ totals: [{ count: 3, amount: 305.3 }] });
  const byMonth = await call('sum_leads', { by: 'won_month' });
  expect(byMonth.structuredContent).toMatchObject({ groups: [{ name: 'none', count: 3 }] });
  expect(textOf(await call('sum_leads', { q: 'nothing is called so' }))).toBe('No records match.');
  expect(refusalIn(await call('sum_leads', { by: 'colour' }))).toContain('by');
});

test('amounts of different currencies are never added up (rule assistants 25)', async () => {
  const shop = await openShop(dealkeep);
  await shop.order();
  await shop.order({ currency: 'CZK' });
  const { key } = shop.organization;
  const assistant = await connectAssistant(dealkeep.baseUrl, key, { path: '/mcp/shop' });
  const sums = await assistant.callTool({ name: 'sum_orders', arguments: { by: 'payment_status' } });
  expect(Object(sums.structuredContent).totals).toEqual([
    expect.objectContaining({ currency: 'CZK', count: 1 }),
    expect.objectContaining({ currency: 'EUR', count: 1 }),
  ]);
});

test('a page that is not all says how many there are in all (rule assistants 18)', async () => {
  const { call, api, organization } = await atWork();
  await seedDemo({ sql: dealkeep.sql, clock: { now: () => new Date() } }, organization.slug, 'small');
  const all = await api.walk('/leads');
  const listed = await call('list_leads', { limit: 100 });
  const { items, total } = Object(listed.structuredContent);
  expect(items.length).toBeLessThan(all.length);
  expect(total).toBe(all.length);
  expect(textOf(listed)).toContain(`${items.length} of ${all.length} records (leads):`);
  const few = await call('list_leads', { q: 'Summer campaign', limit: 50 });
  expect(few.structuredContent).not.toHaveProperty('total');
});

test('sums are asked by assistants alone: the API has no address for them (rule assistants 25)', async () => {
  const { api } = await atWork();
  expect((await api.get('/leads/sum')).status).toBe(404);
});

test('get_me says who, which organization, and what day and time it is there (rule assistants 24)', async () => {
  const { organization } = await atWork();
  await dealkeep.sql`update organizations set time_zone = 'Pacific/Kiritimati' where id = ${organization.id}`;
  await dealkeep.sql`update memberships set language = 'sk' where organization_id = ${organization.id}`;
  const { token } = await organization.createKey({});
  const assistant = await connectAssistant(dealkeep.baseUrl, token);
  const { structuredContent } = await assistant.callTool({ name: 'get_me', arguments: {} });
  const day = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Pacific/Kiritimati' }).format(new Date());
  expect(structuredContent).toMatchObject({
    user: { id: organization.ownerId, email: organization.ownerEmail },
    organization: { id: organization.id, currency: 'EUR', time_zone: 'Pacific/Kiritimati' },
    language: 'sk',
    today: day,
  });
});
