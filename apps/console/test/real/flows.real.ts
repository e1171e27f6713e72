import { createRole, createUser } from '@dealkeep/core/accounts';
import { ownerPassword } from '@dealkeep/testing';
import { startChromium } from '@dealkeep/testing/chromium';
import { describe, expect, test } from 'vitest';
import { signIn, startBusiness } from './business.ts';
import { looks, visitor } from './visitor.ts';

const business = await startBusiness();
const { dealkeep, organization, receiver } = business;
const chromium = await startChromium();

/** Somebody who is signed in as an owner, with a look of their own. */
async function owner(look = looks[0]) {
  const visit = await visitor(chromium, dealkeep.origin, look);
  await signIn(visit, organization);
  return visit;
}

describe.each(looks)('in $language, $colours, $width wide', (look) => {
  test('who signs in wrongly is told so, then signs in, then out', async () => {
    const visit = await visitor(chromium, dealkeep.origin, look);
    const { page } = visit;
    await visit.open('/leads?q=bakery');
    await visit.judge('sign-in');
    await page.fill('#email', organization.ownerEmail);
    await page.fill('#password', 'wrong');
    await page.keyboard.press('Enter');
    await page.waitForSelector('[role=alert]');
    await visit.judge('sign-in-refused');
    await page.fill('#password', ownerPassword);
    await page.keyboard.press('Enter');
    await page.waitForURL('/leads?q=bakery');
    await page.click('.account-button');
    await visit.judge('account-menu');
    await page.click('#account form button');
    await page.waitForURL('/sign-in');
  });

  test('a key is made and shown once', async () => {
    const visit = await owner(look);
    const { page } = visit;
    await visit.open('/integrations/keys/new');
    await page.fill('[name=name]', `For n8n ${look.language} ${look.colours}`);
    await page.check('[value=automation]');
    await page.click('.choices button');
    await page.waitForSelector('#secret');
    await visit.judge('key-shown-once');
  });

  test('a form that is refused says beside each field what is wrong, and the first one has the focus', async () => {
    const visit = await owner(look);
    const { page } = visit;
    await visit.open('/integrations/webhooks/new');
    await page.fill('[name=target_url]', 'http://10.0.0.1/');
    await page.click('.choices button');
    // A browser moves the focus once it has drawn the page.
    await page.waitForSelector('[aria-invalid=true]:focus');
    await visit.judge('webhook-refused');
  });

  test('what is not there, and what is not permitted, is said on a page', async () => {
    const visit = await owner(look);
    await visit.open('/leads/00000000-0000-4000-8000-000000000000');
    await visit.judge('not-found');
    await visit.context.clearCookies();
    await signIn(visit, { ownerEmail: await seller() });
    await visit.judge('home-of-a-seller');
    await visit.open('/integrations/keys');
    await visit.judge('not-permitted');
  });

  test('an application asks for consent', async () => {
    const visit = await owner(look);
    await visit.open(authorizeAddress());
    await visit.judge('consent');
    await visit.page.click('button[value=allow]');
    await visit.page.waitForURL(/\/connected\?.*code=/);
  });

  test('an organization that has nothing yet is taught', async () => {
    const empty = await dealkeep.createOrganization();
    await dealkeep.sql`delete from api_keys where organization_id = ${empty.id}`;
    const visit = await visitor(chromium, dealkeep.origin, look);
    await signIn(visit, empty);
    await visit.judge('empty-home');
    for (const path of [
      'leads',
      'invoices',
      'integrations/keys',
      'integrations/webhooks',
      'integrations/deliveries',
    ]) {
      await visit.open(`/${path}`);
      await visit.judge(`empty-${path.replace('/', '-')}`);
    }
  });
});

/** The e-mail of somebody whose role sees only the leads that are assigned to them. */
async function seller(): Promise<string> {
  const name = `seller-${crypto.randomUUID()}`;
  await createRole(dealkeep.core, {
    organization: organization.slug,
    name,
    permissions: 'leads.view=assigned',
  });
  const email = `${name}@example.com`;
  const user = { organization: organization.slug, name: 'Eva', email, password: ownerPassword, role: name };
  await createUser(dealkeep.core, user);
  return email;
}

function authorizeAddress(): string {
  const request = {
    response_type: 'code',
    client_id: business.app.id,
    redirect_uri: business.app.redirectUri,
  };
  const challenge = {
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
  };
  return `/oauth/authorize?${new URLSearchParams({ ...request, ...challenge, state: 'x' })}`;
}

test('a secret is copied by its button', async () => {
  const visit = await owner();
  const { page, context } = visit;
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await visit.open('/integrations/keys/new');
  await page.fill('[name=name]', 'To copy');
  await page.check('[value=leads]');
  await page.click('.choices button');
  await page.click('button[data-copy]');
  const copied = 'navigator.clipboard.readText()';
  expect(await page.evaluate(copied)).toBe(await page.inputValue('#secret'));
});

test('a webhook is made, tested, and its delivery shown', async () => {
  const visit = await owner();
  const { page } = visit;
  await visit.open('/integrations/webhooks/new');
  await page.fill('[name=name]', 'Orders to the warehouse');
  await page.fill('[name=target_url]', `${receiver}/orders`);
  await page.check('[value="order.created"]');
  await page.click('.choices button');
  await page.click('.choices a.secondary');
  await page.click('form.filters button');
  await page.waitForURL(/done=tested/);
  await visit.judge('delivery-of-a-test');
  expect(await page.textContent('main')).toContain('HTTP 200');
});

test.each([looks[0], looks[2]])('a webhook is limited to a stage and to some changes', async (look) => {
  const visit = await owner(look);
  const { page } = visit;
  await visit.open(`/integrations/webhooks/new?language=${look?.language}`);
  await page.fill('[name=name]', 'New leads to the warehouse');
  await page.fill('[name=target_url]', `${receiver}/leads`);
  for (const type of ['lead.created', 'lead.updated']) await page.check(`[value="${type}"]`);
  await page.locator('.field > button[value=find]').click();
  await page.waitForSelector('[name="filters.stage_id"]');
  await visit.judge('webhook-filters');
  await page.locator('[name="filters.stage_id"]').first().check();
  await page.check('[name=changed_fields][value=value]');
  await page.check('[value="order.created"]');
  await page.locator('form.card > .choices button').click();
  await page.waitForSelector('[id="problem-filters.stage_id"]');
  await visit.judge('webhook-filters-refused');
  await page.uncheck('[value="order.created"]');
  await page.locator('form.card > .choices button').click();
  await page.click('.choices a.secondary');
  expect(await page.textContent('dl')).toContain('Sales – New');
  await visit.judge('webhook-limited');
});

test('who saves a record that another tab has changed is told, and loses nothing', async () => {
  const [mine, other] = [await owner(), await owner()];
  await mine.open('/leads?q=Rebranding');
  await mine.page.click('tbody th a');
  await mine.page.click('.bar a[href$="/edit"]');
  await mine.page.waitForURL(/edit$/);
  const address = new URL(mine.page.url()).pathname;
  await other.open(address);
  for (const [{ page }, value] of [
    [other, '1000'],
    [mine, '2000'],
  ] as const) {
    await page.fill('[name=value]', value);
    await page.click('form.card .choices button');
  }
  await mine.page.waitForSelector('[role=alert]');
  expect(await mine.page.inputValue('[name=value]')).toBe('2000');
  await mine.judge('changed-meanwhile');
});
