import { randomUUID } from 'node:crypto';
import { sharedDealkeep, startDealkeep } from '@dealkeep/testing';
import { openShop, recordText } from '@dealkeep/testing/business';
import { describe, expect, test } from 'vitest';
import { addClient } from '../console-edits.ts';

const dealkeep = await sharedDealkeep();
const year = new Intl.DateTimeFormat('en', { timeZone: 'Europe/Bratislava', year: 'numeric' }).format(
  new Date(),
);

describe('create', () => {
  test('with every field (rules orders 6, 10, 11, 12 and 16)', async () => {
    const { api, addProduct, organization } = await openShop(dealkeep);
    const company = (await api.post('/companies', { name: 'Acme' })).data.id;
    const client = await addClient({ dealkeep, organization }, company);
    const bike = await addProduct({ sku: 'BIKE', name: 'City bike', price: 450, vat_rate: 23 });
    const order = await api.post('/orders', {
      customer: {
        name: 'Eva Šimková',
        email: 'eva@customer.example',
        phone: '+421 905 654 321',
        billing_address: 'Štúrova 12, 040 01 Košice',
        delivery_address: 'Štúrova 12',
        client_uuid: client,
        company_uuid: company,
      },
      items: [
        { product_uuid: bike.uuid, quantity: 2, discount_pct: 10, notes: 'Blue frame' },
        { sku: 'BELL', quantity: 1.5, unit_price: 4, vat_rate: 5 },
      ],
      auto_confirm: false,
      currency: 'CZK',
      discount_total: 5,
      shipping_cost: 4.9,
      external_id: 'SHOP-1',
      external_source: 'shop',
      notes: 'Ring twice.',
      payment_method: 'card',
      shipping_method: 'courier',
    });
    expect(order.status).toBe(201);
    expect(order.data).toEqual({
      uuid: expect.any(String),
      internal_number: `O-${year}-0001`,
      external_id: 'SHOP-1',
      external_source: 'shop',
      status: 'new',
      payment_status: 'unpaid',
      currency: 'CZK',
      subtotal: 816,
      discount_total: 5,
      shipping_cost: 4.9,
      vat_total: 186.6,
      grand_total: 1002.5,
      cod_fee: null,
      payment_method: 'card',
      shipping_method: 'courier',
      customer_name: 'Eva Šimková',
      customer_email: 'eva@customer.example',
      customer_phone: '+421 905 654 321',
      billing_address: 'Štúrova 12, 040 01 Košice',
      delivery_address: '{"street":"Štúrova 12","city":null,"postal_code":null,"country":null}',
      notes: 'Ring twice.',
      client_uuid: client,
      company_uuid: company,
      invoice_uuid: null,
      items: [
        {
          uuid: expect.any(String),
          name: 'City bike',
          sku: 'BIKE',
          product_uuid: bike.uuid,
          quantity: 2,
          unit_price: 450,
          vat_rate: 23,
          discount_pct: 10,
          line_total: 810,
          notes: 'Blue frame',
        },
        {
          uuid: expect.any(String),
          name: 'BELL',
          sku: 'BELL',
          product_uuid: null,
          quantity: 1.5,
          unit_price: 4,
          vat_rate: 5,
          discount_pct: null,
          line_total: 6,
          notes: null,
        },
      ],
      created_at: expect.stringMatching(/\.\d{3}Z$/),
      updated_at: order.data.created_at,
      confirmed_at: null,
      paid_at: null,
      shipped_at: null,
      delivered_at: null,
      cancelled_at: null,
      app_url: `http://localhost:3000/orders/${order.data.uuid}`,
    });
    const read = await api.get(`/orders/${order.data.uuid}`);
    expect(read.text).toBe(order.text);
    const event = (await dealkeep.eventsOf(organization)).at(-1);
    expect(event?.type).toBe('order.created');
    expect(event?.dataText).toBe(recordText(read.text));
    expect(JSON.stringify((await api.get('/orders')).page.data[0])).toBe(recordText(read.text));
  });

  test('with what is required alone; null equals absent', async () => {
    const { order } = await openShop(dealkeep);
    const bare = await order();
    expect(bare.data).toMatchObject({
      external_id: null,
      external_source: 'api',
      currency: 'EUR',
      subtotal: 10,
      discount_total: 0,
      shipping_cost: 0,
      vat_total: 0,
      grand_total: 10,
      customer_name: null,
      delivery_address: null,
    });
    const none = { name: null, email: null, phone: null, billing_address: null, delivery_address: null };
    const nulls = await order({
      customer: { ...none, client_uuid: null, company_uuid: null },
      items: [
        {
          sku: 'X',
          quantity: 1,
          unit_price: 10,
          product_uuid: null,
          vat_rate: null,
          discount_pct: null,
          notes: null,
        },
      ],
      auto_confirm: null,
      currency: null,
      discount_total: null,
      shipping_cost: null,
      external_id: null,
      external_source: null,
      notes: null,
      payment_method: null,
      shipping_method: null,
    });
    const { uuid, internal_number, created_at, updated_at, app_url, items, ...same } = bare.data;
    expect(nulls.data).toMatchObject(same);
  });

  test('auto_confirm confirms at once: order.created, then order.confirmed, both with the confirmed order (rule orders 12)', async () => {
    const { api, order, eventsDuring } = await openShop(dealkeep);
    const events = await eventsDuring(async () => {
      const { data } = await order({ auto_confirm: true });
      expect(data).toMatchObject({ status: 'confirmed', confirmed_at: data.created_at });
    });
    expect(events.map(({ type }) => type)).toEqual(['order.created', 'order.confirmed']);
    const read = recordText((await api.get(`/orders/${String(events[0]?.data['uuid'])}`)).text);
    expect(events.map(({ dataText }) => dataText)).toEqual([read, read]);
  });

  test('names all failing fields at once (rules orders 1, 8 and 9)', async () => {
    const { api, order, addProduct } = await openShop(dealkeep);
    expect((await api.post('/orders', {})).fields).toEqual({ customer: 'required', items: 'required' });
    expect((await order({ items: [] })).fields).toEqual({ items: 'too_few' });
    const unpriced = await addProduct({ sku: 'FREE' });
    const wrong = await order({
      customer: { client_uuid: randomUUID(), company_uuid: randomUUID() },
      items: [
        { quantity: 1 },
        { quantity: 1, sku: '' },
        { quantity: 1, sku: 'unknown' },
        { quantity: 1, product_uuid: randomUUID() },
        { quantity: 1, product_uuid: unpriced.uuid },
        { quantity: 1, sku: 'FREE' },
        { quantity: 1, sku: 'unknown', unit_price: 0 },
      ],
    });
    expect(wrong.fields).toEqual({
      'customer.client_uuid': 'not_found',
      'customer.company_uuid': 'not_found',
      'items[0].product_uuid': 'needs_product',
      'items[1].product_uuid': 'needs_product',
      'items[2].unit_price': 'needs_price',
      'items[3].product_uuid': 'not_found',
      'items[4].unit_price': 'product_without_price',
      'items[5].unit_price': 'product_without_price',
    });
    const broken = await order({
      customer: { email: 'eva', vip: true },
      items: [
        { sku: 'X', quantity: 0, unit_price: -1 },
        { sku: 'X', quantity: 1, vat_rate: 101, discount_pct: -1 },
        { sku: 'X', quantity: '1', unit_price: 1e12 + 1 },
      ],
      currency: 'EURO',
      external_id: 'x'.repeat(256),
      external_source: 'x'.repeat(51),
      discount_total: -1,
      shipping_cost: 1e308,
    });
    expect(broken.fields).toEqual({
      'customer.email': 'invalid_email',
      'customer.vip': 'unknown',
      'items[0].quantity': 'more_than',
      'items[0].unit_price': 'too_small',
      // No product has the SKU: told with what the contract refuses (rule bodies 9).
      'items[1].unit_price': 'needs_price',
      'items[1].vat_rate': 'too_big',
      'items[1].discount_pct': 'too_small',
      'items[2].quantity': 'invalid_type',
      'items[2].unit_price': 'too_big',
      currency: 'invalid_currency',
      external_id: 'too_long',
      external_source: 'too_long',
      discount_total: 'too_small',
      shipping_cost: 'too_big',
    });
  });

  test('customers and products of another organization do not exist', async () => {
    const [one, other] = await Promise.all([openShop(dealkeep), openShop(dealkeep)]);
    const company = (await other.api.post('/companies', { name: 'Acme' })).data.id;
    const client = await addClient({ dealkeep, organization: other.organization }, company);
    const product = await other.addProduct({ sku: 'THEIRS', price: 1 });
    const refused = await one.order({
      customer: { client_uuid: client, company_uuid: company },
      items: [
        { product_uuid: product.uuid, quantity: 1 },
        { sku: 'THEIRS', quantity: 1 },
      ],
    });
    expect(refused.fields).toEqual({
      'customer.client_uuid': 'not_found',
      'customer.company_uuid': 'not_found',
      'items[0].product_uuid': 'not_found',
      'items[1].unit_price': 'needs_price',
    });
    const { uuid } = (await other.order()).data;
    expect((await one.api.get(`/orders/${uuid}`)).outcome).toBe('404 NOT_FOUND');
  });
});

