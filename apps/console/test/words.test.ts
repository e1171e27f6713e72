import { seedDemo } from '@dealkeep/core/installation';
import { Browser, sharedDealkeep } from '@dealkeep/testing';
import { expect, test } from 'vitest';
import { problemBeside } from './page-parts.ts';

const dealkeep = await sharedDealkeep();
const organization = await dealkeep.createOrganization();
const api = dealkeep.as(organization.key);
await seedDemo(dealkeep.core, organization.slug, 'small');
const { data: company } = await api.post('/companies', { name: 'Acme' });
const { data: order } = await api.post('/orders', {
  customer: { name: 'Peter', company_uuid: company.id },
  items: [{ sku: 'B-1', unit_price: 1200, quantity: 1 }],
});
const browser = new Browser(dealkeep);
await browser.signIn(organization);

test.each([
  ['en', 'ftp://example.com/', 'The address must start with https://.'],
  ['sk', 'ftp://example.com/', 'Adresa sa musí začínať https://.'],
] as const)('in %s the target of a webhook is called the address', async (language, target_url, words) => {
  await browser.get(`/?language=${language}`);
  const path = '/integrations/webhooks/new';
  const refused = await browser.fill(path, path, { target_url, name: '', do: 'save' });
  expect(problemBeside(refused.html, 'target_url')).toBe(words);
  expect(problemBeside(refused.html, 'name')).toBeDefined();
  await browser.get('/?language=en');
});

test('an order names the company that it belongs to', async () => {
  const { html } = await browser.get(`/orders/${order.uuid}`);
  expect(html).toContain(`<dt>Company</dt><dd><a href="/companies/${company.id}">Acme</a></dd>`);
});

test.each([
  ['en', 'Åland Islands'],
  ['sk', 'Čile'],
] as const)('in %s, countries stand in the order of their names', async (language, known) => {
  const { html } = await browser.get(`/companies/new?language=${language}`);
  const select = html.split('<select name="country_code"')[1]?.split('</select>')[0] ?? '';
  const names = [...select.matchAll(/<option value="[A-Z]{2}">([^<]*)/g)].map(([, name = '']) => name);
  expect(names.length).toBeGreaterThan(200);
  expect(names).toEqual(names.toSorted(new Intl.Collator(language).compare));
  expect(names).toContain(known);
  await browser.get('/?language=en');
});

test.each([
  ['/leads', 'Value'],
  ['/invoices', 'To pay'],
  ['/products', 'Price'],
])(
  'a heading of numbers stands to the right as they do, and money says its currency: %s',
  async (path, label) => {
    const { html } = await browser.get(path);
    expect(html).toMatch(new RegExp(`<th scope="col" class="number[^>]*>(?:<a [^>]*>)?${label}`));
    const money = [...html.matchAll(new RegExp(`<td class="number" data-label="${label}">([^<]+)<`, 'g'))];
    expect(money.length).toBeGreaterThan(0);
    for (const [, shown = ''] of money) expect(shown).toMatch(/^€[\d,]+\.\d{2}$/);
  },
);

test('the items of an order have their headings where their numbers are', async () => {
  const { html } = await browser.get(`/orders/${order.uuid}`);
  for (const label of ['Quantity', 'Price each', 'VAT', 'Total']) {
    expect(html).toContain(`<th scope="col" class="number">${label}</th>`);
  }
  expect(html).toContain('data-label="Price each">€1,200.00<');
});
