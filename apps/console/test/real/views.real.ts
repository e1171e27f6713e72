import { startChromium } from '@dealkeep/testing/chromium';
import { describe, expect, test } from 'vitest';
import { signIn, startBusiness } from './business.ts';
import { looks, visitor } from './visitor.ts';

const { dealkeep, organization } = await startBusiness();
const chromium = await startChromium();
const words = {
  en: { save: 'Save this view', manage: 'Manage views', all: 'All' },
  sk: { save: 'Uložiť tento pohľad', manage: 'Spravovať pohľady', all: 'Všetky' },
};

describe.each(looks)('in $language, $colours, $width wide', (look) => {
  test('what a list shows is saved as a view, found above it and managed', async () => {
    const visit = await visitor(chromium, dealkeep.origin, look);
    const { page } = visit;
    const said = words[look.language];
    await signIn(visit, organization);
    await visit.open('/leads?status=open&sort=-value');
    await page.getByRole('link', { name: said.save }).click();
    await page.waitForURL(/\/views\/new/);
    await visit.judge('view-new');
    const name = `Large ${look.language} ${look.colours} ${look.width}`;
    await page.fill('#field-name', name);
    await page.press('#field-name', 'Enter');
    await page.waitForURL(/\/leads\?/);
    expect(await page.textContent('.views [aria-current]')).toBe(name);
    await visit.judge('list-with-views');
    await page.getByRole('link', { name: said.manage }).click();
    await page.waitForURL(/\/views\?/);
    await visit.judge('views');
    await page.getByRole('link', { name }).first().click();
    await page.waitForURL(/\/leads\?/);
    // One alone stands for a filter that is not saved, so that the next look can save it, too.
    await dealkeep.sql`delete from saved_views where organization_id = ${organization.id}`;
  });

  test('records of a list are selected and given to somebody', async () => {
    const visit = await visitor(chromium, dealkeep.origin, look);
    const { page } = visit;
    await signIn(visit, organization);
    await visit.open('/leads?status=open');
    const boxes = page.locator('input[name="record"]');
    expect(await page.locator('.bulk').isVisible()).toBe(false);
    await boxes.nth(0).check();
    await boxes.nth(2).click({ modifiers: ['Shift'] });
    expect(await page.textContent('[data-selected]')).toBe('3');
    await visit.judge('list-selected');
    // Rows that stand above one another have no heading; the bar selects the page there.
    if (look.width === 390) await page.locator('[data-selects="page"]').click();
    else await page.locator('[data-select-page] input').check();
    expect(await page.textContent('[data-selected]')).toBe(String(await boxes.count()));
    await page.locator('[data-selects="none"]').click();
    expect(await page.locator('.bulk').isVisible()).toBe(false);
    await boxes.nth(1).check();
    await page.locator('.bulk button[formaction*="/assign"]').click();
    await page.waitForURL(/\/bulk\/assign/);
    await visit.judge('bulk-assign');
    await page.selectOption('select[name="owner_id"]', organization.ownerId);
    await page.locator('form.card .choices button').click();
    await page.waitForURL(/done=bulk-assign&count=1/);
    await visit.judge('bulk-done');
  });
});

test('a selection is made and sent by the keyboard alone, and what has the focus is not covered', async () => {
  const visit = await visitor(chromium, dealkeep.origin);
  const { page } = visit;
  await signIn(visit, organization);
  await visit.open('/tasks?completed=false');
  const boxes = page.locator('input[name="record"]');
  await boxes.nth(0).focus();
  await page.keyboard.press('Space');
  const count = Math.min(await boxes.count(), 15);
  const box = (at: number): string => `document.querySelectorAll('input[name="record"]')[${at}]`;
  const hasFocus = (element: string) => page.evaluate<boolean>(`document.activeElement === ${element}`);
  for (let at = 1; at < count; at += 1) {
    while (!(await hasFocus(box(at)))) await page.keyboard.press('Tab');
    const covered = await page.evaluate<boolean>(`(() => {
      const { left, top, width, height } = ${box(at)}.getBoundingClientRect();
      return document.elementFromPoint(left + width / 2, top + height / 2) !== ${box(at)};
    })()`);
    expect(covered, `the box of row ${at + 1}`).toBe(false);
  }
  const complete = `document.querySelector('.bulk button[formaction*="/complete"]')`;
  while (!(await hasFocus(complete))) await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.waitForURL(/done=bulk-complete&count=1/);
});

test('without JavaScript, ticked records are completed, too', async () => {
  const look = { colours: 'light', width: 1280, language: 'en' } as const;
  const visit = await visitor(chromium, dealkeep.origin, look, { javaScriptEnabled: false });
  const { page } = visit;
  await signIn(visit, organization);
  await visit.open('/tasks?completed=false');
  await page.locator('input[name="record"]').nth(0).check();
  await visit.judge('list-selected-without-javascript');
  await page.locator('.bulk button[formaction*="/complete"]').click();
  await page.waitForURL(/done=bulk-complete&count=1/);
});