describe('the delivery address is always the four-key JSON text (rule orders 5)', () => {
  const address = (parts: object) =>
    JSON.stringify({ street: null, city: null, postal_code: null, country: null, ...parts });
  const full = { street: 'Štúrova 12', city: 'Košice', postal_code: '040 01', country: 'SK' };
  test.each([
    ['four keys', JSON.stringify(full), address(full)],
    [
      'other order, other keys and white space',
      ` { "country": "SK", "note": "x", "city": "Košice", "postal_code": "040 01",\n"street": "Štúrova 12" } `,
      address(full),
    ],
    ['some keys', '{"city":"Košice","street":null}', address({ city: 'Košice' })],
    ['a number and an object', '{"postal_code":4001,"city":{}}', address({ postal_code: '4001' })],
    ['plain text', 'Štúrova 12, Košice', address({ street: 'Štúrova 12, Košice' })],
    ['no text', '', address({ street: '' })],
    ['an object of other keys', '{"zip":"040 01"}', address({ street: '{"zip":"040 01"}' })],
    ['an empty object', '{}', address({ street: '{}' })],
    ['a list', '["street"]', address({ street: '["street"]' })],
    ['null as text', 'null', address({ street: 'null' })],
    ['a number', '12', address({ street: '12' })],
    ['broken JSON', '{"street":', address({ street: '{"street":' })],
    ['a prototype', '{"__proto__":{"street":"x"},"city":"y"}', address({ city: 'y' })],
    ['no address', null, null],
  ])('%s', async (_, given, shown) => {
    const { order } = await openShop(dealkeep);
    expect((await order({ customer: { delivery_address: given } })).data.delivery_address).toBe(shown);
  });
});

