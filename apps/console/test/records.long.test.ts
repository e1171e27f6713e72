import { Browser, inConsole, sharedDealkeep } from '@dealkeep/testing';
import { describe, expect, test } from 'vitest';
import { problemBeside, textOf } from './page-parts.ts';
import { idIn, recordsByHand } from './records-by-hand.ts';

const dealkeep = await sharedDealkeep();
const { organization, browser, api, create, typesOf } = await recordsByHand(dealkeep);
const scope = { id: organization.id, slug: organization.slug };

const save = { do: 'save' };
const company = await create('/companies', { name: 'Tatra Bikes', email: 'info@tatra.example' });
const companyId = idIn(company);

test('a client is made of a company that is found by typing its name', async () => {
  await create('/companies', { name: 'Tatra Clients' });
  const client = await create('/clients', { 'company_id.find': 'tatra clients' });
  expect((await browser.get(client)).html).toContain('Tatra Clients');
  expect(await typesOf(idIn(client))).toEqual(['client.created']);
});

test('an activity is changed by hand, which tells nobody', async () => {
  const activity = await create('/activities', { name: 'Call', start_at: '2026-07-01T09:00' });
  await browser.fill(`${activity}/edit`, `${activity}/edit`, { name: 'Long call', ...save });
  expect(textOf((await browser.get(activity)).html)).toContain('Long call');
  expect(await typesOf(idIn(activity))).toEqual(['activity.created']);
});

describe('a form', () => {
  test('adds and removes rows by its buttons', async () => {
    const typed = { 'items[0].name': 'First', 'items[1].name': 'Second' };
    const more = await browser.fill('/invoices/new', '/invoices/new', { ...typed, do: 'add:items' });
    expect(more.html).toContain('name="items[2].name"');
    const fewer = await browser.submit(more, '/invoices/new', { ...typed, do: 'remove:items:0' });
    expect(fewer.html).toContain('name="items[0].name" type="text" maxlength="500" value="Second"');
    expect(fewer.html).toContain('name="items[1].name" type="text" maxlength="500" value=""');
    expect(fewer.html).not.toContain('name="items[2].name"');
  });

  test('offers what was found when it is several, and keeps what was typed', async () => {
    await create('/companies', { name: 'Double one' });
    await create('/companies', { name: 'Double two' });
    const fields = { 'company_id.find': 'double', name: 'Lead of doubles' };
    for (const act of ['find', 'save']) {
      const found = await browser.fill('/leads/new', '/leads/new', { ...fields, do: act });
      expect(problemBeside(found.html, 'company_id')).toContain('2 found');
      expect(found.html).toContain('>Double one</option>');
      expect(found.html).toContain('value="Lead of doubles"');
    }
    const none = await browser.fill('/leads/new', '/leads/new', { 'company_id.find': 'zzz', ...save });
    expect([none.status, problemBeside(none.html, 'company_id')]).toEqual([
      422,
      'Nothing was found for “zzz”.',
    ]);
  });

  test.each([
    ['/companies', 'name', { name: 'At once' }],
    ['/tasks', 'title', { title: 'At once' }],
    ['/products', 'name', { name: 'At once', sku: 'AT-ONCE', price: '1' }],
  ])(
    'sent from two tabs at the same instant is saved from one; the other is told: %s',
    async (path, field, made) => {
      const record = await create(path, made);
      for (let round = 0; round < 5; round += 1) {
        const tabs = await Promise.all([0, 1, 2].map(() => browser.get(`${record}/edit`)));
        const sent = await Promise.all(
          tabs.map((tab, index) =>
            browser.submit(tab, `${record}/edit`, { [field]: `Round ${round} tab ${index}`, ...save }),
          ),
        );
        expect(sent.map(({ status }) => status).sort()).toEqual([303, 409, 409]);
        const saved = sent.findIndex(({ status }) => status === 303);
        expect((await browser.get(record)).html).toContain(`Round ${round} tab ${saved}`);
        const told = sent.findIndex(({ status }) => status === 409);
        expect(sent[told]?.html).toContain('Somebody changed this record');
        expect(sent[told]?.html).toContain(`value="Round ${round} tab ${told}"`);
      }
    },
  );
});

