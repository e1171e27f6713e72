import { Browser, sharedDealkeep, type VisitedPage } from '@dealkeep/testing';
import { describe, expect, test } from 'vitest';
import { idOfMade, problemBeside, textOf } from './page-parts.ts';

const dealkeep = await sharedDealkeep();

async function visitorOf(language: 'en' | 'sk') {
  const organization = await dealkeep.createOrganization();
  const browser = new Browser(dealkeep);
  await browser.signIn(organization);
  await browser.get(`/?language=${language}`);
  return { browser, organization, api: dealkeep.as(organization.key) };
}
type Visit = Awaited<ReturnType<typeof visitorOf>>;

const saveLead = ({ browser }: Visit, value: string): Promise<VisitedPage> =>
  browser.fill('/leads/new', '/leads/new', { name: 'Counted', value, do: 'save' });

async function savedValue({ api }: Visit, saved: VisitedPage): Promise<unknown> {
  expect(saved.location).toMatch(/done=save/);
  return (await api.get(`/leads/${idOfMade(saved)}`)).data.value;
}

describe('money is read by the language of its page', () => {
  test.each([
    ['en', '12,500', 12500],
    ['en', '1,234', 1234],
    ['en', '12,500.50', 12500.5],
    ['sk', '12 500,50', 12500.5],
    ['sk', '12\u00a0500,50\u00a0€', 12500.5],
    ['sk', '12.500,50', 12500.5],
  ] as const)('on a page in %s, %s is saved as %d', async (language, typed, value) => {
    const visit = await visitorOf(language);
    expect(await savedValue(visit, await saveLead(visit, typed))).toBe(value);
  });

  test.each([
    ['en', '1,23', ['€1.23', '€123.00'], 'means:123:value', 123],
    ['sk', '1.234', ['1,234\u00a0€', '1\u00a0234,00\u00a0€'], 'means:1234:value', 1234],
    ['sk', '1.234', ['1,234\u00a0€', '1\u00a0234,00\u00a0€'], 'means:1,234:value', 1.23],
  ] as const)(
    'on a page in %s, %s is asked, and saved once it is said',
    async (language, typed, readings, chosen, value) => {
      const visit = await visitorOf(language);
      const asked = await saveLead(visit, typed);
      expect(asked.status).toBe(422);
      for (const reading of readings) expect(problemBeside(asked.html, 'value')).toContain(reading);
      expect(asked.html).toContain(`value="${typed}"`);
      expect(asked.html).toContain(`name="do" value="${chosen}"`);
      const { data } = await visit.api.get('/leads?q=Counted');
      expect(data).toEqual([]);
      const saved = await visit.browser.submit(asked, '/leads/new', { do: chosen });
      expect(await savedValue(visit, saved)).toBe(value);
    },
  );

  test('what is no number is refused, and nothing is guessed of it', async () => {
    const visit = await visitorOf('en');
    const refused = await saveLead(visit, '12 apples');
    expect(problemBeside(refused.html, 'value')).toBe('This must be a number.');
  });

  test('another currency than that of the form is not taken for its own', async () => {
    const visit = await visitorOf('en');
    expect(problemBeside((await saveLead(visit, '$100')).html, 'value')).toBe('This must be a number.');
  });
});

test.each(['en', 'sk'] as const)(
  'a form in %s that is saved as it was shown changes nothing',
  async (language) => {
    const visit = await visitorOf(language);
    const { data: lead } = await visit.api.post('/leads', {
      name: 'Kept',
      value: 12500.5,
      acquisition_cost: 1.2,
    });
    const saved = await visit.browser.fill(`/leads/${lead.id}/edit`, `/leads/${lead.id}/edit`, {
      do: 'save',
    });
    expect(saved.location).toMatch(/done=save/);
    const { data: now } = await visit.api.get(`/leads/${lead.id}`);
    expect([now.value, now.acquisition_cost, now.updated_at]).toEqual([12500.5, 1.2, lead.updated_at]);
  },
);

test.each(['en', 'sk'] as const)(
  'what a page in %s shows of money can be typed into its form',
  async (language) => {
    const visit = await visitorOf(language);
    const { data: lead } = await visit.api.post('/leads', { name: 'Shown', value: 1234567.5 });
    const { html } = await visit.browser.get(`/leads/${lead.id}`);
    const shown = language === 'en' ? '€1,234,567.50' : '1\u00a0234\u00a0567,50\u00a0€';
    expect(html).toContain(`<dd>${shown}</dd>`);
    expect(await savedValue(visit, await saveLead(visit, shown))).toBe(1234567.5);
  },
);

test('a form that was opened in one language and sent in another is read by the one that it was shown in', async () => {
  const visit = await visitorOf('en');
  const form = await visit.browser.get('/leads/new');
  await visit.browser.get('/?language=sk');
  const saved = await visit.browser.submit(form, '/leads/new', {
    name: 'Two tabs',
    value: '12,500',
    do: 'save',
  });
  expect(await savedValue(visit, saved)).toBe(12500);
  const refused = await visit.browser.submit(form, '/leads/new', {
    value: '12,500.5',
    company_id: 'x',
    do: 'save',
  });
  expect(refused.status).toBe(422);
  expect(refused.html).toContain('value="12500,5"');
});

