import { Browser, inConsole, sharedDealkeep } from '@dealkeep/testing';
import { describe, expect, test } from 'vitest';
import { problemBeside, selectedIn, textOf } from './page-parts.ts';
import { idIn, recordsByHand } from './records-by-hand.ts';

const dealkeep = await sharedDealkeep();
const { organization, browser, api, create, typesOf } = await recordsByHand(dealkeep);
const scope = { id: organization.id, slug: organization.slug };

const save = { do: 'save' };
const company = await create('/companies', { name: 'Tatra Bikes', email: 'info@tatra.example' });
const companyId = idIn(company);
const aService = async (): Promise<string> => {
  const id = crypto.randomUUID();
  await dealkeep.sql`
    insert into booking_services (organization_id, id, name, duration_minutes, price, currency, created_at, updated_at)
    values (${organization.id}, ${id}, ${`Fitting ${id}`}, 60, 45, 'EUR', now(), now())`;
  await dealkeep.sql`
    update organizations set directory_version = directory_version + 1 where id = ${organization.id}`;
  return id;
};

describe.each([
  ['/companies', { name: 'Nitra Wheels' }, { name: 'Nitra Wheels a.s.' }, 'company'],
  ['/contacts', { name: 'Eva', company_id: companyId }, { name: 'Eva Nová' }, 'contact'],
  ['/leads', { name: 'Ten bikes', value: '1,250.50' }, { name: 'Twelve bikes' }, 'lead'],
  ['/products', { sku: 'BIKE-1', name: 'City bike', price: '450' }, { name: 'Town bike' }, 'product'],
] as const)('%s', (path, fields, changes, event) => {
  test('are listed, made, shown and changed, and tell of it', async () => {
    const record = await create(path, fields);
    expect((await browser.get(path)).html).toContain(`href="${record}"`);
    const [[, typed]] = Object.entries(changes) as [[string, string]];
    const form = await browser.get(`${record}/edit`);
    const done = await browser.submit(form, `${record}/edit`, { ...fields, ...changes, ...save });
    expect([done.status, done.location]).toEqual([303, `${record}?done=save`]);
    const shown = await browser.get(done.location ?? '');
    expect(shown.html).toContain(typed);
    expect(shown.html).toContain('Saved.');
    expect(await typesOf(idIn(record))).toEqual([`${event}.created`, `${event}.updated`]);
  });
});

test('a task is changed by hand, an order and an invoice are made with their items', async () => {
  const task = await create('/tasks', { title: 'Call back', due_date: '2026-12-01' });
  const saved = await browser.fill(`${task}/edit`, `${task}/edit`, { title: 'Write back', ...save });
  expect(saved.status).toBe(303);
  const product = await inConsole(dealkeep.core, scope, 'products.create', {
    sku: 'LIGHT',
    name: 'Lamp',
    price: 10,
  });
  const order = await create('/orders', {
    'customer.name': 'Peter',
    'items[0].product_uuid.find': 'lamp',
    'items[0].quantity': '2',
    'items[1].quantity': '',
  });
  const shown = await browser.get(order);
  expect(shown.html).toContain('LIGHT');
  expect(textOf(shown.html)).toContain('Without VAT €20.00');
  expect(product.name).toBe('Lamp');
  const invoice = await create('/invoices', {
    company_id: companyId,
    'items[0].name': 'Repair',
    'items[0].unit_price': '80.5',
    'items[0].quantity': '',
  });
  expect(textOf((await browser.get(invoice)).html)).toContain('Still to pay €80.50');
  expect(await typesOf(idIn(invoice))).toEqual(['invoice.created']);
});