describe('a list', () => {
  test('is filtered, searched and sorted as the operation allows, and goes on page by page', async () => {
    const other = await dealkeep.createOrganization();
    const visitor = new Browser(dealkeep);
    await visitor.signIn(other);
    const key = dealkeep.as(other.key);
    for (let index = 0; index < 51; index += 1) {
      await key.post('/companies', { name: `Firm ${String(index).padStart(2, '0')}` });
    }
    const first = await visitor.get('/companies?sort=name');
    expect(first.html).toContain('>Firm 00<');
    expect(first.html).toContain('aria-sort="ascending"');
    expect(first.html).toContain('href="/companies?sort=-name"');
    const next = /rel="next" href="([^"]*)"/.exec(first.html)?.[1]?.replaceAll('&amp;', '&') ?? '';
    const last = await visitor.get(next);
    expect(last.html).toContain('>Firm 50<');
    expect(last.html).not.toContain('>Firm 00<');
    expect(last.html).toContain('rel="prev" href="/companies?sort=name"');
    const outdated = next.replace('cursor=', 'cursor=x');
    expect((await visitor.get(outdated)).location).toBe('/companies?sort=name');
    const found = await visitor.get('/companies?q=Firm+07');
    expect(found.html).toContain('>Firm 07<');
    expect(found.html).not.toContain('>Firm 08<');
    const wrong = await visitor.get('/companies?email=nonsense');
    expect([wrong.status, problemBeside(wrong.html, 'email') !== undefined]).toEqual([400, true]);
  });

  test.each([
    '/companies',
    '/contacts',
    '/clients',
    '/leads',
    '/activities',
    '/tasks',
    '/invoices',
    '/quotes',
    '/bookings',
    '/orders',
    '/products',
  ])('that is empty says what it is for and how to begin: %s', async (path) => {
    const visitor = new Browser(dealkeep);
    await visitor.signIn(await dealkeep.createOrganization());
    const shown = await visitor.get(path);
    expect(shown.status).toBe(200);
    expect(shown.html).toContain('There are none yet.');
    expect(shown.html).toContain('An automation in Zapier, n8n or Activepieces can');
    expect(shown.html).toContain(`href="${path}/new"`);
    expect((await visitor.get(`${path}?q=x`)).html).toContain('Nothing fits these filters.');
  });
});

test('a search shows the best first, with its kind, and leads to one kind alone', async () => {
  const company = await create('/companies', { name: 'Quagga s.r.o.', email: 'Zebra@quagga.example' });
  await create('/tasks', { title: 'Feed the quagga' });
  const { html } = await browser.get('/search?q=quagga');
  const found = textOf(html);
  expect(found.indexOf('Quagga s.r.o.')).toBeLessThan(found.indexOf('Feed the quagga'));
  expect(html).toContain(`href="${company}"`);
  for (const kind of ['Company', 'Task']) expect(html).toContain(`<span class="badge">${kind}</span>`);
  expect(html).toContain('href="/search?q=quagga&amp;types=task"');
  const tasks = await browser.get('/search?q=quagga&types=task,nothing');
  expect(textOf(tasks.html)).toContain('Feed the quagga');
  expect(textOf(tasks.html)).not.toContain('Quagga s.r.o.');
  expect(tasks.html).toContain('href="/search?q=quagga"');
  expect((await browser.get('/search?q=zebra@QUAGGA.example')).html).toContain(`href="${company}"`);
});

