import type { Order } from '@dealkeep/contract';
import { sharedDealkeep } from '@dealkeep/testing';
import { type OrderStep, openShop } from '@dealkeep/testing/business';
import { describe, expect, test } from 'vitest';
import { onwards, orderSteps, outcomeOf, steps } from './order-steps.ts';

const dealkeep = await sharedDealkeep();
const { step, orderAfter, stockAlong } = orderSteps(dealkeep);

describe('from each status, each step', () => {
  test.each(Object.entries(onwards) as [Order['status'], OrderStep[]][])('%s: %j', async (from, allowed) => {
    const shop = await openShop(dealkeep);
    const path: OrderStep[] = from === 'new' ? [] : from === 'returned' ? ['shipped', 'returned'] : [from];
    for (const to of steps) {
      const uuid = await orderAfter(shop, path);
      const before = await shop.api.get(`/orders/${uuid}`);
      const events = await shop.eventsDuring(async () => {
        const outcome = allowed.includes(to) ? to : 'CONFLICT';
        expect([to, await outcomeOf(step(shop, uuid, to))]).toEqual([to, outcome]);
      });
      expect([to, events.map(({ type }) => type)]).toEqual([to, allowed.includes(to) ? [`order.${to}`] : []]);
      const after = await shop.api.get(`/orders/${uuid}`);
      expect(after.text === before.text).toBe(!allowed.includes(to));
    }
  });
});

describe('stock', () => {
  test.each([
    [
      ['confirmed', 'picking', 'packed', 'ready_for_pickup', 'delivered', 'returned'],
      [6.5, 6.5, 6.5, 6.5],
    ],
    [
      ['confirmed', 'picking', 'packed', 'shipped', 'delivered', 'returned'],
      [6.5, 6.5, 6.5],
    ],
    [['delivered', 'returned'], []],
    [['shipped', 'returned'], []],
  ] satisfies [OrderStep[], number[]][])(
    'is reserved by an order, taken when it leaves and put back when it returns: %j',
    async (path, reserved) => {
      const taken = path.length - reserved.length - 1;
      expect(await stockAlong(await openShop(dealkeep), path)).toEqual([
        [10, 6.5],
        ...reserved.map((available) => [10, available]),
        ...Array.from({ length: taken }, () => [6.5, 6.5]),
        [10, 10],
      ]);
    },
  );

  test.each(['confirmed', 'picking', 'packed', 'ready_for_pickup'] as const)(
    'is released when an order is cancelled that is %s',
    async (status) => {
      expect(await stockAlong(await openShop(dealkeep), [status, 'cancelled'])).toEqual([
        [10, 6.5],
        [10, 6.5],
        [10, 10],
      ]);
    },
  );

  test('of forty orders and steps at once over the same products is counted exactly', async () => {
    const shop = await openShop(dealkeep);
    const products = await Promise.all(
      Array.from({ length: 4 }, () => shop.addProduct({ price: 1, stock_on_hand: 100 })),
    );
    const itemsFrom = (start: number) =>
      products.map((_, index) => ({ product_uuid: products[(start + index) % 4]?.uuid, quantity: 1 }));
    const early = await Promise.all(
      Array.from({ length: 20 }, (_, index) => orderAfter(shop, [], { items: itemsFrom(index) })),
    );
    const answers = await Promise.all([
      ...early.map((uuid, index) => step(shop, uuid, index % 2 === 0 ? 'shipped' : 'cancelled')),
      ...early.map((_, index) => shop.order({ items: itemsFrom(index) })),
    ]);
    expect(answers).toHaveLength(40);
    for (const product of products) expect(await shop.stockOf(product)).toEqual([90, 70]);
  });
});
