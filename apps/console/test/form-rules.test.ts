import { Browser, inConsole, sharedDealkeep } from '@dealkeep/testing';
import { openSalon } from '@dealkeep/testing/business';
import { describe, expect, test } from 'vitest';
import { problemBeside, textOf } from './page-parts.ts';

const dealkeep = await sharedDealkeep();
const organization = await dealkeep.createOrganization();
const api = dealkeep.as(organization.key);
const browser = new Browser(dealkeep);
await browser.signIn(organization);
const { data: company } = await api.post('/companies', { name: 'Acme' });
const save = { do: 'save' };
const item = { 'items[0].name': 'Bike', 'items[0].unit_price': '450' };

describe('an invoice, a quote and an order are for somebody', () => {
  test.each([
    ['/invoices', item, 'client_id', { company_id: company.id }],
    ['/quotes', item, 'client_id', { company_id: company.id }],
    [
      '/orders',
      { 'items[0].sku': 'B-1', 'items[0].quantity': '1', 'items[0].unit_price': '450' },
      'customer.name',
      { 'customer.phone': '0905 123 456' },
    ],
  ] as const)('%s', async (path, fields, asked, whom) => {
    const form = await browser.get(`${path}/new`);
    const refused = await browser.submit(form, `${path}/new`, { ...fields, ...save });
    expect(refused.status).toBe(422);
    expect(problemBeside(refused.html, asked)).toMatch(/^Say (?:who|whose)/);
    expect(textOf(form.html)).toContain(problemBeside(refused.html, asked));
    const made = await browser.submit(refused, `${path}/new`, { ...whom, ...save });
    expect(made.location).toMatch(/done=save/);
  });

  test('the API takes an invoice without (rule invoices 4)', async () => {
    const { status } = await api.post('/invoices', { items: [{ name: 'Bike', unit_price: 450 }] });
    expect(status).toBe(201);
  });
});

describe('a lead needs a name or a company', () => {
  const words = { en: 'A lead needs a name or a company.', sk: 'Príležitosť potrebuje názov alebo firmu.' };

  test.each(['en', 'sk'] as const)('in the console, in %s', async (language) => {
    const refused = await browser.fill(`/leads/new?language=${language}`, '/leads/new', save);
    expect([refused.status, problemBeside(refused.html, 'name')]).toEqual([422, words[language]]);
    await browser.get('/?language=en');
  });

  test.each([{ name: 'Ten bikes' }, { company_id: company.id }, { 'company.name': 'Nitra Wheels' }] as const)(
    '%j is enough',
    async (fields) => {
      const made = await browser.fill('/leads/new', '/leads/new', { ...fields, ...save });
      expect(made.location).toMatch(/done=save/);
    },
  );

  test('nor can both be taken from it; one that a program made without can be changed otherwise', async () => {
    const { data: named } = await api.post('/leads', { name: 'Named' });
    const edit = `/leads/${named.id}/edit`;
    const refused = await browser.fill(edit, edit, { name: '', ...save });
    expect(problemBeside(refused.html, 'name')).toBe(words.en);
    const { data: unnamed, status } = await api.post('/leads', {});
    expect(status).toBe(201);
    const other = `/leads/${unnamed.id}/edit`;
    expect((await browser.fill(other, other, { note: 'Called', ...save })).location).toMatch(/done=save/);
  });
});

test('what a form is in doubt of, what the console asks and what the contract says come in one round', async () => {
  const refused = await browser.fill('/invoices/new', '/invoices/new', {
    'items[0].name': '',
    'items[0].unit_price': '1,23',
    'items[0].vat_rate': '230',
    currency: 'euro',
    note: 'Kept',
    ...save,
  });
  expect(problemBeside(refused.html, 'client_id')).toMatch(/^Say who/);
  expect(problemBeside(refused.html, 'items[0].name')).toBeDefined();
  expect(problemBeside(refused.html, 'items[0].unit_price')).toContain('€1.23');
  expect(problemBeside(refused.html, 'items[0].vat_rate')).toBe('This must be at most 100.');
  expect(problemBeside(refused.html, 'currency')).toBeDefined();
});

