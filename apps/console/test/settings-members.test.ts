import { createRole } from '@dealkeep/core/accounts';
import {
  addUser,
  Browser,
  connectedUser,
  inConsole,
  ownerPassword,
  sharedDealkeep,
  type TestOrganization,
  type VisitedPage,
} from '@dealkeep/testing';
import { describe, expect, test } from 'vitest';
import { selectedIn, textOf } from './page-parts.ts';
import { signedInOwner } from './signed-in-owner.ts';

const dealkeep = await sharedDealkeep();
const { core, sql } = dealkeep;
const path = '/settings/users';
const save = { do: 'save' };

/** An owner who is signed in, in an organization of their own with a role. */
async function owner() {
  const { organization, browser } = await signedInOwner(dealkeep);
  await createRole(core, { organization: organization.slug, name: 'Sales', permissions: 'leads.view=all' });
  return { organization, browser, self: `${path}/${organization.ownerId}` };
}

const csrfOn = ({ html }: VisitedPage): string => /name="csrf_token" value="([^"]*)"/.exec(html)?.[1] ?? '';

/** Somebody of the role; answers the address of their page. */
async function added({ slug }: TestOrganization, { role = 'Sales' } = {}) {
  const person = { name: 'Eva Nová', email: `eva@${slug}.example`, role };
  const { id } = await addUser(dealkeep, { slug }, person);
  return `${path}/${id}`;
}

async function signedInAs(email: string, password = ownerPassword): Promise<Browser> {
  const browser = new Browser(dealkeep);
  await browser.submit(await browser.get('/sign-in'), '/sign-in', { email, password });
  return browser;
}
const isIn = async (browser: Browser) => (await browser.get('/settings/account')).status === 200;

describe('a change of a person', () => {
  test("counts at once: name and role; an e-mail address is not an owner's to change", async () => {
    const { browser, organization } = await owner();
    const page = await added(organization);
    const eva = await signedInAs(`eva@${organization.slug}.example`);
    const form = await browser.get(`${page}/edit`);
    expect(selectedIn(form.html, 'role')).toBe('Sales');
    const email = `eva@${organization.slug}.example`;
    const done = await browser.submit(form, `${page}/edit`, {
      name: 'Eva N.',
      email: `eva.nova@${organization.slug}.example`,
      role: 'owner',
      ...save,
    });
    expect(done.location).toBe(`${page}?done=saved`);
    expect((await eva.get('/companies')).status).toBe(200);
    expect((await eva.get('/settings/account')).html).toContain(email);
    const users = Object((await dealkeep.as(organization.key).get('/users?q=eva')).json).data;
    expect(users).toMatchObject([{ name: 'Eva N.', email }]);
  });

  test('is told when another tab was quicker', async () => {
    const { browser, organization } = await owner();
    const page = await added(organization);
    const form = await browser.get(`${page}/edit`);
    await browser.fill(`${page}/edit`, `${page}/edit`, { name: 'Quicker', ...save });
    const told = await browser.submit(form, `${page}/edit`, { name: 'Slower', ...save });
    expect(told.status).toBe(409);
    expect((await browser.get(page)).html).toContain('Quicker');
  });

  test("nobody's password is an owner's to set, nor an e-mail address", async () => {
    const { browser, organization, self } = await owner();
    const page = await added(organization);
    const csrf_token = csrfOn(await browser.get(page));
    for (const each of [page, self]) {
      expect((await browser.get(`${each}/password`)).status).toBe(404);
      const sent = { csrf_token, password: 'taken over!', email: 'other@example.com', ...save };
      expect((await browser.post(`${each}/password`, sent)).status).toBe(404);
    }
    expect(textOf((await browser.get(`${page}/edit`)).html)).not.toContain('E-mail');
    expect(await isIn(await signedInAs(`eva@${organization.slug}.example`))).toBe(true);
  });
});

