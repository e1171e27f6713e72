import { createRole, updateOrganization } from '@dealkeep/core/accounts';
import { addUser, Browser, sharedDealkeep } from '@dealkeep/testing';
import { describe, expect, test } from 'vitest';
import {
  changedMeanwhile,
  fromOffer,
  mendedInOneRound,
  plain,
  required,
  taken,
} from './mended-in-one-round.ts';
import { problemBeside } from './page-parts.ts';
import { type SignedInOwner, signedInOwner } from './signed-in-owner.ts';

const dealkeep = await sharedDealkeep();
const { core, sql } = dealkeep;
const save = { do: 'save' };

/** An owner who is signed in, in an organization of their own. */
const owner = () => signedInOwner(dealkeep);

const lists = '/settings/lists';

describe('a list to choose from', () => {
  const named = async (api: SignedInOwner['api'], name: string) => {
    const services: { id: string; name: string }[] = Object((await api.get('/booking-services')).json).data;
    return services.find((each) => each.name === name);
  };
  const ride = { name: 'Ride', duration_minutes: '45', price: '12.50', currency: 'EUR' };
  const wrong = { name: 'RIDE', price: '1,23', duration_minutes: '-5', currency: 'euro' };
  const said = {
    name: taken,
    price: /1\.23/,
    duration_minutes: 'This must be at least 1.',
    currency: /./,
  };
  const mended = { name: 'Longer ride', price: '123', duration_minutes: '90', currency: 'EUR' };

  test('an entry that another tab changed: that, too', async () => {
    const { browser, api } = await owner();
    const add = `${lists}/booking-services/new`;
    await browser.fill(add, add, { ...ride, ...save });
    await browser.fill(add, add, { ...ride, name: 'Walk', ...save });
    const path = `${lists}/booking-services/${(await named(api, 'Walk'))?.id}/edit`;
    const stale = await browser.get(path);
    await browser.fill(path, path, { name: 'Stroll', ...save });
    await mendedInOneRound(browser, { path, wrong, said, mended, alerts: [changedMeanwhile] }, stale);
  });

  test('a doubt does not hide for good that another tab changed the entry', async () => {
    const { browser, api } = await owner();
    const add = `${lists}/booking-services/new`;
    await browser.fill(add, add, { ...ride, ...save });
    const path = `${lists}/booking-services/${(await named(api, 'Ride'))?.id}/edit`;
    const stale = await browser.get(path);
    await browser.fill(path, path, { name: 'Stroll', ...save });
    const asked = await browser.submit(stale, path, { price: '1,23', ...save });
    expect([asked.status, plain(asked.html)]).toEqual([409, expect.stringContaining(changedMeanwhile)]);
    expect(problemBeside(asked.html, 'price')).toContain('1.23');
  });
});

describe('a person', () => {
  test('who is invited: an address that is taken or invited, beside a role that has vanished', async () => {
    const { browser, organization } = await owner();
    const path = '/settings/users/invitations/new';
    const invited = `eva@${organization.slug}.example`;
    await browser.fill(path, path, { email: invited, role: 'owner', ...save });
    const gone = 'Sales';
    for (const [email, words] of [
      [organization.ownerEmail, /already/],
      [invited.toUpperCase(), /already|invited/],
      ['no address', /./],
      ['', required],
    ] as const) {
      const { slug } = organization;
      await createRole(core, { organization: slug, name: gone, permissions: 'leads.view=all' });
      const form = await browser.get(path);
      await sql`delete from roles where organization_id = ${organization.id} and name = ${gone}`;
      const mended = { email: `new${Math.random()}@${slug}.example`, role: 'owner' };
      const said = { email: words, role: fromOffer };
      await mendedInOneRound(browser, { path, wrong: { email, role: gone }, said, mended }, form);
    }
  });

  test('a missing name, beside a role that has vanished, or that nobody would be an owner any more', async () => {
    const { browser, organization } = await owner();
    await createRole(core, { organization: organization.slug, name: 'Sales', permissions: 'leads.view=all' });
    const path = `/settings/users/${organization.ownerId}/edit`;
    const mended = { name: 'Jana', role: 'owner' };
    for (const [role, words] of [
      ['Gone', fromOffer],
      ['Sales', /owner/],
    ] as const) {
      const said = { name: required, role: words };
      await mendedInOneRound(browser, { path, wrong: { name: ' ', role }, said, mended });
    }
  });
});