describe('what only the records tell comes in the same round', () => {
  const needed = 'No product has this SKU, so it needs a unit price.';
  const order = { 'items[0].sku': 'UNKNOWN-1', 'items[0].quantity': '1', 'items[1].sku': 'UNKNOWN-2' };
  const problems = (html: string, names: readonly string[]) =>
    names.map((name) => problemBeside(html, name) ?? 'nothing');
  const prices = ['items[0].unit_price', 'items[1].unit_price'];

  test('a price that an unknown SKU needs, beside what the contract refuses', async () => {
    const refused = await browser.fill('/orders/new', '/orders/new', {
      ...order,
      'customer.name': 'Eva',
      'customer.email': 'no address',
      ...save,
    });
    expect(refused.status).toBe(422);
    expect(problems(refused.html, prices)).toEqual([needed, needed]);
    expect(problems(refused.html, ['customer.email', 'items[1].quantity'])).not.toContain('nothing');
  });

  test('and beside what only the console asks, of an order that the contract takes', async () => {
    const refused = await browser.fill('/orders/new', '/orders/new', {
      ...order,
      'items[1].quantity': '2',
      ...save,
    });
    expect(problems(refused.html, prices)).toEqual([needed, needed]);
    expect(problemBeside(refused.html, 'customer.name')).toMatch(/^Say whose/);
  });

  test('not of an item whose SKU or price is refused itself, nor twice', async () => {
    const refused = await browser.fill('/orders/new', '/orders/new', {
      'items[0].sku': 'x\u0000y',
      'items[0].quantity': '1',
      'customer.name': 'Eva',
      'items[1].sku': 'UNKNOWN-2',
      'items[1].quantity': '1',
      'items[1].unit_price': '-5',
      ...save,
    });
    expect(problemBeside(refused.html, 'items[0].sku')).toBeDefined();
    expect(problems(refused.html, ['items[0].unit_price', 'items[0].product_uuid'])).toEqual([
      'nothing',
      'nothing',
    ]);
    expect(problemBeside(refused.html, 'items[1].unit_price')).not.toBe(needed);
  });

  test('the API tells it in one answer, and writes nothing', async () => {
    const before = Object((await api.get('/orders')).data).length;
    const items = [{ sku: 'UNKNOWN-1', quantity: 1 }, { sku: 'UNKNOWN-2' }];
    const { status, error } = await api.post('/orders', {
      customer: { email: 'no address' },
      items,
    } as never);
    expect(status).toBe(422);
    const fields: { path: string }[] = Object(error?.detail).fields;
    expect(fields.map(({ path }) => path).sort()).toEqual([
      ...['customer.email', 'items[0].unit_price', 'items[1].quantity', 'items[1].unit_price'],
    ]);
    expect((await api.get('/orders')).data).toHaveLength(before);
  });
});

test('a second primary image is told beside what the contract refuses', async () => {
  const image = (row: number) => ({
    [`images[${row}].url`]: `https://example.com/${row}.jpg`,
    [`images[${row}].is_primary`]: 'true',
  });
  const refused = await browser.fill('/products/new', '/products/new', {
    name: '',
    sku: 'BIKE-1',
    ...image(0),
    ...image(1),
    ...save,
  });
  expect([refused.status, problemBeside(refused.html, 'name')]).toEqual([422, 'This field is required.']);
  expect(problemBeside(refused.html, 'images[0].is_primary')).toBeUndefined();
  expect(problemBeside(refused.html, 'images[1].is_primary')).toBeDefined();
});

