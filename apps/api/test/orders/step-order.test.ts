import { randomUUID } from 'node:crypto';
import type { Order } from '@dealkeep/contract';
import type { Problem } from '@dealkeep/core';
import { sharedDealkeep } from '@dealkeep/testing';
import { type OrderStep, openShop, recordText, type Shop, stepOrder } from '@dealkeep/testing/business';
import { describe, expect, test } from 'vitest';

const dealkeep = await sharedDealkeep();

const forward = ['confirmed', 'picking', 'packed', 'ready_for_pickup', 'shipped', 'delivered'] as const;
const steps = [...forward, 'cancelled', 'returned'] as const;
const step = ({ name }: Shop, uuid: string, status: OrderStep): Promise<Order> =>
  stepOrder(dealkeep.core, name, { uuid, status });
const outcomeOf = (work: Promise<Order>) =>
  work.then(
    ({ status }) => status,
    ({ code }: Problem) => code,
  );

/** An order that has gone a way. */
async function orderAfter(shop: Shop, path: readonly OrderStep[], more: object = {}): Promise<string> {
  const { uuid } = (await shop.order(more)).data;
  for (const status of path) await step(shop, uuid, status);
  return uuid;
}

describe('from each status, each step', () => {
  const onwards: Record<Order['status'], OrderStep[]> = {
    new: [...forward, 'cancelled'],
    confirmed: ['picking', 'packed', 'ready_for_pickup', 'shipped', 'delivered', 'cancelled'],
    picking: ['packed', 'ready_for_pickup', 'shipped', 'delivered', 'cancelled'],
    packed: ['ready_for_pickup', 'shipped', 'delivered', 'cancelled'],
    ready_for_pickup: ['delivered', 'cancelled'],
    shipped: ['delivered', 'returned'],
    delivered: ['returned'],
    cancelled: [],
    returned: [],
  };
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
  ] satisfies [OrderStep, OrderStep[], keyof Order | null][])('order.%s', async (status, path, moment) => {
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
  });
});

describe('stock', () => {
  const moves = async (path: readonly OrderStep[]) => {
    const shop = await openShop(dealkeep);
    const product = await shop.addProduct({ price: 1, stock_on_hand: 10 });
    const items = [
      { product_uuid: product.uuid, quantity: 2 },
      { sku: product.sku, quantity: 1.5 },
      { sku: 'unknown', quantity: 1, unit_price: 1 },
    ];
    const uuid = await orderAfter(shop, [], { items });
    const stock = [await shop.stockOf(product)];
    for (const status of path) {
      await step(shop, uuid, status);
      stock.push(await shop.stockOf(product));
    }
    return stock;
  };

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
      expect(await moves(path)).toEqual([
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
      expect(await moves([status, 'cancelled'])).toEqual([
        [10, 6.5],
        [10, 6.5],
        [10, 10],
      ]);
    },
  );

  test('may be oversold', async () => {
    const shop = await openShop(dealkeep);
    const product = await shop.addProduct({ price: 1, stock_on_hand: 1 });
    const uuid = await orderAfter(shop, [], { items: [{ product_uuid: product.uuid, quantity: 3 }] });
    expect(await shop.stockOf(product)).toEqual([1, -2]);
    await step(shop, uuid, 'shipped');
    expect(await shop.stockOf(product)).toEqual([-2, -2]);
  });

  test('moves without an event of the product and without its updated_at', async () => {
    const shop = await openShop(dealkeep);
    const product = await shop.addProduct({ price: 1 });
    const events = await shop.eventsDuring(async () => {
      await orderAfter(shop, ['delivered'], { items: [{ product_uuid: product.uuid, quantity: 3 }] });
    });
    expect(events.map(({ type }) => type)).toEqual(['order.created', 'order.delivered']);
    expect((await shop.api.get('/products')).page.data[0]?.updated_at).toBe(product.updated_at);
  });

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
