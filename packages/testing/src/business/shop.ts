import type { EveryOperation, Order, Product } from '@dealkeep/contract';
import type { Core } from '@dealkeep/core';
import type * as z from 'zod';
import type { Answer } from '../answer.ts';
import { inConsole } from '../in-console.ts';
import type { TestDealkeep } from '../start-dealkeep.ts';
import { type Business, openBusiness } from './business.ts';

export type NewProduct = z.input<EveryOperation['products.create']['body']>;
export type ProductChanges = z.input<EveryOperation['products.update']['body']>;
export type OrderStep = Exclude<Order['status'], 'new'>;
export type PaymentStep = Exclude<Order['payment_status'], 'unpaid'>;

type Named = Pick<Order, 'uuid'>;

export const stepOrder = (
  core: Core,
  organization: { readonly id: string },
  { uuid, status }: Named & { status: OrderStep },
): Promise<Order> => {
  const name = status === 'ready_for_pickup' ? 'ready-for-pickup' : status;
  return inConsole(core, organization, `orders.${name}`, { uuid });
};

export const setPaymentStatus = (
  core: Core,
  organization: { readonly id: string },
  { uuid, payment_status }: Named & { payment_status: PaymentStep },
): Promise<Order> => inConsole(core, organization, `orders.payment-${payment_status}`, { uuid });

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
      return inConsole(dealkeep.core, name, 'products.create', {
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
