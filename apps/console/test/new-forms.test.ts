import { createRole, createUser } from '@dealkeep/core';
import { Browser, sharedDealkeep, type VisitedPage } from '@dealkeep/testing';
import { describe, expect, test } from 'vitest';
import { problemBeside, selectedIn, textOf } from './page-parts.ts';

// Of forms as people fill them in every day: what they offer, begin with, count and keep.

const dealkeep = await sharedDealkeep();
const save = { do: 'save' };

/** An owner who is signed in, in an organization of their own. */
async function owner(language: 'en' | 'sk' = 'en') {
  const organization = await dealkeep.createOrganization();
  const browser = new Browser(dealkeep);
  await browser.signIn(organization);
  await browser.get(`/?language=${language}`);
  return { organization, browser, api: dealkeep.as(organization.key) };
}

const idIn = ({ location }: VisitedPage): string => /\/([^/?]+)\?/.exec(location ?? '')?.[1] ?? '';
const typedIn = ({ html }: VisitedPage, name: string): string | undefined =>
  html.split(`name="${name}"`)[1]?.split('>')[0]?.split(' value="')[1]?.split('"')[0];

interface Offers {
  readonly said: string;
  readonly choices: readonly { id: string; name: string; about?: string; fills?: Record<string, string> }[];
  readonly create?: { said: string; path: string };
}
const offersOf = async (browser: Browser, path: string): Promise<Offers> =>
  JSON.parse((await browser.get(path)).html);
const namesOf = ({ choices }: Offers): string[] => choices.map(({ name }) => name);

describe('a choice while somebody types', () => {
  test('offers what has the text in its name, those that begin with it first, whatever the case and the accents', async () => {
    const { browser, api } = await owner();
    await api.post('/companies', { name: 'Tatry s.r.o.', email: 'info@tatry.example' });
    await api.post('/companies', { name: 'Nízke Tatry a.s.' });
    await api.post('/companies', { name: 'Fatra' });
    const found = await offersOf(browser, '/choices/company?q=TATR');
    expect(namesOf(found)).toEqual(['Tatry s.r.o.', 'Nízke Tatry a.s.', 'Fatra'].slice(0, 2));
    expect(found.choices[0]?.about).toBe('info@tatry.example');
    expect([found.said, found.create]).toEqual([
      '2 found',
      { said: 'Create “TATR”', path: '/companies/new' },
    ]);
    expect(namesOf(await offersOf(browser, '/choices/company?q=nizke'))).toEqual(['Nízke Tatry a.s.']);
  });

  test('offers without a text what was changed last, twenty at most', async () => {
    const { browser, api } = await owner();
    const { data: first } = await api.post('/companies', { name: 'Firm 00' });
    for (let index = 1; index < 22; index += 1)
      await api.post('/companies', { name: `Firm ${String(index).padStart(2, '0')}` });
    await api.patch(`/companies/${first.id}`, { phone: '+421 900 000 000' });
    const found = await offersOf(browser, '/choices/company');
    expect(namesOf(found).slice(0, 2)).toEqual(['Firm 00', 'Firm 21']);
    expect([found.choices.length, found.said, found.create]).toEqual([
      20,
      'More than 20: type more of the name',
      undefined,
    ]);
  });

  test('offers the contacts of the company that is chosen, and no lead that was put away', async () => {
    const { browser, api } = await owner();
    const [{ data: one }, { data: other }] = [
      await api.post('/companies', { name: 'One' }),
      await api.post('/companies', { name: 'Other' }),
    ];
    await api.post('/contacts', { name: 'Eva of one', company_id: one.id });
    await api.post('/contacts', { name: 'Eva of other', company_id: other.id });
    const found = await offersOf(browser, `/choices/contact?q=eva&parent=${other.id}`);
    expect(namesOf(found)).toEqual(['Eva of other']);
    const { data: lead } = await api.post('/leads', { name: 'Put away' });
    await api.post('/leads', { name: 'Not put away' });
    await api.post(`/leads/${lead.id}/archive`, {});
    expect(namesOf(await offersOf(browser, '/choices/lead?q=put+away'))).toEqual(['Not put away']);
  });

  test('offers what the role shows, and a new one where the role may make it', async () => {
    const { organization, api } = await owner();
    await api.post('/companies', { name: 'Unseen' });
    const { id, slug } = organization;
    const visitor = async (role: string, permissions: string) => {
      await createRole(dealkeep.core, { organization: slug, name: role, permissions });
      const email = `${role}@${id}.example`;
      const password = 'correct horse battery';
      await createUser(dealkeep.core, { organization: slug, email, name: role, role, password });
      const browser = new Browser(dealkeep);
      await browser.signInAs(email);
      return browser;
    };
    const none = await offersOf(await visitor('none', 'leads.view=all'), '/choices/company?q=unseen');
    expect([none.choices, none.create]).toEqual([[], undefined]);
    const sees = await offersOf(await visitor('sees', 'companies.view=all'), '/choices/company?q=unseen');
    expect([namesOf(sees), sees.create]).toEqual([['Unseen'], undefined]);
    const stranger = await (await owner()).browser.get('/choices/company?q=unseen');
    expect(JSON.parse(stranger.html).choices).toEqual([]);
    expect((await new Browser(dealkeep).get('/choices/company?q=unseen')).location).toContain('/sign-in');
  });

  test('takes any text, and knows no other lists than those that are searched', async () => {
    const { browser } = await owner();
    for (const q of ['', '%00', '%ED%A0%80', '%F0%9F%9A%B2'.repeat(300)])
      expect((await browser.get(`/choices/company?q=${q}`)).status, q).toBe(200);
    for (const name of ['user', 'nothing', '__proto__'])
      expect((await browser.get(`/choices/${name}`)).status, name).toBe(404);
  });
});

