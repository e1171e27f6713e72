import { sharedDealkeep, type VisitedPage } from '@dealkeep/testing';
import { describe, expect, test } from 'vitest';
import { idOfMade, problemBeside, selectedIn, textOf } from './page-parts.ts';
import { signedInOwner } from './signed-in-owner.ts';

// Of forms as people fill them in every day: what they offer, begin with, count and keep.

const dealkeep = await sharedDealkeep();
const save = { do: 'save' };

/** An owner who is signed in, in an organization of their own. */
async function owner(language: 'en' | 'sk' = 'en') {
  const signedIn = await signedInOwner(dealkeep);
  await signedIn.browser.get(`/?language=${language}`);
  return signedIn;
}

const typedIn = ({ html }: VisitedPage, name: string): string | undefined =>
  html.split(`name="${name}"`)[1]?.split('>')[0]?.split(' value="')[1]?.split('"')[0];

describe('the lines of an invoice', () => {
  const names = (page: VisitedPage): (string | undefined)[] =>
    [0, 1, 2].map((row) => typedIn(page, `items[${row}].name`));

  test('are added, moved and taken out, and nothing of them is lost', async () => {
    const { browser } = await owner();
    const path = '/invoices/new';
    const two = await browser.fill(path, path, {
      'items[0].name': 'One',
      'items[0].vat_rate': '19',
      do: 'add:items',
    });
    expect([typedIn(two, 'items[1].quantity'), typedIn(two, 'items[1].vat_rate')]).toEqual(['1', '19']);
    const swapped = await browser.submit(two, path, { 'items[1].name': 'Two', do: 'up:items:1' });
    expect(names(swapped)).toEqual(['Two', 'One', undefined]);
    const back = await browser.submit(swapped, path, { do: 'down:items:0' });
    expect(names(back)).toEqual(['One', 'Two', undefined]);
    for (const nowhere of ['up:items:0', 'down:items:1', 'up:items:7', 'down:items:-1'])
      expect(names(await browser.submit(back, path, { do: nowhere }))).toEqual(['One', 'Two', undefined]);
    expect(names(await browser.submit(back, path, { do: 'remove:items:0' }))).toEqual([
      'Two',
      undefined,
      undefined,
    ]);
  });

  test.each(['en', 'sk'] as const)(
    'are counted as they are saved, by the numbers of the language: %s',
    async (language) => {
      const { browser, api } = await owner(language);
      const { data: company } = await api.post('/companies', { name: 'Counted' });
      const typed = (value: string): string => (language === 'sk' ? value.replace('.', ',') : value);
      const lines = [
        ['1.005', '33.35', '23'],
        ['3', '0.335', '5'],
        ['0.1', '0.25', '19.5'],
      ];
      const fields = Object.fromEntries(
        lines.flatMap(([quantity = '', price = '', vat = ''], row) => [
          [`items[${row}].name`, `Line ${row}`],
          [`items[${row}].quantity`, typed(quantity)],
          [`items[${row}].unit_price`, typed(price)],
          [`items[${row}].vat_rate`, typed(vat)],
        ]),
      );
      const customer = { 'client_id.customer': `company:${company.id}` };
      const form = await browser.get('/invoices/new');
      const counted = await browser.submit(form, '/invoices/new', { ...fields, ...customer, do: 'totals' });
      const made = await browser.submit(counted, '/invoices/new', save);
      const { data } = await api.get(`/invoices/${idOfMade(made)}`);
      const money = new Intl.NumberFormat(language === 'sk' ? 'sk-SK' : 'en-GB', {
        style: 'currency',
        currency: 'EUR',
      });
      const shown = [...counted.html.matchAll(/<output>([^<]*)<\/output>/g)].map(([, said]) => said);
      const saved = [
        ...data.items.map((item: { total: number }) => item.total),
        data.subtotal,
        data.vat_amount,
        data.total,
      ];
      expect(shown).toEqual(saved.map((value: number) => money.format(value)));
    },
  );

  test('of an order are counted with their discounts, the discount of all and the shipping', async () => {
    const { browser, api } = await owner();
    const form = await browser.get('/orders/new');
    const counted = await browser.submit(form, '/orders/new', {
      'customer.name': 'Eva',
      'items[0].sku': 'A',
      'items[0].quantity': '3',
      'items[0].unit_price': '19.99',
      'items[0].vat_rate': '23',
      'items[0].discount_pct': '12.5',
      discount_total: '2',
      shipping_cost: '4.90',
      do: 'totals',
    });
    const made = await browser.submit(counted, '/orders/new', save);
    const { data } = await api.get(`/orders/${idOfMade(made)}`);
    const shown = [...counted.html.matchAll(/<output>[^\d<-]*([^<]*)<\/output>/g)].map(([, said]) =>
      Number(said?.replace('€', '')),
    );
    const { subtotal, discount_total, shipping_cost, vat_total, grand_total } = data;
    expect(shown).toEqual([
      data.items[0]?.line_total,
      subtotal,
      -discount_total,
      shipping_cost,
      vat_total,
      grand_total,
    ]);
  });

  test('that hold no number yet, or one in doubt, are not counted', async () => {
    const { browser } = await owner();
    const counted = await browser.fill('/invoices/new', '/invoices/new', {
      'items[0].name': 'A',
      'items[0].unit_price': 'ten',
      do: 'totals',
    });
    expect(counted.status).toBe(200);
    expect([...counted.html.matchAll(/<output>([^<]*)</g)].map(([, said]) => said)).toEqual([
      '—',
      '€0.00',
      '€0.00',
      '€0.00',
    ]);
    expect(typedIn(counted, 'items[0].unit_price')).toBe('ten');
  });

  test('that were only begun are left out, and one alone is asked for', async () => {
    const { browser, api } = await owner();
    const { data: company } = await api.post('/companies', { name: 'Blank' });
    const path = '/invoices/new';
    const customer = { 'client_id.customer': `company:${company.id}` };
    const none = await browser.fill(path, path, { ...customer, ...save });
    expect(problemBeside(none.html, 'items[0].name')).toBe('This field is required.');
    const two = await browser.fill(path, path, { ...customer, do: 'add:items' });
    const made = await browser.submit(two, path, {
      'items[1].name': 'Only',
      'items[1].unit_price': '1',
      ...save,
    });
    expect((await api.get(`/invoices/${idOfMade(made)}`)).data.items).toHaveLength(1);
  });
});

