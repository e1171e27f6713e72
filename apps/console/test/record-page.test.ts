import { Browser, sharedDealkeep } from '@dealkeep/testing';
import { defaultPipeline } from '@dealkeep/testing/business';
import { describe, expect, test } from 'vitest';
import { textOf } from './page-parts.ts';
import { signedInUser } from './signed-in-user.ts';

const dealkeep = await sharedDealkeep();
const organization = await dealkeep.createOrganization();
const api = dealkeep.as(organization.key);
const browser = new Browser(dealkeep);
await browser.signIn(organization);

const make = async (path: Parameters<typeof api.post>[0], body: object): Promise<string> => {
  const { status, json } = await api.post(path, body);
  expect(status).toBe(201);
  const { data } = Object(json);
  return data.id ?? data.uuid;
};
const typesOf = async (id: string) => (await dealkeep.eventsOf(organization, id)).map(({ type }) => type);
const part = (html: string, id: string): string => html.split(`id="${id}"`)[1]?.split('</section>')[0] ?? '';

test('an item of an order is called by its name, which leads to the product', async () => {
  const made = await browser.fill('/products/new', '/products/new', {
    sku: 'LAMP-1',
    name: 'Lamp',
    price: '20',
    do: 'save',
  });
  const product = /\/products\/([\w-]+)/.exec(made.location ?? '')?.[1] ?? '';
  const items = [
    { product_uuid: product, quantity: 1 },
    { sku: 'DELIVERY', unit_price: 5, quantity: 1 },
  ];
  const order = await make('/orders', { customer: {}, items });
  const { html } = await browser.get(`/orders/${order}`);
  expect(html).toContain(`data-label="Item"><a href="/products/${product}">Lamp</a></td>`);
  expect(html.match(/data-label="Item"><a /g)).toHaveLength(1);
  expect(html).not.toMatch(/<th scope="col">Product|>Show</);
  // Nobody noted anything at an item.
  expect(html).not.toContain('<th scope="col">Notes</th>');
});

test('what has parts, such as whom an invoice is for, is said by its parts, not once more above them', async () => {
  const company = await make('/companies', { name: 'Acme' });
  const invoice = await make('/invoices', {
    company_id: company,
    items: [{ name: 'Advice', quantity: 1, unit_price: 5, vat_rate: 0 }],
  });
  const { html } = await browser.get(`/invoices/${invoice}`);
  const facts = html.split('<div class="facts">')[1]?.split('</section>')[0] ?? '';
  expect(facts).not.toMatch(/<dd><dl>/);
  expect(facts.match(/<dt>Customer<\/dt>/g)).toHaveLength(1);
  expect(facts).toContain(`<a href="/companies/${company}">Acme</a>`);
});

describe('the stages of a lead', () => {
  test('stand as a bar, and a press moves it', async () => {
    const lead = await make('/leads', { name: 'Fleet' });
    const { stages } = await defaultPipeline(api);
    const page = await browser.get(`/leads/${lead}`);
    const bar = page.html.split('<ol class="stages"')[1]?.split('</ol>')[0] ?? '';
    expect(textOf(bar)).toContain('New');
    expect(/aria-current="step"><span>([^<]*)/.exec(bar)?.[1]).toBe('New');
    const moved = await browser.submit(page, `/leads/${lead}/move`, { stage_id: stages['Won'] ?? '' });
    expect(moved.location).toBe(`/leads/${lead}?done=move`);
    expect(await typesOf(lead)).toEqual(['lead.created', 'lead.stage_changed', 'lead.won']);
    const { html } = await browser.get(`/leads/${lead}`);
    expect(html).toMatch(/<li class="now good" aria-current="step"><span>Won/);
    // One moment of one record is one entry.
    expect(textOf(part(html, 'timeline'))).toMatch(/Lead won .*Status: Open → Won Stage: New → Won/);
    expect(textOf(part(html, 'timeline'))).not.toContain('Lead stage changed');
  });

  test('ask for a reason where a lead is lost, with the stage chosen', async () => {
    const lead = await make('/leads', { name: 'Fleet' });
    const { stages } = await defaultPipeline(api);
    const { html } = await browser.get(`/leads/${lead}`);
    const address = `/leads/${lead}/move?stage_id=${stages['Lost']}`;
    expect(html).toContain(`href="${address}"`);
    const asked = await browser.get(address);
    expect(asked.html).toContain(`<option value="${stages['Lost']}" selected>`);
    expect(asked.html).toContain('name="lost_note"');
    expect(await typesOf(lead)).toEqual(['lead.created']);
  });
});