describe('an external id is unique in its source', () => {
  test('a second one is refused; another source, and none, are not in the way (rule orders 3)', async () => {
    const { order, api } = await openShop(dealkeep);
    const outcomes = [];
    for (const external_source of [undefined, 'api', 'shop', null, 'shop', 'Shop']) {
      outcomes.push((await order({ external_id: '1', external_source })).outcome);
    }
    expect(outcomes).toEqual(['201', '409 CONFLICT', '201', '409 CONFLICT', '409 CONFLICT', '201']);
    expect((await order({ external_id: '1' })).error.message).toContain('api');
    for (const external_id of [null, undefined, '', '']) {
      expect((await order({ external_id })).outcome).toBe('201');
    }
    const other = await openShop(dealkeep);
    expect((await other.order({ external_id: '1' })).outcome).toBe('201');
    const numbers = (await api.get('/orders', { sort: 'created_at' })).page.data.map(
      ({ internal_number }) => internal_number,
    );
    expect(numbers).toEqual(numbers.map((_, index) => `O-${year}-${String(index + 1).padStart(4, '0')}`));
  });

  test('of twelve at once one is made, reserves once and says so once (rule orders 3)', async () => {
    const { order, addProduct, stockOf, eventsDuring } = await openShop(dealkeep);
    const product = await addProduct({ price: 1, stock_on_hand: 5 });
    const events = await eventsDuring(async () => {
      const answers = await Promise.all(
        Array.from({ length: 12 }, () =>
          order({ external_id: '1', items: [{ product_uuid: product.uuid, quantity: 1 }] }),
        ),
      );
      expect(answers.map(({ outcome }) => outcome).toSorted()).toEqual([
        '201',
        ...Array.from({ length: 11 }, () => '409 CONFLICT'),
      ]);
    });
    expect(events.map(({ type }) => type)).toEqual(['order.created']);
    expect(await stockOf(product)).toEqual([5, 4]);
  });
});

