import { startDealkeep } from '@dealkeep/testing';
import { startChromium } from '@dealkeep/testing/chromium';
import { describe, expect, test } from 'vitest';
import { signIn } from './business.ts';
import { type Look, looks, visitor } from './visitor.ts';

const dealkeep = await startDealkeep();
const chromium = await startChromium();
const wide: Look = { colours: 'light', width: 1280, language: 'en' };

/** An owner on the page of a lead of a company, of which something is known. */
async function onLead(look = wide, options: { javaScriptEnabled?: boolean } = {}) {
  const organization = await dealkeep.createOrganization();
  const api = dealkeep.as(organization.key);
  const make = async (path: '/companies' | '/leads', body: object): Promise<string> =>
    Object((await api.post(path, body)).json).data.id;
  const company = await make('/companies', { name: 'Tatra Bikes', note: 'See https://example.com.' });
  const lead = await make('/leads', { name: 'Fleet', company_id: company, value: 500 });
  await api.patch(`/leads/${lead}`, { value: 1200 });
  const visit = await visitor(chromium, dealkeep.origin, look, options);
  await signIn(visit, organization);
  await visit.open(`/leads/${lead}`);
  const stored = async () => Object((await api.get(`/leads/${lead}`)).json).data;
  return { ...visit, api, company, lead, stored };
}

describe.each(looks)('in $language, $colours, $width wide', (look) => {
  test('the page of a lead, its menu and that of a company are accessible and fit', async () => {
    const { page, judge, open, company } = await onLead(look);
    await judge('record-lead');
    await page.locator('.steps summary').click();
    await expect.poll(() => page.locator('.steps ul').isVisible()).toBe(true);
    await judge('record-menu');
    await open(`/companies/${company}`);
    await judge('record-company');
  });
});

test('a menu closes by Escape, which brings the focus back, and by a press elsewhere', async () => {
  const { page } = await onLead();
  const [summary, menu] = [page.locator('.steps summary'), page.locator('.steps ul')];
  await summary.focus();
  await page.keyboard.press('Enter');
  await expect.poll(() => menu.isVisible()).toBe(true);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Escape');
  await expect.poll(() => menu.isVisible()).toBe(false);
  expect(await summary.evaluate((each) => each === each.ownerDocument.activeElement)).toBe(true);
  await summary.click();
  await page.locator('h1').click();
  await expect.poll(() => menu.isVisible()).toBe(false);
});

test.each([true, false])(
  'by keys alone a task is added and a stage is reached; JavaScript: %s',
  async (javaScriptEnabled) => {
    const { page, stored } = await onLead(wide, { javaScriptEnabled });
    await page.locator('#new-task').focus();
    await page.keyboard.type('Send an offer');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.locator('#tasks li').textContent()).toContain('Send an offer');
    await page.locator('.stages button', { hasText: 'Contacted' }).focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => page.locator('.stages [aria-current=step]').textContent()).toBe('Contacted');
    expect((await stored()).stage.name).toBe('Contacted');
  },
);