describe('a new form', () => {
  const dayIn = (timeZone: string, days = 0): string =>
    new Intl.DateTimeFormat('sv-SE', { timeZone }).format(Date.now() + days * 86_400_000);

  test('of an invoice begins with today, the currency, one of something, and 14 days to pay', async () => {
    const { browser, organization } = await owner();
    await dealkeep.sql`update organizations set time_zone = 'Pacific/Kiritimati' where id = ${organization.id}`;
    await dealkeep.sql`update organizations set directory_version = directory_version + 1 where id = ${organization.id}`;
    const form = await browser.get('/invoices/new');
    const zone = 'Pacific/Kiritimati';
    expect([typedIn(form, 'issued_date'), typedIn(form, 'due_date')]).toEqual([dayIn(zone), dayIn(zone, 14)]);
    expect([typedIn(form, 'items[0].quantity'), typedIn(form, 'items[0].vat_rate')]).toEqual(['1', '']);
    expect(selectedIn(form.html, 'currency')).toBe('Euro');
    // What it begins with is no reason to unfold what is seldom filled in.
    expect(form.html).toContain('<details class="more">');
  });

  test('of an invoice goes on as the last one: its days to pay, and its rate of VAT', async () => {
    const { browser, api } = await owner();
    const { data: company } = await api.post('/companies', { name: 'Habit' });
    const items = [{ name: 'A', unit_price: 1, vat_rate: 20.5 }];
    await api.post('/invoices', {
      company_id: company.id,
      issued_date: '2026-01-01',
      due_date: '2026-01-31',
      items,
    });
    const form = await browser.get('/invoices/new');
    const [issued, due] = ['issued_date', 'due_date'].map((name) => Date.parse(typedIn(form, name) ?? ''));
    expect((Number(due) - Number(issued)) / 86_400_000).toBe(30);
    expect(typedIn(form, 'items[0].vat_rate')).toBe('20.5');
  });

  test('of a lead begins in the first open stage and with its owner; the address says more', async () => {
    const { browser, api } = await owner();
    const { data: company } = await api.post('/companies', { name: 'Asked for' });
    const form = await browser.get(`/leads/new?company_id=${company.id}&name=Prefilled`);
    const { data: pipelines } = await api.get('/pipelines');
    const [first] = Object(pipelines)[0].stages;
    expect(selectedIn(form.html, 'stage_id')).toBe(first.name);
    expect(selectedIn(form.html, 'owner_id')).toBe('Jana Horváthová');
    expect([selectedIn(form.html, 'company_id'), typedIn(form, 'name')]).toEqual(['Asked for', 'Prefilled']);
  });

  test('of an activity begins at the next full hour of the organization, for oneself', async () => {
    const { browser } = await owner();
    const form = await browser.get('/activities/new');
    expect(typedIn(form, 'start_at')).toMatch(/^\d{4}-\d\d-\d\dT\d\d:00$/);
    expect(selectedIn(form.html, 'assignee_id')).toBe('Jana Horváthová');
  });

  test('of a company begins in the country of the organization', async () => {
    const { browser, organization } = await owner();
    await dealkeep.sql`update organizations set country_code = 'CZ' where id = ${organization.id}`;
    await dealkeep.sql`update organizations set directory_version = directory_version + 1 where id = ${organization.id}`;
    expect(selectedIn((await browser.get('/companies/new')).html, 'country_code')).toBe('Czechia');
  });

  test('has the focus in its first field, and one that was refused in the first wrong one', async () => {
    const { browser } = await owner();
    const form = await browser.get('/companies/new');
    expect(form.html).toMatch(/<input name="name"[^>]* autofocus/);
    const refused = await browser.submit(form, '/companies/new', { name: 'A', email: 'nonsense', ...save });
    expect(refused.html.match(/ autofocus/g)).toHaveLength(1);
    expect(refused.html).toMatch(/<input name="email"[^>]* autofocus/);
  });

  test('is opened anew by “Save and add another”, and says what was saved', async () => {
    const { browser } = await owner();
    const saved = await browser.fill('/companies/new', '/companies/new', { name: 'First', do: 'another' });
    expect(saved.location).toMatch(/^\/companies\/new\?done=/);
    const next = await browser.get(saved.location ?? '');
    const link = /role="status">[^<]*<a href="([^"]*)"/.exec(next.html)?.[1] ?? '';
    expect(textOf((await browser.get(link)).html)).toContain('First');
    expect(typedIn(next, 'name')).toBe('');
  });
});