describe('what would be a conflict, or does not fit another record, comes in the same round', async () => {
  const salon = await openSalon(dealkeep);
  const own = new Browser(dealkeep);
  await own.signIn(salon.organization);
  const made = async (path: string, body: object): Promise<string> =>
    Object((await salon.api.send('POST', path, { json: body })).data).id;
  const [acme, other] = [
    await made('/companies', { name: 'Acme' }),
    await made('/companies', { name: 'Other' }),
  ];
  const eva = await made('/contacts', { company_id: acme, name: 'Eva' });
  const lead = await made('/leads', { name: 'Bikes', company_id: acme, contact_id: eva });
  const ofOther = await made('/contacts', { company_id: other, name: 'Peter' });
  await made('/clients', { company_id: acme });
  const bike = await inConsole(dealkeep.core, salon.name, 'products.create', { sku: 'BIKE', name: 'Bike' });
  await inConsole(dealkeep.core, salon.name, 'products.create', { sku: 'BELL', name: 'Bell' });
  await salon.book('2026-10-06T09:00:00Z', { staff_id: salon.staff });
  const sale = { customer: {}, items: [{ sku: 'X', quantity: 1, unit_price: 1 }] };
  await made('/orders', { ...sale, external_id: 'A-1' });
  const at = { service_id: salon.service, staff_id: salon.staff, starts_at: '2026-10-06T11:00' };
  const image = { 'images[0].url': 'https://example.com/a.jpg', 'images[0].is_primary': 'true' };
  const second = { 'images[1].url': 'https://example.com/b.jpg', 'images[1].is_primary': 'true' };

  test.each([
    ['/products/new', { sku: 'BIKE', name: '', price: '1,23' }, ['sku', 'name', 'price']],
    ['/products/new', { sku: 'BIKE', name: 'Bike', ...image, ...second }, ['sku', 'images[1].is_primary']],
    [`/products/${bike.uuid}/edit`, { sku: 'BELL', price: '1,23' }, ['sku', 'price']],
    [
      '/clients/new',
      { company_id: acme, reference_valid_until: 'soon' },
      ['company_id', 'reference_valid_until'],
    ],
    [
      '/bookings/new',
      { ...at, 'customer.name': '', 'customer.email': 'no' },
      ['starts_at', 'customer.name', 'customer.email'],
    ],
    [
      '/orders/new',
      { external_id: 'A-1', 'items[0].sku': 'UNKNOWN', 'items[0].quantity': '1' },
      ['external_id', 'customer.name', 'items[0].unit_price'],
    ],
    [
      '/orders/new',
      { external_id: 'A-1', 'items[0].quantity': '1', 'customer.name': 'Eva' },
      ['external_id', 'items[0].product_uuid'],
    ],
    [
      '/orders/new',
      {
        'items[0].sku': 'X',
        'items[0].quantity': '2',
        'items[0].unit_price': '999999999999',
        currency: 'XXQ',
        'customer.name': 'Eva',
      },
      ['items[0]', 'currency'],
    ],
    [
      '/leads/new',
      { name: 'New', company_id: acme, contact_id: ofOther, value: '1,23' },
      ['contact_id', 'value'],
    ],
    [`/leads/${lead}/edit`, { contact_id: ofOther, value: '1,23' }, ['contact_id', 'value']],
    [
      '/invoices/new',
      { issued_date: '2026-10-06', due_date: '2026-10-05', 'items[0].name': '', 'items[0].unit_price': '1' },
      ['client_id', 'due_date', 'items[0].name'],
    ],
    [
      '/activities/new',
      { name: '', start_at: '2026-10-06T11:00', end_at: '2026-10-06T10:00' },
      ['name', 'end_at'],
    ],
  ] as const)('%s %j', async (path, fields, told) => {
    const refused = await own.fill(path, path, { ...fields, ...save });
    expect(refused.status).toBe(422);
    const beside = told.filter((name) => problemBeside(refused.html, name) !== undefined);
    expect(beside).toEqual(told);
  });

  test('alone, it is said beside its field as well, as the conflict that it is', async () => {
    const refused = await own.fill('/products/new', '/products/new', { sku: 'BIKE', name: 'Bike', ...save });
    expect([refused.status, problemBeside(refused.html, 'sku')]).toEqual([
      ...[409, 'There is already a product with the SKU &quot;BIKE&quot;.'],
    ]);
  });
});
