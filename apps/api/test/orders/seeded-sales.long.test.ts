import type { Product } from '@dealkeep/contract';
import { seedDemo } from '@dealkeep/core/installation';
import { sharedDealkeep } from '@dealkeep/testing';
import { openSalon, openShop } from '@dealkeep/testing/business';
import { expect, test } from 'vitest';

const dealkeep = await sharedDealkeep();

test('the demo has bookings in every state, and the answers keep the contract', async () => {
  const { api, organization } = await openSalon(dealkeep);
  const { bookings: count } = await seedDemo(dealkeep.core, organization.slug, 'small');
  const bookings = await api.walk('/bookings', { sort: 'starts_at' });
  expect(bookings).toHaveLength(count);
  expect(count).toBeGreaterThan(8);
  const now = new Date().toISOString();
  for (const { status, starts_at, ends_at, created_at, client, staff } of bookings) {
    expect(ends_at > starts_at && created_at < now).toBe(true);
    expect(['pending', 'confirmed'].includes(status)).toBe(ends_at > now);
    expect(client && staff).not.toBeNull();
  }
});

test('the demo sells: sums, numbers and stock agree, and orders that follow go on counting', async () => {
  const { api, organization, order } = await openShop(dealkeep);
  const { orders: count, products: kinds } = await seedDemo(dealkeep.core, organization.slug, 'small');
  const orders = await api.walk('/orders', { sort: 'created_at' });
  expect(orders).toHaveLength(count);
  expect(count).toBeGreaterThan(8);
  const reserved = new Map<string | null, number>();
  for (const { items, status, subtotal, vat_total, ...sums } of orders) {
    const cents = (amounts: number[]) => Math.round(amounts.reduce((sum, amount) => sum + amount * 100, 0));
    expect(cents(items.map(({ line_total }) => line_total))).toBe(cents([subtotal]));
    const parts = [subtotal, -sums.discount_total, sums.shipping_cost, vat_total, sums.cod_fee ?? 0];
    expect(cents([sums.grand_total])).toBe(cents(parts));
    expect(Object.keys(JSON.parse(sums.delivery_address ?? ''))).toEqual([
      'street',
      'city',
      'postal_code',
      'country',
    ]);
    if (['shipped', 'delivered', 'returned', 'cancelled'].includes(status)) continue;
    for (const { product_uuid, quantity } of items) {
      reserved.set(product_uuid, (reserved.get(product_uuid) ?? 0) + quantity);
    }
  }
  const numbers = orders.map(({ internal_number }) => internal_number);
  expect(numbers).toEqual(numbers.toSorted());
  expect(new Set(numbers).size).toBe(count);

  const { page } = await api.send<Product>('GET', '/products?include=stock');
  expect(page.data).toHaveLength(kinds);
  for (const { uuid, stock_on_hand = 0, stock_available } of page.data) {
    expect(stock_available).toBe(stock_on_hand - (reserved.get(uuid) ?? 0));
  }

  const next = (await order()).data.internal_number;
  expect(numbers).not.toContain(next);
  await seedDemo(dealkeep.core, organization.slug, 'small');
  expect((await api.walk('/orders')).length).toBeGreaterThan(count + 1);
});

test('a larger demo stays quick and legal', async () => {
  const { organization, api } = await openShop(dealkeep);
  const counts = await seedDemo(dealkeep.core, organization.slug, 4000);
  expect(counts.orders).toBeGreaterThan(400);
  expect(counts.bookings).toBeGreaterThan(300);
  expect((await api.get('/orders', { limit: 100, sort: 'grand_total' })).page.has_more).toBe(true);
});
