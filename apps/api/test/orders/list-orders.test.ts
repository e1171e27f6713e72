import { randomUUID } from 'node:crypto';
import { type Query, sharedDealkeep } from '@dealkeep/testing';
import { openShop, type Shop, setPaymentStatus, stepOrder } from '@dealkeep/testing/business';
import { beforeAll, expect, test } from 'vitest';
import { addClient } from '../console-edits.ts';

const dealkeep = await sharedDealkeep();

let shop: Shop;
const ids: Record<string, string> = {};
beforeAll(async () => {
  shop = await openShop(dealkeep);
  const { api, order, organization, name } = shop;
  const company = (await api.post('/companies', { name: 'Acme' })).data.id;
  ids['company'] = company;
  ids['client'] = await addClient({ dealkeep, organization }, company);
  const ordered = async (unit_price: number, customer: object, more: object = {}) =>
    (await order({ items: [{ sku: 'X', quantity: 1, unit_price }], customer, ...more })).data.uuid;
  await ordered(9.5, { name: 'Eva', email: 'Eva@acme.example' }, { external_id: '1' });
  const paid = await ordered(
    100,
    { name: 'Ivan 100%', client_uuid: ids['client'] },
    { external_id: '1', external_source: 'shop' },
  );
  const shipped = await ordered(10, { name: 'Žofia', company_uuid: company });
  await setPaymentStatus(dealkeep.core, name, { uuid: paid, payment_status: 'paid' });
  await stepOrder(dealkeep.core, name, { uuid: shipped, status: 'shipped' });
});
const found = async (query: Query) =>
  (await shop.api.get('/orders', { sort: 'created_at', ...query })).page.data.map(
    ({ customer_name }) => customer_name,
  );

test.each([
  [{}, ['Eva', 'Ivan 100%', 'Žofia']],
  [{ q: 'ŽOF' }, ['Žofia']],
  [{ q: '-0002' }, ['Ivan 100%']],
  [{ q: 'o-2' }, ['Eva', 'Ivan 100%', 'Žofia']],
  [{ q: '0%' }, ['Ivan 100%']],
  [{ q: 'acme' }, []],
  [{ q: '' }, ['Eva', 'Ivan 100%', 'Žofia']],
  [{ status: 'new' }, ['Eva', 'Ivan 100%']],
  [{ status: 'shipped' }, ['Žofia']],
  [{ status: 'returned' }, []],
  [{ payment_status: 'paid' }, ['Ivan 100%']],
  [{ payment_status: 'unpaid' }, ['Eva', 'Žofia']],
  [{ external_id: '1' }, ['Eva', 'Ivan 100%']],
  [{ external_id: '1', external_source: 'shop' }, ['Ivan 100%']],
  [{ external_source: 'api' }, ['Eva', 'Žofia']],
  [{ external_source: 'API' }, []],
  [{ customer_email: 'eva@ACME.example' }, ['Eva']],
  [{ customer_email: 'a@acme.example' }, []],
  [{ sort: 'grand_total' }, ['Eva', 'Žofia', 'Ivan 100%']],
  [{ sort: '-grand_total' }, ['Ivan 100%', 'Žofia', 'Eva']],
  [{ sort: '-created_at' }, ['Žofia', 'Ivan 100%', 'Eva']],
  [{ sort: '-updated_at' }, ['Žofia', 'Ivan 100%', 'Eva']],
] satisfies [Query, string[]][])('%j', async (query, names) => {
  expect(await found(query)).toEqual(names);
});

test('by client and company', async () => {
  expect(await found({ client_uuid: ids['client'] ?? '' })).toEqual(['Ivan 100%']);
  expect(await found({ company_uuid: ids['company'] ?? '' })).toEqual(['Žofia']);
  for (const filter of ['client_uuid', 'company_uuid'])
    expect(await found({ [filter]: randomUUID() })).toEqual([]);
});

test('another filter or a bad value is refused', async () => {
  expect((await shop.api.get('/orders', { client_id: randomUUID() })).outcome).toBe('400 UNSUPPORTED_FILTER');
  for (const query of [
    { status: 'open' },
    { payment_status: 'x' },
    { client_uuid: 'x' },
    { sort: 'subtotal' },
  ]) {
    expect((await shop.api.get('/orders', query)).outcome).toBe('400 INVALID_PARAMETER');
  }
});