test('an order shows where it stands, and the one sensible next step before the others', async () => {
  const order = await make('/orders', { customer: {}, items: [{ sku: 'X', unit_price: 5, quantity: 1 }] });
  const page = await browser.get(`/orders/${order}`);
  expect(page.html).toMatch(/<li class="now" aria-current="step"><span>New/);
  const [main = '', menu = ''] = (page.html.split('class="choices steps"')[1] ?? '').split('<details');
  expect(textOf(`<i ${main}>`)).toContain('Confirm order');
  expect(textOf(menu.split('</details>')[0] ?? '')).toContain('Mark as paid');
  await browser.submit(page, `/orders/${order}/confirmed`, {});
  const { html } = await browser.get(`/orders/${order}`);
  expect(html).toMatch(/<li class="done"><span>New.*<li class="now" aria-current="step"><span>Confirmed/s);
  expect(textOf(part(html, 'timeline'))).toMatch(
    /Order confirmed Jana Horváthová · .*Status: New → Confirmed/,
  );
  await browser.submit(await browser.get(`/orders/${order}/cancelled`), `/orders/${order}/cancelled`, {
    do: 'save',
  });
  expect((await browser.get(`/orders/${order}`)).html).toMatch(
    /<li class="now bad" aria-current="step"><span>Cancelled/,
  );
});

describe('the note', () => {
  test('is shown with links that lead there, and nothing in it is markup', async () => {
    const note = 'See https://example.com/a?b=1&c=2. <script>alert(1)</script>\njavascript:alert(2)';
    const company = await make('/companies', { name: 'Tatra', note });
    const { html } = await browser.get(`/companies/${company}`);
    expect(html).toContain('href="https://example.com/a?b=1&amp;c=2" rel="noreferrer noopener"');
    expect(html).not.toContain('<script>alert');
    expect(html).not.toContain('href="javascript:');
  });

  test('is changed in place; what was typed stays when somebody changed the record meanwhile', async () => {
    const company = await make('/companies', { name: 'Tatra' });
    const address = `/companies/${company}`;
    const page = await browser.get(address);
    const saved = await browser.submit(page, `${address}/note`, { note: 'Call in the morning.' });
    expect(saved.location).toBe(`${address}?done=save`);
    expect((await browser.get(address)).html).toContain('Call in the morning.');
    // The same page, sent again, is of a record that has changed since.
    const late = await browser.submit(await stale(page), `${address}/note`, { note: 'Mine.' });
    expect(late.status).toBe(409);
    expect(late.html).toContain('>Mine.</textarea>');
    expect(late.html).toContain('Call in the morning.');
  });
});

/** A page as it was, with a token that was not used. */
const stale = async (page: Awaited<ReturnType<Browser['get']>>) => ({
  ...page,
  html: page.html.replaceAll(
    /name="form_token" value="[^"]*"/g,
    `name="form_token" value="${crypto.randomUUID()}"`,
  ),
});

describe('what is to be done', () => {
  test('a task is one line and Enter, and done by one press', async () => {
    const company = await make('/companies', { name: 'Tatra' });
    const lead = await make('/leads', { name: 'Fleet', company_id: company });
    const address = `/leads/${lead}`;
    const added = await browser.submit(await browser.get(address), `${address}/tasks`, {
      title: 'Send an offer',
    });
    expect(added.location).toBe(`${address}?done=save#tasks`);
    const page = await browser.get(address);
    const task = /<a href="\/tasks\/([^"]*)">Send an offer/.exec(part(page.html, 'tasks'))?.[1] ?? '';
    const { data } = await api.get(`/tasks/${task}`);
    expect(data).toMatchObject({
      title: 'Send an offer',
      lead: { id: lead },
      company: { id: company },
      assignees: [{ id: organization.ownerId }],
    });
    const done = await browser.submit(page, `/tasks/${task}/complete`, { back: `${address}#tasks` });
    expect(done.location).toContain(address);
    const { html } = await browser.get(address);
    expect(part(html, 'tasks')).not.toContain('Send an offer');
    expect(textOf(part(html, 'timeline'))).toMatch(
      /Task completed : Send an offer .*Task created : Send an offer/,
    );
  });

  test('an activity is a name and a time, in the time zone of the organization', async () => {
    const company = await make('/companies', { name: 'Tatra' });
    const contact = await make('/contacts', { name: 'Peter', company_id: company });
    const address = `/contacts/${contact}`;
    const page = await browser.get(address);
    expect(part(page.html, 'tasks')).toBe('');
    await browser.submit(page, `${address}/activities`, { name: 'Call', start_at: '2027-01-05T09:00' });
    const { html } = await browser.get(address);
    const activity = /<a href="\/activities\/([^"]*)">Call/.exec(part(html, 'activities'))?.[1];
    const { data } = await api.get(`/activities/${activity}`);
    expect(data).toMatchObject({ start_at: '2027-01-05T08:00:00.000Z', contact: { id: contact } });
  });

  test('what is refused is said beside what was typed', async () => {
    const company = await make('/companies', { name: 'Tatra' });
    const address = `/companies/${company}`;
    const typed = 'x'.repeat(300);
    const refused = await browser.submit(await browser.get(address), `${address}/tasks`, { title: typed });
    expect(refused.status).toBe(422);
    expect(part(refused.html, 'tasks')).toContain('role="alert"');
    expect(part(refused.html, 'tasks')).toContain(typed);
  });
});