test('a search for nothing says what can be typed, and one that finds nothing says so', async () => {
  for (const q of ['', ' ', '%CC%81', '%E2%80%8B', '%00', '%ED%A0%80']) {
    const { status, html } = await browser.get(`/search?q=${q}`);
    expect([status, textOf(html)], q).toEqual([200, expect.stringContaining('Type a name, a number')]);
  }
  const none = textOf((await browser.get('/search?q=nothing+such')).html);
  expect(none).toContain('Nothing was found.');
  expect((await browser.get(`/search?q=${'%F0%9F%9A%B2'.repeat(300)}`)).status).toBe(200);
});

test('only web addresses are links, whatever was stored', async () => {
  const activity = await create('/activities', {
    name: 'Demo',
    start_at: '2026-07-01T09:00',
    video_call_url: 'https://meet.example/a?b=1&c',
  });
  expect((await browser.get(activity)).html).toContain('<a href="https://meet.example/a?b=1&amp;c" rel=');
  await dealkeep.sql`
    update activities set video_call_url = 'javascript:alert(1)'
    where organization_id = ${organization.id} and id = ${idIn(activity)}`;
  const { html } = await browser.get(activity);
  expect(html).toContain('javascript:alert(1)');
  expect(html).not.toContain('href="javascript');
});

test('tags of a lead are edited, which is lead.updated', async () => {
  await inConsole(dealkeep.core, scope, 'tags.add', { name: 'Hot' });
  const record = await create('/leads', { name: 'Tagged' });
  const page = `${record}/tags`;
  expect((await browser.get(record)).html).toContain(`href="${page}"`);
  const wrong = await browser.submit(await browser.get(page), page, { tags: 'Cold', ...save });
  expect([wrong.status, problemBeside(wrong.html, 'tags') !== undefined]).toEqual([422, true]);
  await browser.fill(page, page, { tags: 'Hot', ...save });
  const lead = async () => Object((await api.get(`/leads/${idIn(record)}`)).json).data;
  expect((await lead()).tags).toEqual(['Hot']);
  expect(await typesOf(idIn(record))).toEqual(['lead.created', 'lead.updated']);
  expect((await browser.get(page)).html).toContain('value="Hot" checked');
  const { updated_at: before } = await lead();
  await browser.fill(page, page, { tags: 'Hot', ...save });
  expect((await lead()).updated_at).toBe(before);
  await browser.fill(`${record}/archive`, `${record}/archive`, { ...save });
  expect((await browser.get(page)).status).toBe(409);
});

test.each([
  ['/companies', 'labels', { name: 'Labelled twice' }],
  ['/leads', 'tags', { name: 'Tagged twice' }],
  ['/contacts', 'addresses', { name: 'Addressed twice', company_id: companyId }],
])('what a step replaces as a whole is not replaced by an old form: %s, %s', async (path, step, made) => {
  const record = await create(path, made);
  const action = `${record}/${step}`;
  const tabs = await Promise.all([browser.get(action), browser.get(action)]);
  await browser.fill(`${record}/edit`, `${record}/edit`, { name: 'Renamed meanwhile', ...save });
  for (const tab of tabs) {
    const told = await browser.submit(tab, action, save);
    expect(told.status).toBe(409);
    expect(told.html).toContain('Somebody changed this record');
    expect((await browser.submit(told, action, save)).status).toBe(303);
  }
});

test('of two tabs that give a contact further addresses at the same instant, the second is told', async () => {
  const record = await create('/contacts', { name: 'Two tabs', company_id: companyId });
  const action = `${record}/addresses`;
  const tabs = await Promise.all([browser.get(action), browser.get(action)]);
  const sent = await Promise.all(
    tabs.map((tab, index) =>
      browser.submit(tab, action, { further_emails: `tab-${index}@x.example`, ...save }),
    ),
  );
  expect(sent.map(({ status }) => status).sort()).toEqual([303, 409]);
  const saved = sent.findIndex(({ status }) => status === 303);
  expect((await browser.get(record)).html).toContain(`tab-${saved}@x.example`);
});
