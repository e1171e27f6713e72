import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { createOAuthApp } from '@dealkeep/core/accounts';
import { seedDemo } from '@dealkeep/core/installation';
import { eventually, startDealkeep } from '@dealkeep/testing';
import { startChromium } from '@dealkeep/testing/chromium';
import { describe, expect, test } from 'vitest';
import { signIn, startReceiver } from './business.ts';
import { screenshotFolder } from './screenshot-folder.ts';

const docs = join(import.meta.dirname, '../../../../docs');
const inDocs = join(docs, 'pictures');
/** `npm run pictures` renews those of the documentation; otherwise it is tried that they still can be taken. */
const folder = process.env['PICTURES'] === 'docs' ? inDocs : screenshotFolder;
const most = 800_000;

const dealkeep = await startDealkeep();
const organization = await dealkeep.createOrganization();
const { core, sql } = dealkeep;
await sql`update organizations set name = 'Tatra Studio' where id = ${organization.id}`;
const ownerEmail = 'jana@tatra-studio.example';
await sql`update memberships set name = 'Jana Horváthová' where id = ${organization.ownerId}`;
await sql`update users set email = ${ownerEmail} where id = ${organization.ownerId}`;
await seedDemo(core, organization.slug, 'small');
const receiver = await startReceiver();
const chromium = await startChromium();
const page = await chromium.newPage({
  baseURL: dealkeep.origin,
  viewport: { width: 1060, height: 680 },
  colorScheme: 'light',
  locale: 'en',
  reducedMotion: 'reduce',
});
await signIn({ page }, { ownerEmail });

const picture = async (name: string): Promise<void> => {
  await page.evaluate('document.activeElement.blur()');
  await page.screenshot({ path: join(folder, `${name}.png`) });
};

describe('what the documentation shows', () => {
  test('the first page, the board, and a lead as a place to work', async () => {
    await page.goto('/');
    await picture('home');
    await page.goto('/leads/board');
    await page.locator('.lead-card').first().waitFor();
    await picture('board');
    await page.locator('.lead-card h3 a').first().click();
    await page.waitForURL(/\/leads\/[0-9a-f-]{36}/);
    await picture('lead');
  });

  test('Dealkeep asks whether Zapier may connect', async () => {
    const redirectUri = `${receiver}/connected`;
    const app = await createOAuthApp(core, {
      name: 'Zapier',
      redirectUris: [redirectUri],
      scopes: [
        'companies:read',
        'leads:read',
        'leads:write',
        'tasks:write',
        'invoices:write',
        'webhooks:manage',
      ],
    });
    const question = new URLSearchParams({
      response_type: 'code',
      client_id: app.client_id,
      redirect_uri: redirectUri,
      state: 'a',
      code_challenge: 'A'.repeat(43),
      code_challenge_method: 'S256',
    });
    await page.goto(`/oauth/authorize?${question}`);
    await page.getByRole('button', { name: 'Allow' }).scrollIntoViewIfNeeded();
    await picture('zapier-consent');
  });

  test('the form that makes an API key', async () => {
    await page.goto('/integrations/keys/new');
    await page.fill('[name=name]', 'Zapier');
    await page.check('[value=automation]');
    await picture('new-api-key');
  });

  test('webhooks with their health, and a delivery', async () => {
    const { token } = await organization.createKey({ name: 'Automation' });
    const api = dealkeep.as(token);
    const hook = (name: string, event: string) =>
      api.post('/webhooks', { target_url: `${receiver}/${encodeURIComponent(name)}`, event, name });
    await hook('Zapier: New Lead', 'lead.created');
    await hook('Zapier: Invoice Paid', 'invoice.paid');
    await hook('n8n: Follow up proposals', 'lead.stage_changed');
    await api.post('/leads', { name: 'Website for a bakery', company: { name: 'Pekáreň Zvolen s.r.o.' } });
    await eventually(async () => {
      const [row] =
        await sql`select count(*)::integer as tried from attempts where organization_id = ${organization.id}`;
      if (row?.['tried'] < 1) throw new Error('Nothing was tried yet');
    });
    // What people see: the addresses of Zapier and n8n instead of this test's.
    await sql`
      update webhooks set target_url = case when name like 'n8n%' then 'https://n8n.example.com/webhook/6f1c/dealkeep'
        else 'https://hooks.zapier.com/hooks/standard/1/' || substr(id::text, 25) || '/' end
      where organization_id = ${organization.id}`;
    await page.goto('/integrations/webhooks');
    await picture('webhooks');
    await page.getByRole('link', { name: 'Zapier: New Lead' }).click();
    await page.locator('a[href*="/deliveries/evt_"]').first().click();
    await page.waitForURL(/deliveries\/evt_/);
    await picture('delivery');
  });
});

test('all pictures of the documentation are shown there, and light together', async () => {
  const pages = await Promise.all(
    (await readdir(docs))
      .filter((name) => name.endsWith('.md'))
      .map((name) => readFile(join(docs, name), 'utf8')),
  );
  const shown = new Set(
    pages.flatMap((text) => [...text.matchAll(/\]\(pictures\/([\w-]+\.png)\)/g)].map(([, name]) => name)),
  );
  const names = await readdir(inDocs);
  expect(new Set(names)).toEqual(shown);
  const sizes = await Promise.all(names.map(async (name) => (await stat(join(inDocs, name))).size));
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(most);
});