test('what belongs to a record stands beside it: how many, the newest, and a way to add another', async () => {
  const company = await make('/companies', { name: 'Tatra' });
  for (let number = 1; number <= 4; number += 1) {
    await make('/leads', { name: `Lead ${number}`, company_id: company, value: number * 10 });
  }
  const { html } = await browser.get(`/companies/${company}`);
  const leads =
    html.split(`<a href="/leads?company_id=${company}">Leads</a>`)[1]?.split('</section>')[0] ?? '';
  expect(textOf(leads)).toMatch(/^4 Add : Lead Lead 4 Open €40.00 Lead 3 Open €30.00 Lead 2 Open €20.00$/);
  expect(html).toContain(`href="/leads/new?company_id=${company}"`);
  expect(html).toContain(`href="/invoices/new?company_id=${company}"`);
  // What is not filled in is left out.
  expect(textOf(html)).not.toContain('Tax no.');
});

test('the timeline is filtered and goes on by pages', async () => {
  const company = await make('/companies', { name: 'Tatra' });
  await make('/tasks', { title: 'Call', company_id: company });
  for (let number = 1; number <= 21; number += 1) {
    await api.patch(`/companies/${company}`, { phone: `+4219050000${number + 10}` });
  }
  const address = `/companies/${company}`;
  const first = part((await browser.get(address)).html, 'timeline');
  expect(textOf(first)).toContain('Phone: +421905000030 → +421905000031');
  expect(textOf(first)).not.toContain('Company created');
  const older =
    /<a href="([^"]*)">Older/.exec(first)?.[1]?.replaceAll('&amp;', '&').replace('#timeline', '') ?? '';
  const second = part((await browser.get(older)).html, 'timeline');
  expect(textOf(second)).toMatch(/Phone: \+421905000011 .*Task created : Call .*Company created/);
  const activities = part((await browser.get(`${address}?timeline=activities`)).html, 'timeline');
  expect(textOf(activities)).toContain('Task created : Call');
  expect(textOf(activities)).not.toContain('Phone');
});

test('a role sees and does on the page what it permits', async () => {
  const company = await make('/companies', { name: 'Tatra', note: 'Known' });
  await make('/tasks', { title: 'Secret task', company_id: company });
  await make('/leads', { name: 'Secret lead', company_id: company });
  const permissions = 'companies.view=all,activities.view=all';
  const { browser: looking } = await signedInUser(dealkeep, organization, { permissions });
  const address = `/companies/${company}`;
  const { html } = await looking.get(address);
  expect(html).toContain('Known');
  expect(html).not.toContain('Secret');
  for (const form of ['note', 'tasks', 'activities']) expect(html).not.toContain(`${address}/${form}"`);
  const csrf_token = /name="csrf_token" value="([^"]*)"/.exec(html)?.[1] ?? '';
  for (const form of ['note', 'tasks', 'activities']) {
    const sent = { csrf_token, note: 'x', title: 'x', name: 'x', start_at: '2027-01-05T09:00' };
    expect((await looking.post(`${address}/${form}`, sent)).status, form).toBe(403);
  }
  const other = new Browser(dealkeep);
  await other.signIn(await dealkeep.createOrganization());
  expect((await other.get(address)).status).toBe(404);
});