describe('a form', () => {
  test('says beside a field what is wrong, keeps what was typed, and puts the focus there', async () => {
    const sent = await browser.fill('/companies/new', '/companies/new', {
      name: 'Kept <b>',
      email: 'nonsense',
      ...save,
    });
    expect(sent.status).toBe(422);
    expect(problemBeside(sent.html, 'email')).toContain('e-mail');
    expect(problemBeside(sent.html, 'name')).toBeUndefined();
    expect(sent.html).toContain('value="Kept &lt;b&gt;"');
    expect(sent.html).toMatch(/<input name="email"[^>]*aria-invalid="true" autofocus/);
    const slovak = await browser.fill('/companies/new?language=sk', '/companies/new', { ...save });
    expect(problemBeside(slovak.html, 'name')).toBe('Toto pole je povinné.');
    await browser.get('/companies?language=en');
  });

  test('says it beside the field of a line item', async () => {
    const sent = await browser.fill('/invoices/new', '/invoices/new', {
      'items[0].name': 'A',
      'items[0].unit_price': '1',
      'items[1].name': 'B',
      ...save,
    });
    expect(problemBeside(sent.html, 'items[1].unit_price')).toBe('This field is required.');
    expect(problemBeside(sent.html, 'items[0].unit_price')).toBeUndefined();
  });

  test('that is sent twice at once makes one record', async () => {
    const form = await browser.get('/companies/new');
    const click = () => browser.submit(form, '/companies/new', { name: 'Clicked twice', ...save });
    const [first, second] = await Promise.all([click(), click()]);
    expect(first.location).toBe(second.location);
    const { json } = await api.get('/companies?q=Clicked%20twice');
    expect(Reflect.get(Object(json), 'data')).toHaveLength(1);
  });

  test('that shows an older state than the record has is told so, and can be sent again', async () => {
    const record = await create('/companies', { name: 'Two tabs' });
    const [one, two] = [await browser.get(`${record}/edit`), await browser.get(`${record}/edit`)];
    await browser.submit(one, `${record}/edit`, { name: 'First tab', ...save });
    const told = await browser.submit(two, `${record}/edit`, { name: 'Second tab', ...save });
    expect(told.status).toBe(409);
    expect(told.html).toContain('Somebody changed this record');
    expect(told.html).toContain('value="Second tab"');
    expect((await browser.submit(told, `${record}/edit`, { name: 'Second tab', ...save })).status).toBe(303);
    expect((await browser.get(record)).html).toContain('Second tab');
  });

  test('without the token of the session is refused', async () => {
    const sent = await browser.post('/companies/new', { name: 'Forged', ...save });
    expect(sent.status).toBe(403);
    expect((await browser.get('/companies?q=Forged')).html).not.toContain('>Forged<');
  });

  test('reads and shows times in the time zone of the organization', async () => {
    const service_id = await aService();
    const fields = { service_id, starts_at: '2026-07-15T10:00', 'customer.name': 'Anna' };
    const booking = await create('/bookings', fields);
    const { json } = await api.get(`/bookings/${idIn(booking)}`);
    const { data } = Object(json);
    expect([data.starts_at, data.source]).toEqual(['2026-07-15T08:00:00.000Z', 'console']);
    expect((await browser.get(booking)).html).toContain('15 Jul 2026, 10:00');
    const activity = await create('/activities', { name: 'Winter', start_at: '2026-01-15T10:00' });
    expect((await browser.get(`${activity}/edit`)).html).toContain('value="2026-01-15T10:00"');
  });
});

describe('a list', () => {
  test('is filtered by a company that is found by typing its name', async () => {
    await create('/companies', { name: 'Filter Ltd' });
    const filtered = await browser.get('/leads?company_id.find=filter+ltd');
    expect(filtered.html).toContain('Nothing fits these filters.');
    expect(selectedIn(filtered.html, 'company_id')).toBe('Filter Ltd');
  });
});

test('a search finds records of all kinds, and never those of others', async () => {
  const other = await dealkeep.createOrganization();
  await dealkeep.as(other.key).post('/companies', { name: 'Uniqueness elsewhere' });
  await create('/companies', { name: 'Uniqueness Ltd' });
  await create('/tasks', { title: 'Uniqueness task' });
  const found = textOf((await browser.get('/search?q=uniqueness')).html);
  expect(found).toContain('Uniqueness Ltd');
  expect(found).toContain('Uniqueness task');
  expect(found).not.toContain('elsewhere');
  expect((await browser.get('/search?q=<script>')).html).not.toContain('<script>"');
});

