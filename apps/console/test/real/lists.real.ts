import { startChromium } from '@dealkeep/testing/chromium';
import { describe, expect, test } from 'vitest';
import { signIn, startBusiness } from './business.ts';
import { looks, visitor } from './visitor.ts';

const { dealkeep, organization } = await startBusiness();
const chromium = await startChromium();
await dealkeep.sql`
  insert into companies (organization_id, id, name, created_at, updated_at)
  select ${organization.id}, gen_random_uuid(), 'Firma s dlhým názvom, ktorý sa na jeden riadok nezmestí, číslo ' || n,
         now() - n * interval '1 s', now()
  from generate_series(1, 120) n`;

/** The rows that are seen without scrolling, and how high each is. */
const rowsInSight = `[...document.querySelectorAll('main tbody tr')]
  .map((row) => row.getBoundingClientRect()).filter(({ bottom }) => bottom <= innerHeight).map(({ height }) => height)`;

describe.each(looks)('in $language, $colours, $width wide', (look) => {
  test('a list is narrowed by its menu, shown in one line a row, turned on and back', async () => {
    const visit = await visitor(chromium, dealkeep.origin, look);
    const { page } = visit;
    await signIn(visit, organization);
    await visit.open('/companies');
    await visit.judge('list');
    // Whether views stand above it or not.
    for (const path of look.width === 1280 ? ['/leads', '/companies'] : []) {
      await visit.open(path);
      const heights = await page.evaluate<number[]>(rowsInSight);
      expect(heights.length, path).toBeGreaterThanOrEqual(15);
      expect(Math.max(...heights), path).toBeLessThan(40);
    }
    const first = await page.textContent('nav.pages p');
    expect(first).toMatch(/^1–50 (?:of|z) \d+$/);
    await page.click('nav.pages a[rel=next]');
    await page.waitForURL(/cursor=/);
    expect(await page.textContent('nav.pages p')).toMatch(/^51–100 /);
    await page.click('nav.pages a[rel=next]');
    await page.click('nav.pages a[rel=prev]');
    await page.waitForURL(/from=51/);
    await page.goBack();
    expect(await page.textContent('nav.pages p')).toMatch(/^101–/);

    await visit.open('/leads?sort=value');
    await page.click('.filter-menu summary');
    await visit.judge('list-filters');
    await page.click('.filter-names button >> nth=0');
    await page.selectOption('[data-filter=status] select', 'won');
    await page.waitForURL((url) => url.search === '?status=won&sort=value');
    expect(await page.locator('.chip').count()).toBe(1);
    expect(await page.locator('tbody .badge.info, tbody .badge.bad').count()).toBe(0);
    await visit.judge('list-filtered');
    await page.click('.chip a');
    await page.waitForURL((url) => url.search === '?sort=value');
  });
});

test('by keys alone a filter is chosen, set and taken out, and Escape leaves the menu', async () => {
  const visit = await visitor(chromium, dealkeep.origin);
  const { page } = visit;
  await signIn(visit, organization);
  await visit.open('/invoices');
  await page.focus('.list-filters [type=search]');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Status');
  await page.keyboard.press('Escape');
  expect(await page.evaluate('document.activeElement.tagName')).toBe('SUMMARY');
  expect(await page.locator('.filter-menu[open]').count()).toBe(0);
  await page.keyboard.press('Enter');
  await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Status');
  await page.keyboard.press('Enter');
  await expect.poll(() => page.evaluate('document.activeElement.name')).toBe('status');
  await page.keyboard.press('o');
  await page.waitForURL((url) => url.search === '?status=overdue');
  await page.focus('.chip a');
  await page.keyboard.press('Enter');
  await page.waitForURL((url) => url.search === '');
});

test('a company to filter by is found while one types', async () => {
  const visit = await visitor(chromium, dealkeep.origin);
  const { page } = visit;
  await signIn(visit, organization);
  await visit.open('/leads');
  await page.click('.filter-menu summary');
  await page.click('.filter-names button:has-text("Company")');
  await page.keyboard.type('tatra');
  await page.click('[data-filter=company_id] [role=option] >> nth=0');
  await page.waitForURL(/company_id=/);
  expect(await page.textContent('.chip')).toContain('Company: ');
  expect(await page.locator('tbody tr').count()).toBeGreaterThan(0);
});

test('without JavaScript the filters unfold all together, with one button', async () => {
  const visit = await visitor(chromium, dealkeep.origin, looks[0], { javaScriptEnabled: false });
  const { page } = visit;
  await signIn(visit, organization);
  await visit.open('/leads?sort=value');
  await page.click('.filter-menu summary');
  await page.selectOption('[name=status]', 'won');
  await page.selectOption('[name=archived]', 'false');
  await page.click('.filter-menu .panel > button');
  await page.waitForURL(/status=won/);
  expect(await page.locator('.chip').count()).toBe(2);
  expect(page.url()).toContain('sort=value');
});
