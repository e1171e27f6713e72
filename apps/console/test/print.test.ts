import { Browser, sharedDealkeep } from '@dealkeep/testing';
import { expect, test } from 'vitest';
import { textOf } from './page-parts.ts';

const dealkeep = await sharedDealkeep();
const organization = await dealkeep.createOrganization();
const api = dealkeep.as(organization.key);
const browser = new Browser(dealkeep);
await browser.signIn(organization);

const company = {
  name: 'Tatra Bikes s.r.o.',
  street: 'Hlavná 1',
  city: 'Košice',
  postal_code: '040 01',
  country_code: 'SK',
  registration_id: '36123456',
  vat_id: 'SK2020123456',
};
const items = [
  { name: 'City bike', quantity: 3, unit: 'pcs', unit_price: 33.33, vat_rate: 23 },
  { name: 'Bell', quantity: 1, unit_price: 0.05, vat_rate: 23 },
  { name: 'Book of roads', quantity: 2, unit_price: 10.1, vat_rate: 5 },
];

async function invoiceOf(body: object): Promise<string> {
  const { data } = await api.post('/companies', company);
  return (await api.post('/invoices', { company_id: data.id, items, ...body })).data.id;
}

test('an invoice prints both parties, days, lines, VAT by rates and what is to be paid', async () => {
  const id = await invoiceOf({ issued_date: '2026-10-01', due_date: '2026-10-15' });
  const { data } = await api.get(`/invoices/${id}`);
  const page = await browser.get(`/invoices/${id}/print`);
  const [above = '', paper = ''] = page.html.split('<article').map(textOf);
  for (const said of [
    `Invoice ${data.number}`,
    'Supplier Test organization',
    'Customer Tatra Bikes s.r.o. Hlavná 1 040 01 Košice Slovakia Company ID: 36123456 VAT ID: SK2020123456',
    'Issued 1 October 2026',
    'Due 15 October 2026',
    `Variable symbol ${data.variable_symbol}`,
    'City bike 3 pcs €33.33 23% €99.99',
    '5% €20.20 €1.01',
    '23% €100.04 €23.01',
    'Without VAT €120.24 VAT €24.02 Total €144.26 To pay €144.26',
  ])
    expect(paper).toContain(said);
  expect(data.vat_amount).toBe(24.02);
  expect(above).toContain('Of your organization only the name is printed');
  expect(above).toContain('Add them');
});

test('the supplier is printed with address, IDs and bank account, once an owner has filled them in', async () => {
  const own = await dealkeep.createOrganization();
  const owner = new Browser(dealkeep);
  await owner.signIn(own);
  const made = dealkeep.as(own.key);
  const { data } = await made.post('/companies', company);
  const { id } = (await made.post('/invoices', { company_id: data.id, items })).data;
  const settings = '/settings/organization/edit';
  const filled = await owner.fill(settings, settings, {
    street: 'Štúrova 12',
    city: 'Košice',
    postal_code: '040 01',
    registration_id: '36000001',
    tax_id: '2020000001',
    vat_id: 'SK2020000001',
    bank_account: 'SK31 1200 0000 1987 4263 7541',
    do: 'save',
  });
  expect(filled.status).toBe(303);
  const shown = textOf((await owner.get('/settings/organization')).html);
  expect(shown).toContain('On invoices and quotes Street Štúrova 12 City Košice Postal Code 040 01');
  const [above = '', paper = ''] = (await owner.get(`/invoices/${id}/print`)).html
    .split('<article')
    .map(textOf);
  expect(paper).toContain(
    'Supplier Test organization Štúrova 12 040 01 Košice Slovakia Company ID: 36000001 Tax ID: 2020000001 VAT ID: SK2020000001',
  );
  expect(paper).toContain('Bank account SK31 1200 0000 1987 4263 7541');
  expect(above).not.toContain('only the name is printed');
});

test('it is printed in Slovak, too, and what was paid is taken off', async () => {
  const id = await invoiceOf({});
  const pay = `/invoices/${id}/pay`;
  expect((await browser.fill(pay, pay, { amount: '44.26', do: 'save' })).status).toBe(303);
  const said = textOf((await browser.get(`/invoices/${id}/print?language=sk`)).html);
  await browser.get('/?language=en');
  for (const each of ['Faktúra', 'Dodávateľ', 'Odberateľ', 'Už uhradené 44,26 €', 'Na úhradu 100,00 €'])
    expect(said.replaceAll(' ', ' ')).toContain(each);
});

test('a cancelled invoice says that nothing is to be paid', async () => {
  const id = await invoiceOf({});
  const cancel = `/invoices/${id}/cancel`;
  await browser.fill(cancel, cancel, { do: 'save' });
  const said = textOf((await browser.get(`/invoices/${id}/print`)).html);
  expect(said).toContain('Cancelled. Nothing is to be paid.');
  expect(said).not.toContain('To pay €');
});

test('a quote without VAT is printed without its columns, and with the day until when it holds', async () => {
  const { data } = await api.post('/companies', company);
  const made = await browser.fill('/quotes/new', '/quotes/new', {
    company_id: data.id,
    'items[0].name': 'Survey',
    'items[0].unit_price': '250',
    valid_until: '2027-01-31',
    do: 'save',
  });
  const path = made.location?.replace(/\?.*/, '') ?? '';
  expect((await browser.get(path)).html).toContain(`href="${path}/print"`);
  const [, paper = ''] = (await browser.get(`${path}/print`)).html.split('<article').map(textOf);
  expect(paper).toContain('Valid until 31 January 2027');
  expect(paper).toContain('Survey 1 €250.00 €250.00');
  expect(paper).not.toContain('VAT by rates');
});

test('VAT of an older invoice adds up by rates, though it was counted line by line (rule invoices 13)', async () => {
  const id = await invoiceOf({ items: Array(3).fill({ name: 'Pin', unit_price: 0.1, vat_rate: 5 }) });
  expect((await api.get(`/invoices/${id}`)).data).toMatchObject({ vat_amount: 0.02, total: 0.32 });
  expect(textOf((await browser.get(`/invoices/${id}/print`)).html)).toContain('5% €0.30 €0.02');
  await dealkeep.sql`update invoices set vat_amount = 0.03, total = 0.33 where id = ${id}`;
  expect(textOf((await browser.get(`/invoices/${id}/print`)).html)).toContain('5% €0.30 €0.03');
});

test.each([
  ['JPY', 'JP¥33 10% JP¥33', 'Without VAT JP¥33 VAT JP¥3 Total JP¥36'],
  ['KWD', 'KWD 33.000 10% KWD 33.000', 'Without VAT KWD 33.000 VAT KWD 3.300 Total KWD 36.300'],
  ['HUF', 'HUF 33.00 10% HUF 33.00', 'Without VAT HUF 33.00 VAT HUF 3.30 Total HUF 36.30'],
])('an invoice in %s is printed with its decimals (rule bodies 21)', async (currency, line, sums) => {
  const id = await invoiceOf({ currency, items: [{ name: 'Fare', unit_price: 33, vat_rate: 10 }] });
  const paper = textOf((await browser.get(`/invoices/${id}/print`)).html).replaceAll('\u00a0', ' ');
  expect(paper).toContain(line);
  expect(paper).toContain(sums);
});

test('an invoice of another organization is not printed', async () => {
  const id = await invoiceOf({});
  const stranger = new Browser(dealkeep);
  await stranger.signIn(await dealkeep.createOrganization());
  expect((await stranger.get(`/invoices/${id}/print`)).status).toBe(404);
});
