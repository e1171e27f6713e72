import { randomUUID } from 'node:crypto';
import type { Order } from '@dealkeep/contract';
import { possibleOrderSteps } from '@dealkeep/core/records';
import { sharedDealkeep } from '@dealkeep/testing';
import { type OrderStep, openShop, recordText } from '@dealkeep/testing/business';
import { describe, expect, test } from 'vitest';
import { onwards, orderSteps, outcomeOf, steps } from './order-steps.ts';

const dealkeep = await sharedDealkeep();
const { step, orderAfter, stockAlong } = orderSteps(dealkeep);

test.each(Object.entries(onwards) as [Order['status'], OrderStep[]][])(
  'from %s an order can go to %j (rules orders 13 and 14)',
  (from, allowed) => {
    const possible = possibleOrderSteps({ status: from, payment_status: 'unpaid' });
    const reached = steps.filter((to) =>
      possible.includes(`orders.${to === 'ready_for_pickup' ? 'ready-for-pickup' : to}`),
    );
    expect(reached).toEqual(steps.filter((to) => allowed.includes(to)));
  },
);

test('a step that is not possible is refused, and changes and tells nothing (rule orders 14)', async () => {
  const shop = await openShop(dealkeep);
  const uuid = await orderAfter(shop, ['delivered']);
  const before = await shop.api.get(`/orders/${uuid}`);
  const events = await shop.eventsDuring(async () => {
    for (const to of ['confirmed', 'delivered', 'cancelled'] as const) {
      expect([to, await outcomeOf(step(shop, uuid, to))]).toEqual([to, 'CONFLICT']);
    }
  });
  expect(events).toEqual([]);
  expect((await shop.api.get(`/orders/${uuid}`)).text).toBe(before.text);
});

describe('each step says what happened, with the record that GET answers', () => {
  test.each([
    ['confirmed', [], 'confirmed_at'],
    ['picking', [], null],
    ['packed', [], null],
    ['ready_for_pickup', [], null],
    ['shipped', [], 'shipped_at'],
    ['delivered', [], 'delivered_at'],
    ['cancelled', [], 'cancelled_at'],
    ['returned', ['delivered'], null],
  ] satisfies [OrderStep, OrderStep[], keyof Order | null][])(
    'order.%s (rules orders 13 and 15)',
    async (status, path, moment) => {
      const shop = await openShop(dealkeep);
      const uuid = await orderAfter(shop, path);
      const before = (await shop.api.get(`/orders/${uuid}`)).data;
      const events = await shop.eventsDuring(() => step(shop, uuid, status));
      const after = await shop.api.get(`/orders/${uuid}`);
      const { updated_at } = after.data;
      expect(after.data).toEqual({
        ...before,
        status,
        updated_at,
        ...(moment ? { [moment]: updated_at } : {}),
      });
      expect(events.map(({ type }) => type)).toEqual([`order.${status}`]);
      expect(events[0]?.dataText).toBe(recordText(after.text));
    },
  );
});

describe('stock', () => {
  test('is reserved by an order, taken when it leaves and put back when it returns (rule orders 19)', async () => {
    const path = ['confirmed', 'packed', 'shipped', 'delivered', 'returned'] as const;
    expect(await stockAlong(await openShop(dealkeep), path)).toEqual([
      [10, 6.5],
      [10, 6.5],
      [10, 6.5],
      [6.5, 6.5],
      [6.5, 6.5],
      [10, 10],
    ]);
  });

  test('is released when an order is cancelled (rule orders 19)', async () => {
    expect(await stockAlong(await openShop(dealkeep), ['picking', 'cancelled'])).toEqual([
      [10, 6.5],
      [10, 6.5],
      [10, 10],
    ]);
  });

  test('may be oversold (rule orders 19)', async () => {
    const shop = await openShop(dealkeep);
    const product = await shop.addProduct({ price: 1, stock_on_hand: 1 });
    const uuid = await orderAfter(shop, [], { items: [{ product_uuid: product.uuid, quantity: 3 }] });
    expect(await shop.stockOf(product)).toEqual([1, -2]);
    await step(shop, uuid, 'shipped');
    expect(await shop.stockOf(product)).toEqual([-2, -2]);
  });

  test('moves without an event of the product and without its updated_at (rule orders 20)', async () => {
    const shop = await openShop(dealkeep);
    const product = await shop.addProduct({ price: 1 });
    const events = await shop.eventsDuring(async () => {
      await orderAfter(shop, ['delivered'], { items: [{ product_uuid: product.uuid, quantity: 3 }] });
    });
    expect(events.map(({ type }) => type)).toEqual(['order.created', 'order.delivered']);
    expect((await shop.api.get('/products')).page.data[0]?.updated_at).toBe(product.updated_at);
  });
});

test('of the same steps at once one is taken, and the stock moves once', async () => {
  const shop = await openShop(dealkeep);
  const product = await shop.addProduct({ price: 1, stock_on_hand: 5 });
  const uuid = await orderAfter(shop, [], { items: [{ product_uuid: product.uuid, quantity: 2 }] });
  const events = await shop.eventsDuring(async () => {
    const outcomes = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        outcomeOf(step(shop, uuid, index % 2 === 0 ? 'cancelled' : 'shipped')),
      ),
    );
    expect(outcomes.filter((outcome) => outcome !== 'CONFLICT')).toHaveLength(1);
  });
  expect(events).toHaveLength(1);
  const [onHand, available] = await shop.stockOf(product);
  expect([onHand, available]).toEqual(events[0]?.type === 'order.shipped' ? [3, 3] : [5, 5]);
});

test('orders that do not exist, or belong to others, cannot take a step', async () => {
  const [one, other] = await Promise.all([openShop(dealkeep), openShop(dealkeep)]);
  const { uuid } = (await other.order()).data;
  for (const unknown of [randomUUID(), uuid]) {
    expect(await outcomeOf(step(one, unknown, 'confirmed'))).toBe('NOT_FOUND');
  }
});
