import { sharedDealkeep } from '@dealkeep/testing';
import { openShop } from '@dealkeep/testing/business';
import { describe, expect, test } from 'vitest';

const dealkeep = await sharedDealkeep();

describe('an item takes from its product what it does not say itself', () => {
  test('name, price and VAT; the discounted price before the price (rules orders 7 and 8)', async () => {
    const { order, addProduct } = await openShop(dealkeep);
    const usual = await addProduct({ sku: 'A', name: 'Usual', price: 10, vat_rate: 23 });
    await addProduct({ sku: 'B', name: 'Discounted', price: 10, discounted_price: 7.5, vat_rate: 10 });
    const { items } = (
      await order({
        items: [
          { product_uuid: usual.uuid, quantity: 1 },
          { sku: 'B', quantity: 1 },
          { sku: 'B', quantity: 1, unit_price: 0, vat_rate: 0 },
          { product_uuid: usual.uuid.toUpperCase(), sku: 'MINE', quantity: 1 },
        ],
      })
    ).data;
    expect(items.map(({ name, sku, unit_price, vat_rate }) => [name, sku, unit_price, vat_rate])).toEqual([
      ['Usual', 'A', 10, 23],
      ['Discounted', 'B', 7.5, 10],
      ['Discounted', 'B', 0, 0],
      ['Usual', 'MINE', 10, 23],
    ]);
    expect(items[1]?.product_uuid).not.toBeNull();
  });

  test('a SKU is exact (rules orders 7 and 9)', async () => {
    const { order, addProduct } = await openShop(dealkeep);
    await addProduct({ sku: 'abc', price: 1 });
    expect((await order({ items: [{ sku: 'ABC', quantity: 1 }] })).fields).toEqual({
      'items[0].unit_price': 'needs_price',
    });
  });
});

describe('amounts', () => {
  test.each([
    ['half away from zero', [[1, 0.125, 0]], { subtotal: 0.13 }],
    ['exact decimals, where binary numbers fall short', [[1, 1.005, 0]], { subtotal: 1.01 }],
    ['rounded once for a line', [[3, 0.335, 0]], { subtotal: 1.01 }],
    [
      'rounded lines are summed',
      [
        [1, 0.125, 0],
        [1, 0.125, 0],
      ],
      { subtotal: 0.26 },
    ],
    [
      'VAT once for a rate',
      [
        [1, 0.1, 25],
        [1, 0.1, 25],
      ],
      { subtotal: 0.2, vat_total: 0.05, grand_total: 0.25 },
    ],
    [
      'a discount in percent',
      [[3, 19.99, 23, 33.33]],
      { subtotal: 39.98, vat_total: 9.2, grand_total: 49.18 },
    ],
    ['nothing left', [[1, 10, 23, 100]], { subtotal: 0, vat_total: 0, grand_total: 0 }],
    ['a tiny quantity', [[0.0001, 100000, 0]], { subtotal: 10 }],
    ['the smallest number', [[5e-324, 5e-324, 5e-324]], { subtotal: 0, grand_total: 0 }],
    ['the largest amount', [[1, 1e12, 0]], { subtotal: 1e12, grand_total: 1e12 }],
    ['the largest quantity', [[1e12, 0.99, 0]], { subtotal: 990_000_000_000 }],
  ] satisfies [string, [number, number, number, number?][], object][])('%s', async (_, lines, totals) => {
    const { api, order } = await openShop(dealkeep);
    const items = lines.map(([quantity, unit_price, vat_rate, discount_pct]) => ({
      sku: 'X',
      quantity,
      unit_price,
      vat_rate,
      discount_pct,
    }));
    const created = await order({ items });
    expect(created.data).toMatchObject(totals);
    expect(
      created.data.items.map(({ quantity, unit_price, vat_rate }) => [quantity, unit_price, vat_rate]),
    ).toEqual(lines.map(([quantity, unit_price, vat_rate]) => [quantity, unit_price, vat_rate]));
    expect((await api.get(`/orders/${created.data.uuid}`)).text).toBe(created.text);
  });

  test('the discount of the order lowers the total, not the VAT; shipping carries none (rules orders 10 and 11)', async () => {
    const { order } = await openShop(dealkeep);
    const items = [{ sku: 'X', quantity: 1, unit_price: 100, vat_rate: 20 }];
    expect((await order({ items, discount_total: 10.005, shipping_cost: 4.904 })).data).toMatchObject({
      subtotal: 100,
      discount_total: 10.01,
      shipping_cost: 4.9,
      vat_total: 20,
      grand_total: 114.89,
    });
    expect((await order({ items, discount_total: 120 })).data.grand_total).toBe(0);
  });

  test('beyond the largest amount are refused, wherever they come from', async () => {
    const { order } = await openShop(dealkeep);
    const item = (quantity: number, unit_price: number, vat_rate = 0) => ({
      sku: 'X',
      quantity,
      unit_price,
      vat_rate,
    });
    const fieldsOf = async (items: object[], more: object = {}) => (await order({ items, ...more })).fields;
    expect(await fieldsOf([item(1, 1), item(1e12, 1e12)])).toEqual({ 'items[1]': 'total_too_big' });
    expect(await fieldsOf([item(2, 1e12), item(1e12, 2)])).toEqual({
      'items[0]': 'total_too_big',
      'items[1]': 'total_too_big',
    });
    expect(await fieldsOf([item(1, 1e12), item(1, 0.01)])).toEqual({ items: 'total_too_big' });
    expect(await fieldsOf([item(1, 1e12, 1)])).toEqual({ items: 'total_too_big' });
    expect(await fieldsOf([item(1, 1e12)], { shipping_cost: 0.01 })).toEqual({ items: 'total_too_big' });
  });

  test('an order of 500 items is one order, and one of more is refused (rule orders 1)', async () => {
    const { order } = await openShop(dealkeep);
    const items = Array.from({ length: 500 }, (_, index) => ({
      sku: `S${index}`,
      quantity: 1,
      unit_price: 0.01,
    }));
    const { data } = await order({ items });
    expect(data.subtotal).toBe(5);
    expect(data.items.map(({ sku }) => sku)).toEqual(items.map(({ sku }) => sku));
    const more = await order({ items: [...items, { sku: 'S500', quantity: 1, unit_price: 0.01 }] });
    expect([more.outcome, more.fields]).toEqual(['422 VALIDATION_ERROR', { items: 'too_many' }]);
  });
});