describe('products that the lines of an order are to be found by', () => {
  type Somebody = Awaited<ReturnType<typeof owner>>;

  const makeProduct = ({ browser }: Somebody, sku: string, name: string): Promise<VisitedPage> =>
    browser.fill('/products/new', '/products/new', { sku, name, price: '5', ...save });

  /** Sends an order of so many lines, each with what its product is to be found by. */
  async function sendOrder({ browser, api }: Somebody, count: number, find: (row: number) => string) {
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
  async function productsIn({ api }: Somebody, made: VisitedPage): Promise<(string | null)[]> {
    expect(made.status, textOf(made.html)).toBe(303);
    const { items } = (await api.get(`/orders/${idIn(made)}`)).data;
    return items.map((item: { product_uuid: string | null }) => item.product_uuid);
  }

  test('are searched for fifty at once, and the rest when the form is sent again', async () => {
    const somebody = await owner();
    for (let room = 100; room < 153; room += 1)
      await makeProduct(somebody, `LAMP-${room}`, `Lamp of room ${room}`);
    const told = await sendOrder(somebody, 53, (row) => `room ${row + 100}`);
    expect([told.status, told.html.match(/Not searched for yet/g)?.length]).toEqual([422, 3]);
    expect(problemBeside(told.html, 'items[50].product_uuid')).toBe(
      'Not searched for yet: 50 are searched for at once. Send the form again.',
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

describe('a customer', () => {
  const line = { 'items[0].name': 'Repair', 'items[0].unit_price': '80' };

  test('is one choice among clients and companies, and stands in the field of its own', async () => {
    const { browser, api } = await owner();
    const { data: buys } = await api.post('/companies', { name: 'Matra buys' });
    const { data: client } = await api.post('/clients', { company_id: buys.id });
    const { data: asks } = await api.post('/companies', { name: 'Matra asks', email: 'a@asks.example' });
    const found = await offersOf(browser, '/choices/customer?q=matra');
    expect(found.choices.map(({ id, name, about }) => [id, name, about])).toEqual([
      [`client:${client.id}`, 'Matra buys', 'Client'],
      [`company:${asks.id}`, 'Matra asks', 'a@asks.example'],
    ]);
    const form = await browser.get('/invoices/new');
    expect(
      [...form.html.matchAll(/<label for="field-c[^"]*">([^<]*)/g)].map(([, said]) => said?.trim()),
    ).toEqual(['Customer', 'Currency']);
    for (const [find, expected] of [
      ['matra buys', { client: client.id, company: buys.id }],
      ['matra asks', { client: undefined, company: asks.id }],
    ] as const) {
      const made = await browser.submit(form, '/invoices/new', {
        ...line,
        'client_id.find': find,
        form_token: find,
        ...save,
      });
      const { counterparty } = (await api.get(`/invoices/${idIn(made)}`)).data;
      expect({ client: counterparty.client?.id, company: counterparty.company?.id }).toEqual(expected);
    }
  });

  test('of whom there are several is offered, chosen by its value, and kept while the form is changed', async () => {
    const { browser, api } = await owner();
    const { data: one } = await api.post('/companies', { name: 'Twins one' });
    await api.post('/companies', { name: 'Twins two' });
    const several = await browser.fill('/orders/new', '/orders/new', {
      'customer.client_uuid.find': 'twins',
      do: 'find',
    });
    expect(several.html).toContain('>Twins two</option>');
    const chosen = { 'customer.client_uuid.customer': `company:${one.id}` };
    const more = await browser.submit(several, '/orders/new', { ...chosen, do: 'add:items' });
    expect(selectedIn(more.html, 'customer.client_uuid.customer')).toBe('Twins one');
    const made = await browser.submit(more, '/orders/new', {
      'items[0].sku': 'LAMP',
      'items[0].unit_price': '5',
      ...save,
    });
    expect((await api.get(`/orders/${idIn(made)}`)).data).toMatchObject({
      company_uuid: one.id,
      client_uuid: null,
    });
  });

  test('who has vanished is said beside the one choice', async () => {
    const { browser } = await owner();
    const gone = '0198a000-0000-7000-8000-000000000001';
    for (const kind of ['client', 'company']) {
      const told = await browser.fill('/invoices/new', '/invoices/new', {
        ...line,
        'client_id.customer': `${kind}:${gone}`,
        ...save,
      });
      expect([kind, told.status, problemBeside(told.html, 'client_id')]).toEqual([
        kind,
        422,
        'Choose one of those on offer.',
      ]);
    }
  });
});

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
      const { data } = await api.get(`/invoices/${idIn(made)}`);
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
    const { data } = await api.get(`/orders/${idIn(made)}`);
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
    expect((await api.get(`/invoices/${idIn(made)}`)).data.items).toHaveLength(1);
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
    const { data: lead } = await api.get(`/leads/${idIn(made)}`);
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
