import { Browser, connectedUser, sharedDealkeep, type VisitedPage } from '@dealkeep/testing';
import { describe, expect, test } from 'vitest';
import { selectedIn, textOf } from './page-parts.ts';
import { signedInOwner } from './signed-in-owner.ts';
import { signedInUser } from './signed-in-user.ts';

const dealkeep = await sharedDealkeep();
const { sql } = dealkeep;
const path = '/settings/roles';
const save = { do: 'save' };

const owner = () => signedInOwner(dealkeep);
const csrfOn = ({ html }: VisitedPage): string => /name="csrf_token" value="([^"]*)"/.exec(html)?.[1] ?? '';
const make = (browser: Browser, fields: Record<string, string>) =>
  browser.fill(`${path}/new`, `${path}/new`, { name: 'Sales', ...fields, ...save });

/** The address of a role. */
async function roleAt(organization: string, name: string): Promise<string> {
  const [role] = await sql<{ id: string }[]>`
    select id from roles where organization_id = ${organization} and name = ${name}`;
  return `${path}/${role?.id}`;
}

/** Somebody with a role, signed in. */
async function memberOf(slug: string, role: string): Promise<Browser> {
  return (await signedInUser(dealkeep, { slug }, { role })).browser;
}

describe('the table of permissions', () => {
  test('has a heading for each record and right, and each choice is named by both', async () => {
    const { browser } = await owner();
    const { html } = await browser.get(`${path}/new`);
    const selects = [...html.matchAll(/<select name="permissions\.[^>]*aria-labelledby="([^"]*)"/g)];
    expect(selects).toHaveLength(30);
    for (const [, ids = ''] of selects) {
      for (const id of ids.split(' '))
        expect(html).toMatch(new RegExp(`<th role="(?:row|column)header" scope="(?:row|col)" id="${id}">`));
    }
    expect(textOf(html)).toContain('Leads None Assigned All');
  });

  test('offers assigned records only where records are assigned to people', async () => {
    const { browser, organization } = await owner();
    const optionsOf = (html: string, name: string) =>
      textOf(html.split(`<select name="permissions.${name}"`)[1]?.split('</select>')[0] ?? '');
    const { html } = await browser.get(`${path}/new`);
    expect(optionsOf(html, 'tasks.view')).toContain('Assigned');
    expect(optionsOf(html, 'budget.view')).not.toContain('Assigned');
    // What an operator said stays visible, and is kept.
    await make(browser, { 'permissions.budget.view': 'all' });
    await sql`update roles set permissions = '{"budget.view": "assigned"}' where organization_id = ${organization.id}`;
    const page = `${await roleAt(organization.id, 'Sales')}/edit`;
    expect(selectedIn((await browser.get(page)).html, 'permissions.budget.view')).toBe('Assigned');
  });
});

describe('a role', () => {
  test('is made, shown with what it permits and who has it, and permits that and nothing else', async () => {
    const { browser, organization } = await owner();
    expect(textOf((await browser.get(path)).html)).toContain('There is no role yet');
    const fields = { 'permissions.leads.view': 'all', 'permissions.leads.edit': 'assigned' };
    expect((await make(browser, { name: 'Sales <b>', ...fields })).location).toBe(`${path}?done=made`);
    const eva = await memberOf(organization.slug, 'Sales <b>');
    const list = await browser.get(path);
    expect(list.html).toContain('Sales &lt;b&gt;');
    expect(textOf(list.html)).toContain('Leads Eva');
    const [role] = await sql`select permissions from roles where organization_id = ${organization.id}`;
    expect(role?.['permissions']).toEqual({ 'leads.view': 'all', 'leads.edit': 'assigned' });
    expect([(await eva.get('/leads')).status, (await eva.get('/companies')).status]).toEqual([200, 403]);
  });

  test('refuses a permission that there is not', async () => {
    const { browser, organization } = await owner();
    const form = await browser.get(`${path}/new`);
    const forged = { name: 'Forged', 'permissions.leads.view': 'everything', ...save };
    const refused = await browser.submit(form, `${path}/new`, forged);
    expect(refused.status).toBe(422);
    expect(refused.html).toContain('id="problem-permissions.leads.view"');
    expect(await sql`select from roles where organization_id = ${organization.id}`).toEqual([]);
  });

  test('that changes counts at once for open sessions and connected apps', async () => {
    const { browser, organization } = await owner();
    const person = await connectedUser(dealkeep, organization, 'leads.view=all');
    const [row] = await sql<
      { id: string }[]
    >`select id from roles where organization_id = ${organization.id}`;
    const eva = new Browser(dealkeep);
    await eva.signInAs(person.email);
    const app = dealkeep.as(person.token);
    expect([(await eva.get('/leads')).status, (await app.get('/leads')).status]).toEqual([200, 200]);
    const page = `${path}/${row?.id}/edit`;
    const changed = { name: 'Bookkeeping', 'permissions.leads.view': '', 'permissions.budget.view': 'all' };
    expect((await browser.fill(page, page, { ...changed, ...save })).location).toBe(`${path}?done=saved`);
    expect([(await eva.get('/leads')).status, (await eva.get('/invoices')).status]).toEqual([403, 200]);
    expect((await app.get('/leads')).outcome).toBe('403 ROLE_PERMISSION_MISSING');
    expect(textOf((await eva.get('/settings/account')).html)).toContain('Role Bookkeeping');
  });

  test('is told when another tab was quicker', async () => {
    const { browser, organization } = await owner();
    await make(browser, { 'permissions.leads.view': 'all' });
    const page = `${await roleAt(organization.id, 'Sales')}/edit`;
    const form = await browser.get(page);
    await browser.fill(page, page, { 'permissions.tasks.view': 'all', ...save });
    const told = await browser.submit(form, page, { 'permissions.orders.view': 'all', ...save });
    expect([told.status, selectedIn(told.html, 'permissions.orders.view')]).toEqual([409, 'All']);
    const [role] = await sql`select permissions from roles where organization_id = ${organization.id}`;
    expect(role?.['permissions']).toEqual({ 'leads.view': 'all', 'tasks.view': 'all' });
  });

  test('is removed only once nobody has it, active or not (rule scopes 12)', async () => {
    const { browser, organization } = await owner();
    await make(browser, {});
    const page = `${await roleAt(organization.id, 'Sales')}/remove`;
    const asking = await browser.get(page);
    await memberOf(organization.slug, 'Sales');
    await sql`update memberships set active = false where organization_id = ${organization.id} and name = 'Eva'`;
    const refused = await browser.submit(asking, page, {});
    expect([refused.status, textOf(refused.html)]).toEqual([409, expect.stringContaining('Eva')]);
    const again = await browser.get(page);
    expect([again.status, textOf(again.html)]).toEqual([409, expect.stringContaining('Eva')]);
    await sql`update memberships set role_id = null where organization_id = ${organization.id} and name = 'Eva'`;
    expect((await browser.fill(page, page, {})).location).toBe(`${path}?done=removed`);
    expect((await browser.get(page)).status).toBe(404);
  });
});

test('who is no owner is led to no role and refused in words; a role of another organization does not exist', async () => {
  const [mine, theirs] = [await owner(), await owner()];
  await make(theirs.browser, {});
  const role = await roleAt(theirs.organization.id, 'Sales');
  const eva = await memberOf(theirs.organization.slug, 'Sales');
  const own = await eva.get('/settings/account');
  expect(own.html).not.toContain(`href="${path}"`);
  const posts = [`${path}/new`, `${role}/edit`, `${role}/remove`];
  const give = { name: 'All', 'permissions.users.view': 'all', ...save };
  for (const address of [path, ...posts]) {
    const refused = await eva.get(address);
    expect([refused.status, textOf(refused.html)]).toEqual([403, expect.stringContaining('Only owners')]);
  }
  for (const address of posts) {
    expect((await eva.post(address, { csrf_token: csrfOn(own), ...give })).status).toBe(403);
  }
  const csrf_token = csrfOn(await mine.browser.get(path));
  for (const address of [`${role}/edit`, `${role}/remove`]) {
    expect((await mine.browser.get(address)).status).toBe(404);
    expect((await mine.browser.post(address, { csrf_token, ...give })).status).toBe(404);
  }
  const [kept] =
    await sql`select name, permissions from roles where organization_id = ${theirs.organization.id}`;
  expect(kept).toEqual({ name: 'Sales', permissions: {} });
});