describe('internal numbers', () => {
  test('have no gaps and no doubles, however many orders come and fail at once (rule orders 2)', async () => {
    const { order, api } = await openShop(dealkeep);
    await order({ external_id: 'taken' });
    const answers = await Promise.all(
      Array.from({ length: 24 }, (_, index) => order({ external_id: index % 3 === 0 ? 'taken' : null })),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(16);
    const numbers = (await api.get('/orders')).page.data.map(({ internal_number }) => internal_number);
    expect(numbers.toSorted()).toEqual(
      Array.from({ length: 17 }, (_, index) => `O-${year}-${String(index + 1).padStart(4, '0')}`),
    );
  });

  test('are counted for each organization, and grow beyond four digits (rule orders 2)', async () => {
    const [one, other] = await Promise.all([openShop(dealkeep), openShop(dealkeep)]);
    await one.order();
    expect((await other.order()).data.internal_number).toBe(`O-${year}-0001`);
    await dealkeep.sql`
      update document_numbers set last = 9999 where organization_id = ${one.organization.id} and series = 'order'`;
    expect((await one.order()).data.internal_number).toBe(`O-${year}-10000`);
  });

  test("begin anew with the organization's own year", async () => {
    const clock = { moment: '2026-12-31T22:59:59.999Z', now: () => new Date(clock.moment) };
    const ticking = await startDealkeep({ worker: false, clock });
    const { order } = await openShop(ticking);
    expect((await order()).data.internal_number).toBe('O-2026-0001');
    clock.moment = '2026-12-31T23:00:00.000Z';
    expect((await order()).data.internal_number).toBe('O-2027-0001');
    clock.moment = '2027-01-01T12:00:00.000Z';
    expect((await order()).data.internal_number).toBe('O-2027-0002');
  });
});

test('a repeated request with the same idempotency key makes one order and reserves once', async () => {
  const { api, addProduct, stockOf } = await openShop(dealkeep);
  const product = await addProduct({ price: 1, stock_on_hand: 5 });
  const body = { customer: {}, items: [{ product_uuid: product.uuid, quantity: 2 }] };
  const first = await api.post('/orders', body, { 'Idempotency-Key': 'one' });
  const second = await api.post('/orders', body, { 'Idempotency-Key': 'one' });
  expect(second.text).toBe(first.text);
  expect(second.headers.get('idempotent-replayed')).toBe('true');
  expect(await stockOf(product)).toEqual([5, 3]);
});

test('legacy keys do not reach orders; reading and writing are two scopes', async () => {
  const { organization, order } = await openShop(dealkeep);
  const { uuid } = (await order()).data;
  const as = async (options: Parameters<typeof organization.createKey>[0]) =>
    dealkeep.as((await organization.createKey(options)).token);
  const legacy = await as({ legacy: true });
  for (const path of ['/orders', `/orders/${uuid}`]) {
    expect((await legacy.get(path)).outcome).toBe('403 LEGACY_KEY_NOT_ALLOWED');
  }
  expect((await legacy.post('/orders', {})).outcome).toBe('403 LEGACY_KEY_NOT_ALLOWED');
  const reader = await as({ scopes: ['orders:read'] });
  const writer = await as({ scopes: ['orders:write'] });
  expect((await reader.get(`/orders/${uuid}`)).outcome).toBe('200');
  expect((await reader.post('/orders', {})).outcome).toBe('403 FORBIDDEN');
  expect((await writer.get('/orders')).outcome).toBe('403 FORBIDDEN');
  expect((await writer.post('/orders', { customer: {}, items: [] })).outcome).toBe('422 VALIDATION_ERROR');
});

test('the currency is three letters in either case, kept in upper case (rule orders 4)', async () => {
  const { api } = await openShop(dealkeep);
  const ask = (currency: string) =>
    api.post('/orders', { customer: {}, items: [{ sku: 'X', quantity: 1, unit_price: 1 }], currency });
  expect((await ask('czk')).data.currency).toBe('CZK');
  for (const wrong of ['', 'CZ', 'CZKK', 'C1K', 'ČZK'])
    expect([wrong, (await ask(wrong)).fields]).toEqual([wrong, { currency: 'invalid_currency' }]);
});
