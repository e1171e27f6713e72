import { startDealkeep } from '@dealkeep/testing';
import { openBusiness, recordText } from '@dealkeep/testing/business';
import { describe, expect, test } from 'vitest';
import { addClient } from '../console-edits.ts';

const clock = { now: () => new Date('2026-10-01T08:00:00.000Z') };
const dealkeep = await startDealkeep({ worker: false, clock });
const nobody = '01985f6e-2c41-7d3a-9b52-4f0c8a7e1d63';
const items = [{ name: 'City bike', unit_price: 450 }];

/** A business with two companies, both of them clients. */
async function openOffice() {
  const business = await openBusiness(dealkeep);
  const { api, organization } = business;
  const company = async (name: string) => {
    const { id } = (await api.post('/companies', { name })).data;
    return { id, client: await addClient({ dealkeep, organization }, id) };
  };
  const [acme, beta] = [await company('Acme'), await company('Beta')];
  const invoice = async (body: object = {}) => (await api.post('/invoices', { items, ...body })).data;
  return { ...business, acme, beta, invoice };
}

describe('create', () => {
  test('with every field (rule invoices 6)', async () => {
    const { api, acme } = await openOffice();
    const invoice = await api.post('/invoices', {
      items: [
        { name: ' City bike ', quantity: 2, unit: 'pcs', unit_price: 450, vat_rate: 23 },
        { name: 'Delivery', quantity: 1.5, unit_price: 10, vat_rate: 5 },
      ],
      client_id: acme.client,
      company_id: acme.id,
      currency: 'CZK',
      issued_date: '2026-09-30',
      due_date: '2026-10-31',
      note: 'Thank you\nfor your order. ',
    });
    expect(invoice.status).toBe(201);
    expect(invoice.data).toEqual({
      id: expect.any(String),
      number: '2026-0001',
      status: 'issued',
      currency: 'CZK',
      issued_date: '2026-09-30',
      due_date: '2026-10-31',
      paid_at: null,
      is_paid: false,
      is_overdue: false,
      subtotal: 915,
      vat_amount: 207.75,
      total: 1122.75,
      remaining_amount: 1122.75,
      variable_symbol: '20260001',
      counterparty: {
        client: { id: acme.client, name: 'Acme' },
        company: { id: acme.id, name: 'Acme' },
        name: 'Acme',
      },
      items: [
        { name: 'City bike', quantity: 2, unit: 'pcs', unit_price: 450, vat_rate: 23, total: 900 },
        { name: 'Delivery', quantity: 1.5, unit: null, unit_price: 10, vat_rate: 5, total: 15 },
      ],
      created_at: expect.stringMatching(/\.\d{3}Z$/),
      updated_at: invoice.data.created_at,
      app_url: `http://localhost:3000/invoices/${invoice.data.id}`,
    });
    expect((await api.get(`/invoices/${invoice.data.id}`)).text).toBe(invoice.text);
    expect((await api.get('/invoices')).page.data).toEqual([invoice.data]);
    expect(Object.keys(invoice.data.items[0] ?? {})).toEqual([
      'name',
      'quantity',
      'unit',
      'unit_price',
      'vat_rate',
      'total',
    ]);
  });

  test('is told in one event, which carries what GET answers', async () => {
    const { api, acme, eventsDuring, invoice } = await openOffice();
    const events = await eventsDuring(() =>
      invoice({
        client_id: acme.client,
        items: [{ name: 'ž "q"', unit_price: 0.1, quantity: 3, vat_rate: 23 }],
      }),
    );
    expect(events.map(({ type }) => type)).toEqual(['invoice.created']);
    const read = await api.get(`/invoices/${events[0]?.data.id}`);
    expect(events[0]?.dataText).toBe(recordText(read.text));
    expect(events[0]).not.toHaveProperty('changed_fields');
  });

  test('with a line alone: today, 14 days, the organization’s currency, no VAT, nobody (rules invoices 2, 3 and 5)', async () => {
    const { invoice } = await openOffice();
    const bare = await invoice();
    expect(bare).toMatchObject({
      currency: 'EUR',
      issued_date: '2026-10-01',
      due_date: '2026-10-15',
      subtotal: 450,
      vat_amount: 0,
      total: 450,
      counterparty: { client: null, company: null, name: null },
      items: [{ name: 'City bike', quantity: 1, unit: null, unit_price: 450, vat_rate: null, total: 450 }],
    });
    const nulls = await invoice({
      items: [{ ...items[0], quantity: null, unit: null, vat_rate: null }],
      client_id: null,
      company_id: null,
      currency: null,
      issued_date: null,
      due_date: null,
      note: null,
    });
    expect(nulls).toEqual({
      ...bare,
      id: nulls.id,
      number: '2026-0002',
      variable_symbol: '20260002',
      app_url: nulls.app_url,
    });
  });

  test('says every field that breaks its constraint (rules invoices 1 and 3)', async () => {
    const { api } = await openOffice();
    const refused = await api.post('/invoices', {
      items: [
        { name: '', unit_price: -1, quantity: 0, unit: 'x'.repeat(21), vat_rate: 101 },
        { total: 5 },
        { name: 'x'.repeat(501), unit_price: 1e12 + 1, quantity: 1e13, vat_rate: -1 },
      ],
      currency: 'eur',
      issued_date: '2026-02-30',
      due_date: 'soon',
      note: 'x'.repeat(2001),
      status: 'paid',
      client_id: 'x',
    });
    expect(refused.fields).toEqual({
      'items[0].name': 'empty',
      'items[0].unit_price': 'too_small',
      'items[0].quantity': 'more_than',
      'items[0].unit': 'too_long',
      'items[0].vat_rate': 'too_big',
      'items[1].name': 'required',
      'items[1].unit_price': 'required',
      'items[1].total': 'unknown',
      'items[2].name': 'too_long',
      'items[2].unit_price': 'too_big',
      'items[2].quantity': 'too_big',
      'items[2].vat_rate': 'too_small',
      currency: 'invalid_currency',
      issued_date: 'invalid_date',
      due_date: 'invalid_date',
      note: 'too_long',
      status: 'unknown',
      client_id: 'invalid_uuid',
    });
    expect((await api.post('/invoices', {})).fields).toEqual({ items: 'required' });
    expect((await api.post('/invoices', { items: [] })).fields).toEqual({ items: 'too_few' });
    const many = (count: number) => ({ items: Array.from({ length: count }, () => items[0]) });
    expect((await api.post('/invoices', many(101))).fields).toEqual({ items: 'too_many' });
    expect((await api.post('/invoices', many(100))).data.total).toBe(45_000);
  });
});