describe('a new company', () => {
  test('of a lead is made with it; one that is chosen besides is told so, and what was typed stays in sight', async () => {
    const { browser, api } = await owner();
    const made = await browser.fill('/leads/new', '/leads/new', { 'company.name': 'Brand new', ...save });
    const { data: lead } = await api.get(`/leads/${idOfMade(made)}`);
    expect([lead.name, lead.company?.name]).toEqual(['Brand new', 'Brand new']);
    const both = { company_id: lead.company?.id ?? '', 'company.name': 'Another', ...save };
    const told = await browser.fill('/leads/new', '/leads/new', both);
    expect(problemBeside(told.html, 'company')).toContain('not both');
    expect(told.html).toMatch(/<details class="inline-new" id="field-company" open>/);
    expect(typedIn(told, 'company.name')).toBe('Another');
  });

  test('for a form of something else is the form of companies alone: refused beside its fields, then answered by its id', async () => {
    const { browser, api } = await owner();
    const part = { 'X-Dealkeep-Part': 'form' };
    const form = await browser.get('/companies/new?name=Tatra', part);
    expect(form.html).not.toContain('<nav');
    expect(typedIn(form, 'name')).toBe('Tatra');
    const hidden = (name: string): string => typedIn(form, name) ?? '';
    const sent = {
      csrf_token: hidden('csrf_token'),
      form_token: hidden('form_token'),
      form_language: 'en',
      ...save,
    };
    const refused = await browser.post('/companies/new', { ...sent, name: 'Tatra', email: 'nonsense' }, part);
    expect([refused.status, refused.html.includes('<nav')]).toEqual([422, false]);
    expect(problemBeside(refused.html, 'email')).toContain('e-mail');
    const made = await browser.post('/companies/new', { ...sent, name: 'Tatra' }, part);
    const { id, name } = JSON.parse(made.html);
    expect([made.status, name]).toEqual([201, 'Tatra']);
    expect((await api.get(`/companies/${id}`)).data.name).toBe('Tatra');
  });
});
