import { randomUUID } from 'node:crypto';
import type { Product } from '@dealkeep/contract';
import type { Problem } from '@dealkeep/core/foundations';
import { inConsole, type Query, sharedDealkeep } from '@dealkeep/testing';
import {
  type NewProduct,
  openShop,
  type ProductChanges,
  recordText,
  type Shop,
} from '@dealkeep/testing/business';
import { describe, expect, test } from 'vitest';

const dealkeep = await sharedDealkeep();

const get = ({ api }: Shop, uuid: string, search = '') =>
  api.send<Product>('GET', `/products/${uuid}${search}`);
const update = ({ name }: Shop, uuid: string, changes: ProductChanges) =>
  inConsole(dealkeep.core, name, 'products.update', { uuid, ...changes });

const image = { url: 'https://cdn.example.com/a.jpg', title: 'Bike', alt_text: 'A bike', is_primary: true };
const attachment = {
  url: 'https://cdn.example.com/a.pdf',
  title: 'Manual',
  kind: 'manual',
  locale: 'sk',
  mime: 'application/pdf',
  size_bytes: 183_402,
};
const whole: NewProduct = {
  sku: 'BIKE',
  ean: '8588001234567',
  name: 'City bike',
  description: 'Steel frame.',
  price: 450,
  discounted_price: 399,
  vat_rate: 23,
  active: false,
  category_uuid: '01985f6e-2c41-7ed6-a05b-72f8c4193be0',
  stock_on_hand: 12.5,
  images: [image, { ...image, is_primary: false }],
  attachments: [attachment],
};

