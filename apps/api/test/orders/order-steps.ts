import type { Order } from '@dealkeep/contract';
import type { Problem } from '@dealkeep/core/foundations';
import type { TestDealkeep } from '@dealkeep/testing';
import { type OrderStep, type Shop, stepOrder } from '@dealkeep/testing/business';

const forward = ['confirmed', 'picking', 'packed', 'ready_for_pickup', 'shipped', 'delivered'] as const;
/** Every step that there is. */
export const steps = [...forward, 'cancelled', 'returned'] as const;

/** From each status, where an order can go. */
export const onwards: Readonly<Record<Order['status'], readonly OrderStep[]>> = {
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

export const outcomeOf = (work: Promise<Order>) =>
  work.then(
    ({ status }) => status,
    ({ code }: Problem) => code,
  );

/** The steps of orders as people take them in the console. */
export function orderSteps({ core }: Pick<TestDealkeep, 'core'>) {
  const step = ({ name }: Shop, uuid: string, status: OrderStep): Promise<Order> =>
    stepOrder(core, name, { uuid, status });
  return {
    step,
    /** An order that has gone a way. */
    async orderAfter(shop: Shop, path: readonly OrderStep[], more: object = {}): Promise<string> {
      const { uuid } = (await shop.order(more)).data;
      for (const status of path) await step(shop, uuid, status);
      return uuid;
    },
    /** The stock of a product, at first and after each step of an order of it. */
    async stockAlong(shop: Shop, path: readonly OrderStep[]) {
      const product = await shop.addProduct({ price: 1, stock_on_hand: 10 });
      const items = [
        { product_uuid: product.uuid, quantity: 2 },
        { sku: product.sku, quantity: 1.5 },
        { sku: 'unknown', quantity: 1, unit_price: 1 },
      ];
      const { uuid } = (await shop.order({ items })).data;
      const stock = [await shop.stockOf(product)];
      for (const status of path) {
        await step(shop, uuid, status);
        stock.push(await shop.stockOf(product));
      }
      return stock;
    },
  };
}