describe('dates', () => {
  test('due 14 days after the issue, across months and years (rule invoices 5)', async () => {
    const { invoice } = await openOffice();
    expect(await invoice({ issued_date: '2028-02-20' })).toMatchObject({ due_date: '2028-03-05' });
    expect(await invoice({ issued_date: '2026-12-31' })).toMatchObject({ due_date: '2027-01-14' });
    expect(await invoice({ issued_date: '9999-12-30' })).toMatchObject({ due_date: '9999-12-31' });
    expect(await invoice({ issued_date: '0001-01-01' })).toMatchObject({
      number: '0001-0001',
      due_date: '0001-01-15',
    });
  });

  test('due on the day of issue is allowed, before it is not (rule invoices 5)', async () => {
    const { api, invoice } = await openOffice();
    expect(await invoice({ issued_date: '2026-10-05', due_date: '2026-10-05' })).toMatchObject({
      due_date: '2026-10-05',
    });
    const body = { items, issued_date: '2026-10-05', due_date: '2026-10-04' };
    expect((await api.post('/invoices', body)).fields).toEqual({ due_date: 'before_issue' });
    expect((await api.post('/invoices', { items, due_date: '2026-09-30' })).fields).toEqual({
      due_date: 'before_issue',
    });
  });

  test('today is the organization’s (rule bodies 20)', async () => {
    const moment = { now: () => new Date('2026-12-31T23:30:00.000Z') };
    const late = await startDealkeep({ worker: false, clock: moment });
    const { api, organization } = await openBusiness(late);
    expect((await api.post('/invoices', { items })).data).toMatchObject({
      number: '2027-0001',
      issued_date: '2027-01-01',
    });
    await late.sql`
      update organizations set time_zone = 'America/New_York', directory_version = directory_version + 1
      where id = ${organization.id}`;
    expect((await api.post('/invoices', { items })).data).toMatchObject({
      number: '2026-0001',
      issued_date: '2026-12-31',
    });
  });
});