test('quantities, prices and VAT in the rows of an invoice are read by the language, and asked for row by row', async () => {
  const visit = await visitorOf('sk');
  const { data: company } = await visit.api.post('/companies', { name: 'Acme' });
  const rows = {
    company_id: company.id,
    'items[0].name': 'Stroj',
    'items[0].quantity': '2,5',
    'items[0].unit_price': '12 500,50',
    'items[0].vat_rate': '23 %',
    'items[1].name': 'Olej',
    'items[1].quantity': '1.500',
    'items[1].unit_price': '1.234',
  };
  const asked = await visit.browser.fill('/invoices/new', '/invoices/new', { ...rows, do: 'save' });
  expect(problemBeside(asked.html, 'items[0].unit_price')).toBeUndefined();
  expect(problemBeside(asked.html, 'items[1].quantity')).toContain('1\u00a0500');
  expect(problemBeside(asked.html, 'items[1].unit_price')).toContain('1\u00a0234,00\u00a0€');
  const again = await visit.browser.submit(asked, '/invoices/new', { do: 'means:1500:items[1].quantity' });
  expect(problemBeside(again.html, 'items[1].quantity')).toBeUndefined();
  const saved = await visit.browser.submit(again, '/invoices/new', { do: 'means:1,234:items[1].unit_price' });
  const { data: invoice } = await visit.api.get(`/invoices/${idOfMade(saved)}`);
  expect(invoice.items).toMatchObject([
    { quantity: 2.5, unit_price: 12500.5, vat_rate: 23 },
    { quantity: 1500, unit_price: 1.234 },
  ]);
});

test('a payment is read in the currency of its invoice', async () => {
  const visit = await visitorOf('en');
  const { data: company } = await visit.api.post('/companies', { name: 'Acme' });
  const { data: invoice } = await visit.api.post('/invoices', {
    company_id: company.id,
    currency: 'USD',
    items: [{ name: 'Bike', unit_price: 2000 }],
  });
  const page = await visit.browser.get(`/invoices/${invoice.id}`);
  expect(page.html).toContain('US$2,000.00');
  const form = await visit.browser.get(`/invoices/${invoice.id}/pay`);
  expect(textOf(form.html)).toContain('Amount USD');
  const paid = await visit.browser.submit(form, `/invoices/${invoice.id}/pay`, {
    amount: 'US$1,500.00',
    do: 'save',
  });
  expect(paid.location).toMatch(/done=pay/);
  expect((await visit.api.get(`/invoices/${invoice.id}`)).data.remaining_amount).toBe(500);
});

test('stock and prices of a product, and the price of a service, are read by the language', async () => {
  const visit = await visitorOf('sk');
  const product = { sku: 'B-1', name: 'Bicykel', price: '1 200,90', vat_rate: '23', stock_on_hand: '1 000' };
  const saved = await visit.browser.fill('/products/new', '/products/new', { ...product, do: 'save' });
  const { data } = await visit.api.get(`/products/${idOfMade(saved)}?include=stock`);
  expect(data).toMatchObject({ price: 1200.9, stock_on_hand: 1000 });
  const [path, name] = ['/settings/lists/booking-services/new', 'Servis'];
  const asked = await visit.browser.fill(path, path, {
    name,
    duration_minutes: '60',
    price: '1.500',
    do: 'save',
  });
  expect(problemBeside(asked.html, 'price')).toContain('1\u00a0500,00\u00a0€');
  const made = await visit.browser.submit(asked, path, { do: 'means:1500:price' });
  expect(made.location).toMatch(/done=added/);
  expect((await visit.api.get('/booking-services?q=Servis')).data).toMatchObject([{ price: 1500 }]);
});

test('an own number field of companies is read and shown by the language, and kept in decimal', async () => {
  const visit = await visitorOf('sk');
  const list = '/settings/lists/custom-fields/new';
  await visit.browser.fill(list, list, { name: 'Obrat', type: 'number', required: 'false', do: 'save' });
  const { data: company } = await visit.api.post('/companies', { name: 'Acme' });
  const path = `/companies/${company.id}/labels`;
  const asked = await visit.browser.fill(path, path, { 'custom_fields.Obrat': '1.234', do: 'save' });
  expect(problemBeside(asked.html, 'custom_fields.Obrat')).toContain('1\u00a0234');
  const saved = await visit.browser.submit(asked, path, { 'custom_fields.Obrat': '12 500,75', do: 'save' });
  expect(saved.location).toMatch(/done=labels/);
  expect((await visit.api.get(`/companies/${company.id}`)).data.custom_fields).toEqual({ Obrat: '12500.75' });
  expect((await visit.browser.get(`/companies/${company.id}`)).html).toContain('12\u00a0500,75');
  expect((await visit.browser.get(path)).html).toContain('value="12500,75"');
  const wrong = await visit.browser.fill(path, path, { 'custom_fields.Obrat': 'veľa', do: 'save' });
  expect(problemBeside(wrong.html, 'custom_fields.Obrat')).toBe('Toto musí byť číslo.');
});