test('a role: what is wrong with its name and permissions, and that another tab was quicker', async () => {
  const { browser, organization } = await owner();
  for (const name of ['Taken', 'Sales']) {
    await createRole(core, { organization: organization.slug, name, permissions: 'leads.view=all' });
  }
  const [role] = await sql<{ id: string }[]>`
    select id from roles where organization_id = ${organization.id} and name = 'Sales'`;
  const path = `/settings/roles/${role?.id}/edit`;
  const stale = await browser.get(path);
  await browser.fill(path, path, { name: 'Quicker', ...save });
  await mendedInOneRound(
    browser,
    {
      path,
      wrong: { name: 'Taken', 'permissions.leads.view': 'everything' },
      said: { name: taken, 'permissions.leads.view': /./ },
      alerts: [changedMeanwhile],
      mended: { name: 'Free', 'permissions.leads.view': 'all' },
    },
    stale,
  );
});

describe('a webhook', () => {
  const path = '/integrations/webhooks/new';
  const target_url = 'http://127.0.0.1:9/hook';
  const good = { name: 'Orders', target_url, events: 'order.created' };
  const gone = '0198a000-0000-7000-8000-000000000001';
  const wrong = { target_url: 'https://eva:secret@example.com', events: 'order.made', notify_user_ids: gone };
  const said = { target_url: /user name/, events: fromOffer, notify_user_ids: fromOffer };

  test('that is new: its events, its target, whom it tells, and that there are too many', async () => {
    const { browser, organization } = await owner();
    const limited = (maxWebhooks: number) => updateOrganization(sql, organization.slug, { maxWebhooks });
    await limited(1);
    await browser.fill(path, path, { ...good, ...save });
    for (const name of ['', 'Orders']) {
      await mendedInOneRound(browser, {
        path,
        wrong: { ...wrong, name },
        said: name === '' ? { ...said, name: required } : said,
        alerts: ['maximum of 1 '],
        mended: { ...good, notify_user_ids: organization.ownerId },
        meanwhile: () => limited(10),
      });
      await limited(1);
    }
  });
});

test('a new password that is short is told also to whoever has to wait', async () => {
  const { browser } = await owner();
  const path = '/settings/account/password';
  const wrong = { current_password: 'a wrong guess', password: 'short', ...save };
  for (let guess = 0; guess < 5; guess += 1) await browser.fill(path, path, wrong);
  const told = await browser.fill(path, path, wrong);
  expect([told.status, problemBeside(told.html, 'password')]).toEqual([
    429,
    'At least 10 characters are needed.',
  ]);
  expect(plain(told.html)).toMatch(/Too many|wait/i);
});

test('who accepts an invitation to an address that signs in already is told so beside a missing name', async () => {
  const { browser, organization } = await owner();
  const known = await dealkeep.createOrganization();
  const path = '/settings/users/invitations/new';
  const made = await browser.fill(path, path, { email: known.ownerEmail, role: 'owner', ...save });
  await sql`update invitations set by_mail = true where organization_id = ${organization.id}`;
  const link = /id="secret"[^>]*value="([^"]*)"/.exec(made.html)?.[1]?.replace(core.origin, '') ?? '';
  const token = new URL(link, 'http://own').searchParams.get('token') ?? '';
  const visitor = new Browser(dealkeep);
  for (const password of ['some other password', 'short']) {
    const form = await visitor.get(link);
    const refused = await visitor.submit(form, '/invitation', { token, name: ' ', password, do: 'begin' });
    expect([refused.status, problemBeside(refused.html, 'name')]).toEqual([
      422,
      expect.stringMatching(required),
    ]);
    expect(problemBeside(refused.html, 'password')).toMatch(/sign/i);
  }
});