describe('counterparty', () => {
  test('a client brings its company, a company stands alone (rule invoices 4)', async () => {
    const { acme, invoice } = await openOffice();
    expect((await invoice({ client_id: acme.client.toUpperCase() })).counterparty).toEqual({
      client: { id: acme.client, name: 'Acme' },
      company: { id: acme.id, name: 'Acme' },
      name: 'Acme',
    });
    expect((await invoice({ company_id: acme.id })).counterparty).toEqual({
      client: null,
      company: { id: acme.id, name: 'Acme' },
      name: 'Acme',
    });
  });

  test('a client of another company is refused (rule invoices 4)', async () => {
    const { api, acme, beta } = await openOffice();
    const body = { items, client_id: acme.client, company_id: beta.id };
    expect((await api.post('/invoices', body)).fields).toEqual({ client_id: 'client_of_other_company' });
  });

  test('must be the organization’s own', async () => {
    const { api, acme } = await openOffice();
    const theirs = (await openOffice()).acme;
    const post = async (ids: object) => (await api.post('/invoices', { items, ...ids })).fields;
    expect(await post({ client_id: nobody, company_id: nobody })).toEqual({
      client_id: 'not_found',
      company_id: 'not_found',
    });
    expect(await post({ client_id: theirs.client })).toEqual({ client_id: 'not_found' });
    expect(await post({ company_id: theirs.id, client_id: acme.client, due_date: '2020-01-01' })).toEqual({
      company_id: 'not_found',
      due_date: 'before_issue',
    });
  });

  test('shows the company’s name as it is now (rule invoices 4)', async () => {
    const { api, acme, invoice } = await openOffice();
    const { id } = await invoice({ client_id: acme.client });
    await api.patch(`/companies/${acme.id}`, { name: 'Acme Group' });
    expect((await api.get(`/invoices/${id}`)).data.counterparty).toEqual({
      client: { id: acme.client, name: 'Acme Group' },
      company: { id: acme.id, name: 'Acme Group' },
      name: 'Acme Group',
    });
  });
});

test('reading needs invoices:read, creating invoices:write', async () => {
  const { organization, invoice } = await openOffice();
  const { id } = await invoice();
  const reader = dealkeep.as((await organization.createKey({ scopes: ['invoices:read'] })).token);
  const { token } = await organization.createKey({ scopes: ['invoices:write'] });
  const writer = dealkeep.as(token, { writesOnly: true });
  expect((await reader.get('/invoices')).outcome).toBe('200');
  expect((await reader.get(`/invoices/${id}`)).outcome).toBe('200');
  expect((await writer.get('/invoices')).outcome).toBe('403 FORBIDDEN');
  expect((await reader.post('/invoices', { items })).outcome).toBe('403 FORBIDDEN');
  expect((await writer.post('/invoices', { items })).outcome).toBe('201');
});

test('what does not exist, or belongs to somebody else, is 404; nothing updates an invoice', async () => {
  const { api, invoice } = await openOffice();
  const theirs = await (await openOffice()).invoice();
  for (const id of [nobody, 'x', theirs.id]) {
    expect((await api.get(`/invoices/${id}`)).outcome).toBe('404 NOT_FOUND');
  }
  expect((await api.patch(`/invoices/${(await invoice()).id}`, {})).outcome).toBe('404 NOT_FOUND');
});
