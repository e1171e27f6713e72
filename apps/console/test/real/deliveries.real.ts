import { eventually } from '@dealkeep/testing';
import { startChromium } from '@dealkeep/testing/chromium';
import { describe, expect, test } from 'vitest';
import { signIn, startBusiness } from './business.ts';
import { looks, visitor } from './visitor.ts';

const { dealkeep, organization } = await startBusiness();
const chromium = await startChromium();
const log = '/integrations/deliveries';
const api = dealkeep.as(organization.key);

test('why a webhook fails is found in two clicks from the first page', async () => {
  const visit = await visitor(chromium, dealkeep.origin);
  await signIn(visit, organization);
  const { page } = visit;
  let clicks = 0;
  const click = async (selector: string): Promise<void> => {
    clicks += 1;
    await page.locator(selector).first().click();
  };
  await click('.trouble li:has-text("Accounting") a.button');
  await page.waitForURL(/deliveries\?/);
  await click('tbody th a');
  await page.waitForSelector('#why');
  expect(await page.locator('.trouble').textContent()).toMatch(/HTTP 500.*receiver itself failed.*noted/s);
  expect(clicks).toBeLessThanOrEqual(3);
});

describe.each(looks)('in $language, $colours, $width wide', (look) => {
  test('the list, one delivery that failed, and a search that finds nothing', async () => {
    const visit = await visitor(chromium, dealkeep.origin, look);
    await signIn(visit, organization);
    await visit.open(log);
    await visit.judge('deliveries');
    await visit.open(`${log}?outcome=waiting`);
    await visit.page.locator('tbody th a').first().click();
    await visit.page.waitForSelector('#why');
    await visit.judge('delivery-failed');
    await visit.open(`${log}?record=nobody`);
    await visit.judge('deliveries-none');
  });
});

test('an open list shows what happens, says so, and keeps selection and focus', async () => {
  const visit = await visitor(chromium, dealkeep.origin);
  await signIn(visit, organization);
  const { page } = visit;
  await visit.open(`${log}?event_type=lead.created`);
  const box = page.locator('tbody input').nth(1);
  const chosen = await box.getAttribute('value');
  await box.focus();
  await page.keyboard.press('Space');
  expect(await page.textContent('#selected')).toBe('Selected: 1');
  await api.post('/leads', { name: 'While somebody looks', dedupe: 'none' });
  await page.waitForSelector('tbody tr:has-text("While somebody looks")');
  expect(await page.textContent('#news')).toMatch(/^New or changed deliveries: [1-9]/);
  const kept = await page.evaluate<[string, boolean, number]>(
    '[document.activeElement.value, document.activeElement.checked, document.querySelectorAll("tbody input:checked").length]',
  );
  expect(kept).toEqual([chosen, true, 1]);
  expect(await page.isVisible('#live')).toBe(true);
  await visit.judge('deliveries-live');
});

test('a page that nobody looks at asks for nothing', async () => {
  const visit = await visitor(chromium, dealkeep.origin);
  await signIn(visit, organization);
  const { page } = visit;
  const asked: string[] = [];
  page.on('request', (request) => void asked.push(request.url()));
  await visit.open(log);
  await page.waitForRequest(/deliveries\/live/);
  await page.evaluate(
    'Object.defineProperty(document, "hidden", { get: () => globalThis.away, configurable: true }); globalThis.away = true',
  );
  const before = asked.length;
  // Longer than two rounds; the clock of the page goes on while nothing is asked.
  await page.evaluate(
    'new Promise((done) => { let n = 0; const count = () => (n += 1) > 400 ? done() : requestAnimationFrame(count); count(); })',
  );
  expect(asked.length).toBe(before);
  await page.evaluate('globalThis.away = false; document.dispatchEvent(new Event("visibilitychange"))');
  await eventually(async () => expect(asked.length).toBeGreaterThan(before));
});

test('a selection is sent again by keyboard alone', async () => {
  const visit = await visitor(chromium, dealkeep.origin);
  await signIn(visit, organization);
  const { page } = visit;
  await visit.open(`${log}?outcome=delivered`);
  await page.focus('#select-all');
  await page.keyboard.press('Space');
  const count = await page.locator('tbody input:checked').count();
  expect(count).toBeGreaterThan(3);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.waitForURL(/done=resent/);
  expect(await page.textContent('.notice')).toContain(`Deliveries that are sent again: ${count}.`);
});

test('without JavaScript the list can be refreshed, filtered and sent again', async () => {
  const visit = await visitor(chromium, dealkeep.origin, undefined, { javaScriptEnabled: false });
  await signIn(visit, organization);
  const { page } = visit;
  await visit.open(log);
  expect(await page.isVisible('#select-all')).toBe(false);
  expect(await page.isVisible('#live')).toBe(false);
  await page.click('text=Refresh');
  await page.selectOption('#filter-period', 'hour');
  await page.click('.filters button');
  await page.waitForURL(/period=hour/);
  await page.locator('tbody input').first().check();
  await page.click('text=Send the selected again');
  await page.waitForURL(/done=resent&count=1/);
  await visit.judge('deliveries-without-javascript');
});