describe('a record', () => {
  test("a company's own fields: a number in doubt, a date that is none, and what is missing", async () => {
    const { browser, api } = await owner();
    const list = `${lists}/custom-fields/new`;
    for (const fields of [
      { name: 'Turnover', type: 'number', required: 'false' },
      { name: 'Since', type: 'date', required: 'false' },
      { name: 'Segment', type: 'text', required: 'true' },
    ]) {
      await browser.fill(list, list, { ...fields, ...save });
    }
    const { data: company } = await api.post('/companies', { name: 'Acme' });
    const path = `/companies/${company.id}/labels`;
    const wrong = { 'custom_fields.Turnover': '1,23', 'custom_fields.Since': 'long ago' };
    const said = {
      'custom_fields.Turnover': /1\.23/,
      'custom_fields.Since': 'This is not a date.',
      'custom_fields.Segment': required,
    };
    const mended = {
      'custom_fields.Turnover': '123',
      'custom_fields.Since': '2020-01-01',
      'custom_fields.Segment': 'Bikes',
    };
    await mendedInOneRound(browser, { path, wrong, said, mended });
    // Another tab was quicker.
    const stale = await browser.get(path);
    await browser.fill(path, path, { 'custom_fields.Segment': 'Quicker', ...save });
    const emptied = { ...wrong, 'custom_fields.Segment': '' };
    await mendedInOneRound(
      browser,
      { path, wrong: emptied, said, mended, alerts: [changedMeanwhile] },
      stale,
    );
  });

  test('a product: a number in doubt, a SKU that is taken, two primary images, and what is missing', async () => {
    const { browser, api } = await owner();
    const path = '/products/new';
    await browser.fill(path, path, { name: 'Bike', sku: 'BIKE-1', price: '450', ...save });
    const image = (row: number, primary: string) => ({
      [`images[${row}].url`]: `https://example.com/${row}.jpg`,
      [`images[${row}].is_primary`]: primary,
      [`images[${row}].title`]: 'Bike',
      [`images[${row}].alt_text`]: 'A bike',
    });
    const wrong = { name: ' ', sku: 'BIKE-1', price: '1,23', ...image(0, 'true'), ...image(1, 'true') };
    const said = { name: required, sku: /BIKE-1/, price: /1\.23/, 'images[1].is_primary': /./ };
    const mended = { name: 'Bike 2', sku: 'BIKE-2', price: '123', ...image(1, 'false') };
    await mendedInOneRound(browser, { path, wrong, said, mended });
    // Also of one that the contract takes, and of one that another tab changed.
    const onlyOurs = { ...wrong, name: 'Bike 3', price: '123' };
    const { name: _, price: __, ...ofOnlyOurs } = said;
    await mendedInOneRound(browser, {
      path,
      wrong: onlyOurs,
      said: ofOnlyOurs,
      mended: { ...mended, sku: 'BIKE-3' },
    });
    const products: { sku: string; uuid: string }[] = Object((await api.get('/products')).json).data;
    const edit = `/products/${products.find(({ sku }) => sku === 'BIKE-3')?.uuid}/edit`;
    const stale = await browser.get(edit);
    await browser.fill(edit, edit, { name: 'Quicker', ...save });
    const again = { ...mended, name: 'Bike 4', sku: 'BIKE-4' };
    await mendedInOneRound(
      browser,
      { path: edit, wrong, said, mended: again, alerts: [changedMeanwhile] },
      stale,
    );
  });

  test('a quote: whom it is for has vanished, a sum that is too large, a number in doubt, and what is missing', async () => {
    const { browser, api } = await owner();
    const { data: company } = await api.post('/companies', { name: 'Acme' });
    const gone = '0198a000-0000-7000-8000-000000000001';
    const large = {
      'items[1].name': 'Shop',
      'items[1].unit_price': '1000000000000',
      'items[1].quantity': '2',
    };
    const wrong = {
      'items[0].name': ' ',
      'items[0].unit_price': '1,23',
      ...large,
      currency: 'euro',
      'client_id.customer': `company:${gone}`,
      lead_id: gone,
    };
    const said = {
      'items[0].name': required,
      'items[0].unit_price': /1\.23/,
      'items[1]': /./,
      currency: /./,
      client_id: fromOffer,
      lead_id: fromOffer,
    };
    const mended = {
      'items[0].name': 'Bike',
      'items[0].unit_price': '123',
      'items[1].quantity': '1',
      'client_id.customer': `company:${company.id}`,
      lead_id: '',
      currency: 'EUR',
    };
    const path = '/quotes/new';
    await mendedInOneRound(browser, { path, wrong, said, mended: { ...mended, 'items[1].unit_price': '5' } });
    // Of each row.
    const rows = {
      'items[0].name': 'Bike',
      'items[0].unit_price': '1000000000000',
      'items[0].quantity': '3',
    };
    await mendedInOneRound(browser, {
      path,
      wrong: { ...rows, ...large, company_id: company.id },
      said: { 'items[0]': /./, 'items[1]': /./ },
      mended: { 'items[0].quantity': '0.1', 'items[1].quantity': '0.1' },
    });
    // Also where the contract takes it all, and only the console asks whom it is for.
    const nobody = { 'items[0].name': 'Bike', 'items[0].unit_price': '123', ...large };
    await mendedInOneRound(browser, {
      path,
      wrong: { ...nobody, lead_id: '' },
      said: { client_id: /^Say who/, 'items[1]': /./ },
      mended: { ...mended, 'items[1].unit_price': '5' },
    });
  });

  test('a task that another tab changed', async () => {
    const { browser, api, organization } = await owner();
    await addUser(dealkeep, organization, { role: 'owner' });
    const { data: task } = await api.post('/tasks', { title: 'Pack' });
    const path = `/tasks/${task.id}/edit`;
    const stale = await browser.get(path);
    await browser.fill(path, path, { description: 'Quicker', ...save });
    const wrong = { title: ' ', due_date: 'soon' };
    const said = { title: required, due_date: /./ };
    const mended = { title: 'Pack', due_date: '2030-01-01' };
    await mendedInOneRound(browser, { path, wrong, said, mended, alerts: [changedMeanwhile] }, stale);
  });
});
