import { startChromium } from '@dealkeep/testing/chromium';
import { expect, test } from 'vitest';
import { signIn, startBusiness } from './business.ts';
import { looks, visitor } from './visitor.ts';

const { dealkeep, organization } = await startBusiness();
const chromium = await startChromium();

test.each([true, false])(
  'scopes are shown to whoever chooses them, and never count unseen (JavaScript: %s)',
  async (javaScriptEnabled) => {
    const visit = await visitor(chromium, dealkeep.origin, looks[0], { javaScriptEnabled });
    await signIn(visit, organization);
    const { page } = visit;
    await visit.open('/integrations/keys/new');
    const scope = page.locator('[name=scopes]').first();
    expect(await scope.isVisible()).toBe(false);
    expect(await page.locator('[name=access]:checked').count()).toBe(0);
    await page.check('[value=leads]');
    expect(await scope.isVisible()).toBe(false);
    await page.check('[value=chosen]');
    expect(await scope.isVisible()).toBe(true);
    await page.check('[name=scopes][value="tasks:read"]');
    // What was ticked stays in sight when another purpose is chosen, and contradicts it.
    await page.check('[value=automation]');
    expect(await scope.isVisible()).toBe(true);
    await page.fill('[name=name]', 'Contradiction');
    await page.click('form.card > .choices button');
    await page.waitForSelector('#problem-scopes');
    expect(await scope.isVisible()).toBe(true);
    await visit.judge('key-contradiction');
    await page.check('[value=chosen]');
    await page.click('form.card > .choices button');
    await page.waitForSelector('#secret');
    const [key] = await dealkeep.sql`
      select scopes from api_keys where organization_id = ${organization.id} order by created_at desc limit 1`;
    expect(key?.['scopes']).toEqual(['tasks:read']);
  },
);

test('the page that makes a key, as it begins and for who chooses', async () => {
  const visit = await visitor(chromium, dealkeep.origin, looks[2]);
  await signIn(visit, organization);
  await visit.open('/integrations/keys/new');
  await visit.judge('key-new');
  await visit.page.check('[value=chosen]');
  await visit.judge('key-new-chosen');
});

test.each(looks)(
  'in $language, $colours, $width wide: a key as it is shown once, its page, and the list with one that ended',
  async (look) => {
    const visit = await visitor(chromium, dealkeep.origin, look);
    await signIn(visit, organization);
    const { page } = visit;
    await visit.open('/integrations/keys/new');
    await page.fill('[name=name]', `Web shop ${look.language}`);
    await page.check('[value=leads]');
    await page.click('form.card > .choices button');
    await page.waitForSelector('#secret');
    const secret = await page.inputValue('#secret');
    await page.click('.unfolding:has(#code-try) summary');
    expect(await page.textContent('#code-try')).toContain(secret);
    await visit.judge('key-made');
    await visit.open('/integrations/keys');
    await page.click(`tbody tr:has-text("…${secret.slice(-4)}") a`);
    await page.waitForURL(/keys\/[0-9a-f-]{36}$/);
    await visit.judge('key');
    await page.click('.bar a[href$="/revoke"]');
    await page.click('button.danger');
    await page.waitForURL(/done=revoked/);
    await page.click('details > summary:not(tbody *)');
    await visit.judge('keys-ended');
  },
);