describe('deactivation', () => {
  test('says what stops, then it stops: sessions, keys, connected apps with their hooks (rule users 4)', async () => {
    const { browser, organization } = await owner();
    const person = await connectedUser(dealkeep, organization, 'leads.view=all');
    const [app] = await sql<{ name: string }[]>`
      select a.name from oauth_apps a join oauth_connections c on c.client_id = a.client_id
      where c.id = ${person.connectionId}`;
    const { id: keyId, token } = await organization.createKey({ name: 'Key of Eva' });
    await sql`update api_keys set user_id = ${person.id} where id = ${keyId}`;
    const hook = { target_url: 'http://127.0.0.1:9/hook', event: 'lead.won', name: 'Hook of Eva' };
    expect((await dealkeep.as(person.token).post('/webhooks', hook)).status).toBe(201);
    const eva = await signedInAs(person.email);
    expect(await isIn(eva)).toBe(true);

    const page = `${path}/${person.id}`;
    const asking = await browser.get(`${page}/deactivate`);
    for (const said of ['signed out of this organization', 'Key of Eva', app?.name ?? '?', 'Hook of Eva']) {
      expect(textOf(asking.html)).toContain(said);
    }
    const done = await browser.submit(asking, `${page}/deactivate`, {});
    expect(done.location).toBe(`${page}?done=deactivated`);

    expect(await isIn(eva)).toBe(false);
    expect((await dealkeep.as(token).get('/leads')).outcome).toBe('422 TOKEN_OWNER_INACTIVE');
    expect((await dealkeep.as(person.token).get('/leads')).status).toBe(401);
    expect(await sql`select from webhooks where organization_id = ${organization.id}`).toEqual([]);
    expect(await isIn(await signedInAs(person.email))).toBe(false);
  });

  test('activation gives access again, but no session of before and nothing that was connected (rule users 4)', async () => {
    const { browser, organization } = await owner();
    const person = await connectedUser(dealkeep, organization, 'leads.view=all');
    const eva = await signedInAs(person.email);
    const page = `${path}/${person.id}`;
    await browser.fill(`${page}/deactivate`, `${page}/deactivate`, {});
    expect(textOf((await browser.get(path)).html)).toContain('Deactivated');
    await browser.fill(page, `${page}/activate`, {});
    expect(await isIn(eva)).toBe(false);
    expect((await dealkeep.as(person.token).get('/leads')).status).toBe(401);
    expect(await isIn(await signedInAs(person.email))).toBe(true);
  });

  test('of the last active owner is refused in words, as is another role for them (rule users 5)', async () => {
    const { browser, organization, self } = await owner();
    const page = await added(organization, { role: 'owner' });
    await browser.fill(`${page}/deactivate`, `${page}/deactivate`, {});
    const refused = await browser.fill(`${self}/deactivate`, `${self}/deactivate`, {});
    expect([refused.status, textOf(refused.html)]).toEqual([
      409,
      expect.stringContaining('the last active owner of the organization'),
    ]);
    const demoted = await browser.fill(`${self}/edit`, `${self}/edit`, { role: 'Sales', ...save });
    expect([demoted.status, textOf(demoted.html)]).toEqual([
      409,
      expect.stringContaining('Make somebody else an owner first'),
    ]);
    expect(await isIn(browser)).toBe(true);
  });

  test('takes access also while the subscription has lapsed', async () => {
    const { browser, organization } = await owner();
    const page = await added(organization);
    await sql`update organizations set subscription = 'lapsed' where id = ${organization.id}`;
    const done = await browser.fill(`${page}/deactivate`, `${page}/deactivate`, {});
    expect(done.location).toBe(`${page}?done=deactivated`);
  });

  test('of two owners who lose their role at once, one stays', async () => {
    const { organization } = await owner();
    const page = await added(organization, { role: 'owner' });
    const ids = [organization.ownerId, page.slice(`${path}/`.length)];
    for (let round = 0; round < 10; round += 1) {
      await sql`update memberships set role_id = null where organization_id = ${organization.id}`;
      const ends = await Promise.allSettled(
        ids.map((id) => inConsole(core, organization, 'members.edit', { id, role: 'Sales' })),
      );
      expect(ends.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
      const owners = await sql`
        select from memberships where organization_id = ${organization.id} and role_id is null and active`;
      expect(owners).toHaveLength(1);
    }
  });
});

describe('who is no owner', () => {
  test('is led to none of these pages, and is refused them in words', async () => {
    const { organization } = await owner();
    const page = await added(organization);
    const eva = await signedInAs(`eva@${organization.slug}.example`);
    const own = await eva.get('/settings/account');
    expect(own.html).not.toContain(`href="${path}"`);
    const csrf_token = csrfOn(own);
    for (const address of [path, `${path}/invitations/new`, page, `${page}/edit`, `${page}/deactivate`]) {
      const refused = await eva.get(address);
      expect([refused.status, textOf(refused.html)], address).toEqual([
        403,
        expect.stringContaining('Only owners'),
      ]);
    }
    const posts = ['/edit', '/deactivate', '/activate'].map((step) => `${page}${step}`);
    for (const address of [`${path}/invitations/new`, ...posts]) {
      const sent = { csrf_token, email: 'eva@new.example', role: 'owner', ...save };
      expect((await eva.post(address, sent)).status, address).toBe(403);
    }
    expect(await sql`select from memberships where organization_id = ${organization.id}`).toHaveLength(2);
  });

  test('a person of another organization does not exist', async () => {
    const [mine, theirs] = [await owner(), await owner()];
    const csrf_token = csrfOn(await mine.browser.get(path));
    for (const step of ['', '/edit', '/deactivate']) {
      expect((await mine.browser.get(`${theirs.self}${step}`)).status).toBe(404);
    }
    for (const step of ['/edit', '/deactivate', '/activate']) {
      expect((await mine.browser.post(`${theirs.self}${step}`, { csrf_token, ...save })).status).toBe(404);
    }
    expect(await isIn(theirs.browser)).toBe(true);
  });
});
