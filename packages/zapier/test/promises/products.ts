import { expect, test } from 'vitest';
import type { World } from './world.ts';

/** What is offered with a key alone. */
export function productPromises(world: World): void {
  test('stand in a dropdown by name and SKU', async () => {
    const product = await world.some('/products');
    expect(await world.list('triggers.list_products', {}, { page: 0 })).toContainEqual({
      id: product['uuid'],
      name: `${product['name']} (${product['sku']})`,
    });
  });

  test('are found by SKU', async () => {
    const product = await world.some('/products');
    const [found] = await world.list('searches.find_product', { search_sku: product['sku'] });
    expect(found).toMatchObject({ id: product['uuid'], uuid: product['uuid'] });
  });

  test('are found by a category from the list', async () => {
    const categories = await world.list('triggers.list_product_categories', {}, { page: 0 });
    const helmets = categories.find(({ name }) => String(name).startsWith('Helmet'));
    const found = await world.list('searches.find_product', { search_category_uuid: helmets?.['id'] });
    expect(found.map(({ sku }) => sku).toSorted()).toEqual(['HELMET-L', 'HELMET-M']);
  });

  test('are chosen in the lines of an order', async () => {
    const product = await world.some('/products', '&active=true');
    const items = [{ items__product_uuid: product['uuid'], items__quantity: 1 }];
    expect(await world.act('create_order', { items })).toMatchObject({
      items: [{ product_uuid: product['uuid'], quantity: 1 }],
    });
  });
}
