import { minorUnitsOf } from '@dealkeep/contract';
import { seedDemo } from '@dealkeep/core/installation';
import { inConsole, sharedDealkeep } from '@dealkeep/testing';
import { openShop } from '@dealkeep/testing/business';
import { describe, expect, test } from 'vitest';

const dealkeep = await sharedDealkeep();
const { core } = dealkeep;

/** A shop whose organization counts in a currency. */
async function shopIn(currency: 'JPY' | 'KWD' | 'HUF') {
  const shop = await openShop(dealkeep);
  await inConsole(core, shop.organization, 'organizations.update', { currency });
  return shop;
}

/** Every number in it that has more decimals than the currency. */
const tooFine = (value: unknown, decimals: number): number[] => {
  if (typeof value === 'number') return Number(value.toFixed(decimals)) === value ? [] : [value];
  return typeof value === 'object'
    ? Object.values(value ?? {}).flatMap((each) => tooFine(each, decimals))
    : [];
};

describe.each([
  ['JPY', 33.5, 34, 0.4, 0],
  ['KWD', 1.2345, 1.235, 0.0004, 0],
  ['HUF', 1.005, 1.01, 0.004, 0],
] as const)('amounts in %s', (currency, sent, kept, less, nothing) => {
  test('of leads, by create and update (rule bodies 21)', async () => {
    const { api } = await shopIn(currency);
    const { data } = await api.post('/leads', { value: sent, acquisition_cost: less });
    expect([data.value, data.acquisition_cost]).toEqual([kept, nothing]);
    const changed = await api.patch(`/leads/${data.id}`, { value: less, acquisition_cost: sent });
    expect([changed.data.value, changed.data.acquisition_cost]).toEqual([nothing, kept]);
    expect((await api.get(`/leads/${data.id}`)).data).toEqual(changed.data);
  });

  test('of products, of services and of their bookings (rule bodies 21)', async () => {
    const { api, addProduct, organization } = await shopIn(currency);
    const product = await addProduct({ price: sent, discounted_price: less });
    expect([product.price, product.discounted_price]).toEqual([kept, nothing]);
    const edited = await inConsole(core, organization, 'products.update', {
      uuid: product.uuid,
      price: less,
      discounted_price: sent,
    });
    expect([edited.price, edited.discounted_price]).toEqual([nothing, kept]);
    const service = { name: 'Fitting', duration_minutes: 30, price: sent, currency };
    const { id } = await inConsole(core, organization, 'booking-services.add', service);
    const booking = await api.post('/bookings', {
      service_id: id,
      starts_at: '2030-01-01T10:00:00Z',
      customer: { name: 'Eva' },
    });
    expect(booking.data).toMatchObject({ price: kept, currency });
  });

  test('of orders and their lines (rules bodies 21 and orders 10)', async () => {
    const { order, api } = await openShop(dealkeep);
    const { data } = await order({
      items: [
        { sku: 'A', quantity: 3, unit_price: sent, vat_rate: 23, discount_pct: 7 },
        { sku: 'B', quantity: 1, unit_price: sent, vat_rate: 23 },
      ],
      currency: currency.toLowerCase(),
      discount_total: sent,
      shipping_cost: sent,
    });
    const { line_total } = data.items[0] ?? { line_total: Number.NaN };
    const sums = [data.subtotal, data.discount_total, data.shipping_cost, data.vat_total, data.grand_total];
    expect(tooFine([line_total, sums], minorUnitsOf(currency))).toEqual([]);
    expect([data.discount_total, data.shipping_cost]).toEqual([kept, kept]);
    expect(data.items.map(({ unit_price }) => unit_price)).toEqual([sent, sent]);
    expect((await api.get(`/orders/${data.uuid}`)).data).toEqual(data);
  });

  test('of the demo have no more decimals than that (rule bodies 21)', async () => {
    const { api, organization } = await shopIn(currency);
    await seedDemo(core, organization.slug, 'small');
    const lists = ['/leads', '/orders', '/products', '/invoices', '/bookings'] as const;
    const pages = await Promise.all(lists.map(async (list) => (await api.get(list, { limit: 100 })).data));
    const [quotes] = await dealkeep.sql`
      select json_agg(json_build_array(subtotal, vat_amount, total)) as amounts from quotes
      where organization_id = ${organization.id}`;
    for (const page of [...pages, quotes?.['amounts']]) {
      expect(page).not.toHaveLength(0);
      expect(tooFine(page, minorUnitsOf(currency))).toEqual([]);
    }
  });
});

test('what a record has of another time stays when it is sent again (rule bodies 21)', async () => {
  const { api, addProduct, organization } = await openShop(dealkeep);
  const { data: lead } = await api.post('/leads', { name: 'Old', value: 33.33 });
  const product = await addProduct({ price: 33.33 });
  const service = { name: 'Ride', duration_minutes: 30, price: 33.33, currency: 'JPY' } as const;
  const { id } = await inConsole(core, organization, 'booking-services.add', service);
  await dealkeep.sql`update booking_services set price = 33.33 where organization_id = ${organization.id}`;
  await inConsole(core, organization, 'organizations.update', { currency: 'JPY' });

  expect((await api.patch(`/leads/${lead.id}`, { value: 33.33, note: 'x' })).data.value).toBe(33.33);
  const { uuid } = product;
  const renamed = await inConsole(core, organization, 'products.update', { uuid, price: 33.33, name: 'Y' });
  expect(renamed.price).toBe(33.33);
  await inConsole(core, organization, 'booking-services.edit', { id, ...service, name: 'Longer ride' });
  expect((await api.get('/booking-services')).data).toMatchObject([{ name: 'Longer ride', price: 33.33 }]);
  await inConsole(core, organization, 'booking-services.edit', {
    id,
    ...service,
    currency: 'EUR',
    price: 1.005,
  });
  expect((await api.get('/booking-services')).data).toMatchObject([{ price: 1.01 }]);
});

test.each([
  ['EUR', 12.3, '12.30 EUR'],
  ['JPY', 1200, '1200 JPY'],
  ['KWD', 1.5, '1.500 KWD'],
])('a search shows amounts in %s with their decimals', async (currency, unit_price, shown) => {
  const { api, order, organization } = await openShop(dealkeep);
  const items = [{ name: 'Found', unit_price, quantity: 1 }];
  const { data: invoice } = await api.post('/invoices', { items, currency });
  const made = await order({ currency, items: [{ sku: 'A', quantity: 1, unit_price }] });
  const quote = await inConsole(core, organization, 'quotes.create', {
    items,
    currency: invoice.currency === 'JPY' ? 'JPY' : invoice.currency === 'KWD' ? 'KWD' : 'EUR',
  });
  for (const number of [invoice.number, made.data.internal_number, quote.number]) {
    const [found] = (await api.get('/search', { q: String(number) })).data;
    expect(found?.subtitle).toBe(shown);
  }
});