test('searches, lists and choices ignore case, diacritics and Unicode form (rule lists 18)', async () => {
  const path = await create('/companies', { name: 'Žltý kôň, s.r.o.' });
  for (const q of ['zlty KON', 'žltý kôň'.normalize('NFD')]) {
    const query = new URLSearchParams({ q });
    expect(textOf((await browser.get(`/search?${query}`)).html), q).toContain('Žltý kôň, s.r.o.');
    expect(textOf((await browser.get(`/companies?${query}`)).html), q).toContain('Žltý kôň, s.r.o.');
    const contact = await create('/contacts', { 'company_id.find': q, name: 'Ján' });
    expect(JSON.stringify((await api.get(`/contacts/${idIn(contact)}`)).json), q).toContain(idIn(path));
  }
});

test('nothing that was typed becomes markup', async () => {
  const script = '<script>alert(1)</script>"\'><img src=x onerror=alert(1)>';
  const record = await create('/companies', {
    name: script,
    street: script,
    note: script,
    phone: 'x" onfocus="y',
  });
  const lead = await create('/leads', { name: script, company_id: idIn(record), note: script });
  const search = `/search?${new URLSearchParams({ q: script })}`;
  const pages = [
    record,
    `${record}/edit`,
    '/companies',
    lead,
    `${lead}/archive`,
    '/leads',
    '/leads/board',
    search,
  ];
  for (const path of [...pages, `/companies?${new URLSearchParams({ email: script })}`]) {
    const { html } = await browser.get(path);
    expect(html, path).not.toContain('<script>alert');
    expect(html, path).not.toContain('<img');
    expect(html, path).not.toContain('" onfocus="');
    expect(html, path).toContain('&lt;script&gt;');
  }
});

test("another organization's record is not there", async () => {
  const visitor = new Browser(dealkeep);
  await visitor.signIn(await dealkeep.createOrganization());
  for (const path of [company, `${company}/edit`, `${company}/labels`]) {
    expect((await visitor.get(path)).status, path).toBe(404);
  }
});

test('tags and custom fields of a company are edited, which is company.updated', async () => {
  await dealkeep.sql`
    insert into tags (organization_id, id, name, created_at, updated_at)
    values (${organization.id}, ${crypto.randomUUID()}, 'VIP', now(), now())`;
  await dealkeep.sql`
    insert into custom_fields (organization_id, id, name, type, created_at, updated_at)
    values (${organization.id}, ${crypto.randomUUID()}, 'Employees', 'number', now(), now())`;
  await dealkeep.sql`
    update organizations set directory_version = directory_version + 1 where id = ${organization.id}`;
  const record = await create('/companies', { name: 'Labelled' });
  const page = `${record}/labels`;
  const wrong = await browser.fill(page, page, { 'custom_fields.Employees': 'many', ...save });
  expect([wrong.status, problemBeside(wrong.html, 'custom_fields.Employees') !== undefined]).toEqual([
    422,
    true,
  ]);
  await browser.submit(wrong, page, { tags: 'VIP', 'custom_fields.Employees': '12', ...save });
  const { json } = await api.get(`/companies/${idIn(record)}`);
  const { data } = Object(json);
  expect([data.tags, data.custom_fields]).toEqual([['VIP'], { Employees: '12' }]);
  expect(await typesOf(idIn(record))).toEqual(['company.created', 'company.updated']);
  expect((await browser.get(page)).html).toContain('value="VIP" checked');
});

test('further e-mails and phones of a contact are edited, which is contact.updated', async () => {
  const contact = await create('/contacts', { name: 'Ivan', company_id: companyId, email: 'i@van.example' });
  const page = `${contact}/addresses`;
  const wrong = await browser.fill(page, page, { further_emails: 'a@b.example\nnonsense', ...save });
  expect(problemBeside(wrong.html, 'further_emails')).toContain('e-mail');
  await browser.submit(wrong, page, { further_emails: 'a@b.example\r\nc@d.example', ...save });
  const { json } = await api.get(`/contacts/${idIn(contact)}`);
  expect(Object(json).data.emails).toEqual(['i@van.example', 'a@b.example', 'c@d.example']);
  expect(await typesOf(idIn(contact))).toEqual(['contact.created', 'contact.updated']);
});