describe('a product', () => {
  test('is shown as it was added, and product.created says so (rules products 2 and 4)', async () => {
    const shop = await openShop(dealkeep);
    const product = await shop.addProduct(whole);
    const { vat_rate, stock_on_hand, ...shown } = whole;
    const expected = {
      uuid: product.uuid,
      ...shown,
      updated_at: expect.stringMatching(/\.\d{3}Z$/),
      app_url: `http://localhost:3000/products/${product.uuid}`,
    };
    const read = await get(shop, product.uuid);
    expect(read.data).toEqual(expected);
    expect(JSON.stringify(product)).toBe(recordText(read.text));
    const [event] = await dealkeep.eventsOf(shop.organization);
    expect(event?.type).toBe('product.created');
    expect(event?.dataText).toBe(recordText(read.text));
    const { images, attachments, ...listed } = read.data;
    expect((await shop.api.get('/products')).page.data).toEqual([listed]);
  });

  test('needs a SKU and a name alone', async () => {
    const shop = await openShop(dealkeep);
    const { uuid } = await shop.addProduct({ sku: 'A', name: ' Bell ' });
    expect((await get(shop, uuid, '?include=stock')).data).toEqual({
      uuid,
      sku: 'A',
      ean: '',
      name: 'Bell',
      description: null,
      price: null,
      discounted_price: null,
      active: true,
      category_uuid: null,
      updated_at: expect.any(String),
      stock_on_hand: 0,
      stock_available: 0,
      images: [],
      attachments: [],
      app_url: expect.any(String),
    });
  });

  test('shows its stock only when asked; nothing else can be included (rule products 1)', async () => {
    const shop = await openShop(dealkeep);
    const { uuid } = await shop.addProduct({ sku: 'A', price: 1, stock_on_hand: 5 });
    await shop.order({ items: [{ sku: 'A', quantity: 2 }] });
    const stock = { stock_on_hand: 5, stock_available: 3 };
    expect((await get(shop, uuid, '?include=stock')).data).toMatchObject(stock);
    expect((await shop.api.get('/products', { include: 'stock' })).page.data).toMatchObject([stock]);
    expect((await get(shop, uuid)).data).not.toHaveProperty('stock_on_hand');
    expect((await shop.api.get('/products')).page.data[0]).not.toHaveProperty('stock_available');
    for (const include of ['images', 'stock,images', '', 'STOCK']) {
      for (const path of ['/products', `/products/${uuid}`]) {
        const refused = await shop.api.get(path, { include });
        expect([include, refused.outcome]).toEqual([include, '400 INVALID_PARAMETER']);
        expect(refused.error.detail).toEqual({ parameter: 'include' });
      }
    }
    expect((await shop.api.get(`/products/${uuid}`, { q: 'x' })).outcome).toBe('400 UNSUPPORTED_FILTER');
  });

  test('of another organization, unknown or malformed is 404', async () => {
    const [one, other] = await Promise.all([openShop(dealkeep), openShop(dealkeep)]);
    const { uuid } = await other.addProduct();
    for (const unknown of [uuid, randomUUID(), 'x']) {
      expect((await get(one, unknown)).outcome).toBe('404 NOT_FOUND');
    }
    await expect(update(one, uuid, { name: 'x' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  test('needs products:read', async () => {
    const shop = await openShop(dealkeep);
    const { uuid } = await shop.addProduct();
    const reader = dealkeep.as((await shop.organization.createKey({ scopes: ['products:read'] })).token);
    const other = dealkeep.as((await shop.organization.createKey({ scopes: ['orders:read'] })).token);
    for (const path of ['/products', `/products/${uuid}`]) {
      expect((await reader.get(path)).outcome).toBe('200');
      expect((await other.get(path)).outcome).toBe('403 FORBIDDEN');
    }
    expect((await reader.post('/products', {})).outcome).toBe('404 NOT_FOUND');
  });
});

test('what people open of a product is at a web address', async () => {
  const shop = await openShop(dealkeep);
  const { uuid } = await shop.addProduct();
  const file = { ...image, kind: 'manual', locale: 'sk', mime: 'application/pdf', size_bytes: 1 };
  const { title, kind, locale, mime, size_bytes } = file;
  for (const url of ['javascript:alert(1)', 'x', '//a.example', 'ftp://a.example/b']) {
    const images = [{ ...image, url }];
    const attachments = [{ title, kind, locale, mime, size_bytes, url }];
    await expect(update(shop, uuid, { images, attachments })).rejects.toMatchObject({
      fields: [
        { path: 'images[0].url', key: 'field.invalid_url' },
        { path: 'attachments[0].url', key: 'field.invalid_url' },
      ],
    });
  }
});

describe('an edit', () => {
  const edits: [ProductChanges, string[]][] = [
    [{ sku: 'NEW' }, ['sku']],
    [{ ean: '1', name: 'Bell', active: true }, ['ean', 'name', 'active']],
    [
      { description: null, price: null, discounted_price: null, category_uuid: null },
      ['description', 'price', 'discounted_price', 'category_uuid'],
    ],
    [{ price: 450, discounted_price: 390.5 }, ['discounted_price']],
    [{ images: [], attachments: [] }, ['images', 'attachments']],
    [{ images: [{ ...image, title: 'Other' }] }, ['images']],
    [{ name: 'Bell', stock_on_hand: 1, vat_rate: 5 }, ['name']],
  ];
  test.each(edits)('%j: product.updated names what differs (rule products 4)', async (changes, fields) => {
    const shop = await openShop(dealkeep);
    const before = await shop.addProduct(whole);
    const events = await shop.eventsDuring(() => update(shop, before.uuid, changes));
    const read = await get(shop, before.uuid);
    const { stock_on_hand, vat_rate, ...shown } = changes;
    expect(read.data).toEqual({ ...before, ...shown, updated_at: read.data.updated_at });
    expect(read.data.updated_at > before.updated_at).toBe(true);
    expect(events.map(({ type }) => type)).toEqual(['product.updated']);
    expect(events[0]?.changed_fields).toEqual(fields);
    expect(events[0]?.dataText).toBe(recordText(read.text));
  });

  test.each([
    {},
    { name: ' City bike ', price: 450, images: whole.images, attachments: whole.attachments },
    { price: 450.004 },
    { category_uuid: whole.category_uuid?.toUpperCase() },
    { stock_on_hand: 3, vat_rate: 5 },
  ] satisfies ProductChanges[])(
    '%j changes nothing that is shown and says nothing (rule products 4)',
    async (changes) => {
      const shop = await openShop(dealkeep);
      const before = await shop.addProduct(whole);
      const events = await shop.eventsDuring(() => update(shop, before.uuid, changes));
      expect(events).toEqual([]);
      expect((await get(shop, before.uuid)).data).toEqual(before);
    },
  );

  test('of stock and VAT rate is seen where they are used', async () => {
    const shop = await openShop(dealkeep);
    const product = await shop.addProduct({ price: 1, stock_on_hand: 5 });
    await shop.order({ items: [{ sku: product.sku, quantity: 2 }] });
    await update(shop, product.uuid, { stock_on_hand: 20, vat_rate: 23 });
    expect(await shop.stockOf(product)).toEqual([20, 18]);
    expect((await shop.order({ items: [{ sku: product.sku, quantity: 1 }] })).data.vat_total).toBe(0.23);
  });

  test('names all failing fields at once (rule products 2)', async () => {
    const shop = await openShop(dealkeep);
    const { uuid } = await shop.addProduct();
    const problem: Problem = await update(shop, uuid, {
      name: ' ',
      price: -1,
      vat_rate: 101,
      stock_on_hand: 1e13,
      attachments: [{ ...attachment, size_bytes: -1 }],
    }).catch((error) => error);
    expect(problem.code).toBe('VALIDATION_ERROR');
    expect(problem.fields?.map(({ path }) => path)).toEqual([
      'name',
      'price',
      'vat_rate',
      'stock_on_hand',
      'attachments[0].size_bytes',
    ]);
    await expect(update(shop, uuid, { images: [image, image] })).rejects.toMatchObject({
      fields: [{ path: 'images[1].is_primary' }],
    });
  });

  test('of eight at once is made one after the other, each with its event', async () => {
    const shop = await openShop(dealkeep);
    const { uuid } = await shop.addProduct();
    const events = await shop.eventsDuring(() =>
      Promise.all(Array.from({ length: 8 }, (_, index) => update(shop, uuid, { name: `Name ${index}` }))),
    );
    expect(events).toHaveLength(8);
    // Two of them may share a millisecond, so the last one need not stand last.
    expect(events.map(({ dataText }) => dataText)).toContain(recordText((await get(shop, uuid)).text));
  });
});

test('a SKU is unique in its organization, also under concurrency (rule products 3)', async () => {
  const [one, other] = await Promise.all([openShop(dealkeep), openShop(dealkeep)]);
  const outcome = (work: Promise<Product>) =>
    work.then(
      () => 'made',
      ({ code }: Problem) => code,
    );
  const outcomes = await Promise.all(Array.from({ length: 8 }, () => outcome(one.addProduct({ sku: 'A' }))));
  expect(outcomes.toSorted()).toEqual([...Array.from({ length: 7 }, () => 'CONFLICT'), 'made']);
  expect(await outcome(other.addProduct({ sku: 'A' }))).toBe('made');
  const second = await one.addProduct({ sku: 'B' });
  expect(await outcome(update(one, second.uuid, { sku: 'A' }))).toBe('CONFLICT');
});

describe('the list', () => {
  test('filters, sorts and pages', async () => {
    const shop = await openShop(dealkeep);
    const category = randomUUID();
    for (const product of [
      { sku: 'a', ean: '1', name: 'Beta 100%', price: 10, category_uuid: category },
      { sku: 'b', ean: '2', name: 'Alfa', active: false },
      { sku: 'c', ean: '2', name: 'Žaba', price: 9.5 },
    ]) {
      await shop.addProduct(product);
    }
    const found = async (query: Query) =>
      (await shop.api.get('/products', { sort: 'created_at', ...query })).page.data
        .map(({ sku }) => sku)
        .join('');
    for (const [query, skus] of [
      [{}, 'abc'],
      [{ q: 'ŽAB' }, 'c'],
      [{ q: '%' }, 'a'],
      [{ sku: 'a' }, 'a'],
      [{ sku: 'A' }, ''],
      [{ ean: '2' }, 'bc'],
      [{ active: true }, 'ac'],
      [{ active: false }, 'b'],
      [{ category_uuid: category }, 'a'],
      [{ category_uuid: randomUUID() }, ''],
      [{ sort: 'name' }, 'bac'],
      [{ sort: '-name' }, 'cab'],
      [{ sort: 'price' }, 'cab'],
      [{ sort: '-price' }, 'acb'],
      [{ sort: '-created_at' }, 'cba'],
      [{ sort: '-updated_at' }, 'cba'],
      [{ include: 'stock', ean: '2' }, 'bc'],
    ] satisfies [Query, string][]) {
      expect([query, await found(query)]).toEqual([query, skus]);
    }
    for (const sort of ['name', '-name', 'price', '-price', 'created_at', '-created_at']) {
      const all = (await shop.api.get('/products', { sort, include: 'stock' })).page.data;
      expect(await shop.api.walk('/products', { sort, include: 'stock', limit: 1 })).toEqual(all);
    }
    expect((await shop.api.get('/products', { name: 'x' })).outcome).toBe('400 UNSUPPORTED_FILTER');
    expect((await shop.api.get('/products', { active: 'yes' })).outcome).toBe('400 INVALID_PARAMETER');
  });
});

describe('the categories of products', () => {
  const bikes = '01985f6e-2c41-7ed6-a05b-72f8c4193be0';
  const [locks, gone] = [randomUUID(), randomUUID()];
  const shopWithCategories = async () => {
    const shop = await openShop(dealkeep);
    for (const name of ['Žltý bicykel', 'Bicykel', 'Čierny bicykel', 'Detský bicykel', 'Trek']) {
      await shop.addProduct({ sku: randomUUID(), name, category_uuid: bikes });
    }
    await shop.addProduct({ sku: 'LOCK', name: 'Zámok', category_uuid: locks });
    await shop.addProduct({ sku: 'BELL', name: 'Zvonec' });
    return shop;
  };
  const listed = async ({ api }: Shop, query: Query = {}) =>
    (await api.get('/products/categories', query)).page.data;
  const ofBikes = { id: bikes, name: 'Bicykel, Čierny bicykel, Detský bicykel +2', product_count: 5 };
  const ofLocks = { id: locks, name: 'Zámok', product_count: 1 };

  test('are told by the names of their products, each once (rule products 5)', async () => {
    const shop = await shopWithCategories();
    expect(await listed(shop, { sort: 'name' })).toEqual([ofBikes, ofLocks]);
    expect(await listed(shop)).toEqual([ofLocks, ofBikes]);
    const { page } = await shop.api.get('/products', { category_uuid: locks });
    expect(page.data).toMatchObject([{ sku: 'LOCK' }]);
  });

  test('are found by any of their products, page by page, and of the own organization alone', async () => {
    const shop = await shopWithCategories();
    expect(await listed(shop, { q: 'trek' })).toEqual([ofBikes]);
    expect(await listed(shop, { q: '%' })).toEqual([]);
    const first = (await shop.api.get('/products/categories', { sort: 'name', limit: 1 })).page;
    expect(first).toMatchObject({ data: [ofBikes], has_more: true });
    const rest = await listed(shop, { sort: 'name', limit: 1, cursor: String(first.next_cursor) });
    expect(rest).toEqual([ofLocks]);
    expect(await listed(await openShop(dealkeep))).toEqual([]);
  });

  test('go with their last product, and come with a change of one', async () => {
    const shop = await openShop(dealkeep);
    const product = await shop.addProduct({ sku: 'X', name: 'X', category_uuid: gone });
    await update(shop, product.uuid, { category_uuid: locks });
    expect(await listed(shop)).toEqual([{ id: locks, name: 'X', product_count: 1 }]);
    await update(shop, product.uuid, { category_uuid: null });
    expect(await listed(shop)).toEqual([]);
  });

  test('need the scope of products', async () => {
    const shop = await openShop(dealkeep);
    const { token } = await shop.organization.createKey({ scopes: ['orders:read'] });
    const answer = await dealkeep.as(token).get('/products/categories');
    expect(answer.outcome).toBe('403 FORBIDDEN');
  });
});
