import type { Order, Product } from '@dealkeep/contract';
import { createProduct, type NewProduct } from '@dealkeep/core';
import type { Answer } from '../answer.ts';
import type { TestDealkeep } from '../start-dealkeep.ts';
import { type Business, openBusiness } from './business.ts';

export interface Shop extends Business {
  name: { id: string; slug: string };
  addProduct(product?: Partial<NewProduct>): Promise<Product>;
  /** Orders for nobody in particular; without items, one piece of an unknown SKU for 10. */
  order(more?: object): Promise<Answer<Order>>;
  /** Stock of a product on hand and available. */
  stockOf(
    product: Pick<Product, 'uuid'>,
  ): Promise<[onHand: number | undefined, available: number | undefined]>;
}

/** A business that sells. */
export async function openShop(dealkeep: TestDealkeep): Promise<Shop> {
  const business = await openBusiness(dealkeep);
  const { organization, api } = business;
  const name = { id: organization.id, slug: organization.slug };
  let count = 0;
  return {
    ...business,
    name,
    addProduct: (product = {}) => {
      count += 1;
      return createProduct(dealkeep.core, name, {
        sku: `SKU-${count}`,
        name: `Product ${count}`,
        ...product,
      });
    },
    order: (more = {}) =>
      api.post('/orders', { customer: {}, items: [{ sku: 'X', quantity: 1, unit_price: 10 }], ...more }),
    async stockOf({ uuid }) {
      const { data } = await api.send<Product>('GET', `/products/${uuid}?include=stock`);
      return [data.stock_on_hand, data.stock_available];
    },
  };
}
