import { sharedDealkeep } from '@dealkeep/testing';
import { describe, expect, test } from 'vitest';
import { textOf } from './page-parts.ts';
import { signedInUser } from './signed-in-user.ts';

const dealkeep = await sharedDealkeep();
const organization = await dealkeep.createOrganization();
const api = dealkeep.as(organization.key);
const save = { do: 'save' };

/** Somebody with a role of these permissions, signed in. */
const person = (permissions: string) => signedInUser(dealkeep, organization, { permissions });
const leadOf = async (name: string, owner_id: string): Promise<string> => {
  const { json } = await api.post('/leads', { name, owner_id });
  return Object(json).data.id;
};

describe('a role that permits seeing only', () => {
  test('is offered no step and no form, and is refused them', async () => {
    const { browser } = await person('leads.view=all');
    const id = await leadOf('Somebody else', organization.ownerId);
    const list = await browser.get('/leads');
    expect(list.html).toContain('Somebody else');
    expect(list.html).not.toContain('/leads/new');
    const record = await browser.get(`/leads/${id}`);
    expect(record.html).not.toContain('/edit"');
    expect(record.html).not.toContain('/archive"');
    const csrf_token = /name="csrf_token" value="([^"]*)"/.exec(record.html)?.[1] ?? '';
    for (const path of ['/leads/new', `/leads/${id}/edit`, `/leads/${id}/archive`]) {
      expect((await browser.get(path)).status, path).toBe(403);
      expect((await browser.post(path, { csrf_token, name: 'x', ...save })).status, path).toBe(403);
    }
    expect((await dealkeep.eventsOf(organization, id)).map(({ type }) => type)).toEqual(['lead.created']);
  });

  test('is not led to what it does not permit, and is told which permission is missing there', async () => {
    const { browser } = await person('leads.view=all');
    const home = await browser.get('/leads');
    for (const path of ['/companies', '/invoices', '/quotes', '/products']) {
      expect(home.html).not.toContain(`href="${path}"`);
      const refused = await browser.get(path);
      expect([refused.status, textOf(refused.html)]).toEqual([403, expect.stringContaining('permission')]);
    }
    await api.post('/companies', { name: 'Hidden from search' });
    expect((await browser.get('/search?q=hidden')).html).not.toContain('Hidden from search');
  });
});

describe('a role for assigned records', () => {
  const rights = 'leads.view=assigned,leads.edit=assigned,leads.create=assigned';

  test('sees, changes and moves its own, and no other exists for it (rule scopes 11)', async () => {
    const { browser, id } = await person(rights);
    const [own, other] = [await leadOf('My own', id), await leadOf('Of others', organization.ownerId)];
    for (const path of ['/leads', '/leads/board', '/search?q=o', `/leads?owner_id=${organization.ownerId}`]) {
      const { html } = await browser.get(path);
      expect(html, path).toContain('My own');
      expect(html, path).not.toContain('Of others');
    }
    expect(textOf((await browser.get('/leads/board')).html)).toContain('1 · €0.00');
    const csrf = await browser.get(`/leads/${own}/archive`);
    for (const path of [`/leads/${other}`, `/leads/${other}/edit`, `/leads/${other}/archive`]) {
      expect((await browser.get(path)).status, path).toBe(404);
    }
    const csrf_token = /name="csrf_token" value="([^"]*)"/.exec(csrf.html)?.[1] ?? '';
    expect((await browser.post(`/leads/${other}/archive`, { csrf_token, ...save })).status).toBe(404);
    expect((await browser.submit(csrf, `/leads/${own}/archive`, save)).status).toBe(303);
  });

  test('owns what it makes, and keeps what it may not see', async () => {
    const { browser, id } = await person(rights);
    const made = await browser.fill('/leads/new', '/leads/new', { name: 'Made by me', ...save });
    expect((await browser.get(made.location ?? '')).html).toContain('Made by me');
    const company = Object((await api.post('/companies', { name: 'Unseen Ltd' })).json).data.id;
    const { json } = await api.post('/leads', { name: 'With company', owner_id: id, company_id: company });
    const page = `/leads/${Object(json).data.id}/edit`;
    expect((await browser.fill(page, page, { name: 'Renamed', ...save })).status).toBe(303);
    const { data } = Object((await api.get(`/leads/${Object(json).data.id}`)).json);
    expect([data.name, data.company.id]).toEqual(['Renamed', company]);
  });
});

test('a role for products and orders sees no invoices, and may not edit without the right', async () => {
  const { browser } = await person('orders.view=all');
  expect((await browser.get('/products')).status).toBe(200);
  expect((await browser.get('/products/new')).status).toBe(403);
  expect((await browser.get('/invoices')).status).toBe(403);
});
