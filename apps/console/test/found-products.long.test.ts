import { sharedDealkeep, type VisitedPage } from '@dealkeep/testing';
import { describe, expect, test } from 'vitest';
import { idOfMade, problemBeside, textOf } from './page-parts.ts';
import { type SignedInOwner, signedInOwner } from './signed-in-owner.ts';

// Of records that a form is filled with by searching among many: products, customers, contacts.

const dealkeep = await sharedDealkeep();
const save = { do: 'save' };
const owner = () => signedInOwner(dealkeep);

describe('products that the lines of an order are to be found by', () => {
  const makeProduct = ({ browser }: SignedInOwner, sku: string, name: string): Promise<VisitedPage> =>
    browser.fill('/products/new', '/products/new', { sku, name, price: '5', ...save });

  /** Sends an order of so many lines, each with what its product is to be found by. */
  async function sendOrder({ browser, api }: SignedInOwner, count: number, find: (row: number) => string) {
    const { data: buyer } = await api.post('/companies', { name: 'Whoever buys' });
    const lines = Array.from({ length: count }, (_, row) => [
      [`items[${row}].sku`, `LAMP-${row}`],
      [`items[${row}].quantity`, '1'],
      [`items[${row}].unit_price`, '5'],
      [`items[${row}].product_uuid.find`, find(row)],
    ]).flat();
    const customer = { 'customer.client_uuid.customer': `company:${buyer.id}` };
    return browser.fill('/orders/new', '/orders/new', { ...Object.fromEntries(lines), ...customer, ...save });
  }

  /** The products of an order that was just made, line by line. */
  async function productsIn({ api }: SignedInOwner, made: VisitedPage): Promise<(string | null)[]> {
    expect(made.status, textOf(made.html)).toBe(303);
    const { items } = (await api.get(`/orders/${idOfMade(made)}`)).data;
    return items.map((item: { product_uuid: string | null }) => item.product_uuid);
  }

  test('are searched for fifty at once, and the rest when the form is sent again', async () => {
    const somebody = await owner();
    for (let room = 100; room < 153; room += 1)
      await makeProduct(somebody, `LAMP-${room}`, `Lamp of room ${room}`);
    const told = await sendOrder(somebody, 53, (row) => `room ${row + 100}`);
    expect([told.status, told.html.match(/Not searched for yet/g)?.length]).toEqual([422, 3]);
    expect(problemBeside(told.html, 'items[50].product_uuid')).toBe(
      'Not searched for yet: 50 are searched for at once. Look at those above, then send the form again.',
    );
    expect(problemBeside(told.html, 'items[49].product_uuid')).toBeUndefined();
    const products = await productsIn(somebody, await somebody.browser.submit(told, '/orders/new', save));
    expect([products.length, new Set(products).size, products.includes(null)]).toEqual([53, 53, false]);
  });

  test('are searched for once where many lines name the same', async () => {
    const somebody = await owner();
    await makeProduct(somebody, 'LAMP', 'The only lamp');
    const products = await productsIn(somebody, await sendOrder(somebody, 60, () => 'only lamp'));
    expect([products.length, new Set(products).size, products.includes(null)]).toEqual([60, 1, false]);
  });
});
