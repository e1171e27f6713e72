import { startChromium } from '@dealkeep/testing/chromium';
import { expect, test } from 'vitest';
import { signIn, startBusiness } from './business.ts';
import { looks, visitor } from './visitor.ts';

const { dealkeep, organization, receiver } = await startBusiness();
const chromium = await startChromium();

/** An owner whose browser runs no script. */
async function owner() {
  const visit = await visitor(chromium, dealkeep.origin, looks[0], { javaScriptEnabled: false });
  await signIn(visit, organization);
  return visit;
}

test('a lead is made for a company that is searched for, moved on the board and archived', async () => {
  const { page, open } = await owner();
  await open('/leads/new');
  await page.fill('[name=name]', 'Without a script');
  await page.fill('[name="company_id.find"]', 'Pekáreň Zvolen');
  await page.click('form.card > .choices button');
  await page.waitForURL(/done=save/);
  expect(await page.textContent('main')).toContain('Pekáreň Zvolen s.r.o.');
  await open('/leads/board');
  const card = page.locator('article', { hasText: 'Without a script' });
  await card.locator('.card-menu').click();
  await page.selectOption('[name=stage_id]', { label: 'Negotiation' });
  await page.click('form.card > .choices button');
  await page.click('section[aria-label=Negotiation] >> text=Without a script');
  await page.click('.steps summary');
  await page.click('.steps >> text=Archive');
  await page.click('form.card > .choices button');
  await page.waitForURL(/done=archive/);
});

test('a list is filtered, sorted and turned over', async () => {
  const { page, open } = await owner();
  await open('/leads');
  await page.click('.filter-menu summary');
  await page.selectOption('[name=status]', 'won');
  await page.click('.filter-menu .panel > button');
  expect(await page.locator('tbody tr').count()).toBeGreaterThan(0);
  expect(await page.locator('tbody .badge.info').count()).toBe(0);
  await page.click('thead >> text=Value');
  await page.waitForURL(/sort=value/);
  expect(await page.getAttribute('thead th[aria-sort]', 'aria-sort')).toBe('ascending');
});

test('a webhook is made for a whole group of events, and a key revoked', async () => {
  const { page, open } = await owner();
  await open('/integrations/webhooks/new');
  await page.fill('[name=name]', 'Quotes');
  await page.fill('[name=target_url]', `${receiver}/quotes`);
  await page.check('[value="quote.*"]');
  await page.click('form.card > .choices button');
  expect(await page.inputValue('#secret')).toMatch(/^whsec_/);
  await page.click('.choices a');
  expect(await page.textContent('main')).toContain('Quote accepted, Quote rejected');
  await open('/integrations/keys');
  await page.click('tbody >> text=Revoke');
  await page.click('button.danger');
  await page.waitForURL(/done=revoked/);
});

test('a stage is moved up, and removed with its leads going elsewhere', async () => {
  const { page, open } = await owner();
  await open('/settings/lists/pipelines');
  await page.click('tbody >> text=Sales');
  const row = page.locator('tbody tr', { hasText: 'Proposal sent' });
  await row.locator('button[title="Move up"]').click();
  await page.waitForURL(/done=moved/);
  expect(await page.locator('tbody th').allTextContents()).toEqual([
    ...['New', 'Proposal sent', 'Contacted', 'Negotiation', 'Won', 'Lost'],
  ]);
  await row.locator('text=Remove').click();
  await page.selectOption('[name=open]', { label: 'Sales: Negotiation' });
  await page.click('button.danger');
  await page.waitForURL(/done=removed/);
  expect(await page.locator('tbody th').allTextContents()).not.toContain('Proposal sent');
});
