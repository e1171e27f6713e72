import { startChromium } from '@dealkeep/testing/chromium';
import { describe, expect, test } from 'vitest';
import { signIn, startBusiness } from './business.ts';
import { looks, type Visitor, visitor } from './visitor.ts';

const { dealkeep, organization } = await startBusiness();
const chromium = await startChromium();
const api = dealkeep.as(organization.key);
const company = (await api.post('/companies', { name: 'Žltý kôň s.r.o.', city: 'Košice' })).data;
await api.post('/tasks', { title: 'Žltý návrh' });

async function owner(look = looks[0]): Promise<Visitor> {
  const visit = await visitor(chromium, dealkeep.origin, look);
  await signIn(visit, organization);
  return visit;
}

const chosen = '#palette [aria-selected=true]';

describe.each(looks)('in $language, $colours, $width wide', (look) => {
  test('a company is found and opened by the keyboard alone, and offered again when the search is opened', async () => {
    const visit = await owner(look);
    const { page } = visit;
    await page.keyboard.press('/');
    await page.waitForSelector('#palette [role=option]');
    await visit.judge('palette-empty');
    await page.keyboard.type('zlty');
    await page.waitForSelector(`#palette a[href="/companies/${company.id}"]`);
    expect(await page.textContent('.search [role=status]')).toMatch(/2/);
    while ((await page.locator(`${chosen}[href="/companies/${company.id}"]`).count()) === 0) {
      await page.keyboard.press('ArrowDown');
    }
    expect(await page.getAttribute('#search', 'aria-activedescendant')).toBe(
      await page.getAttribute(chosen, 'id'),
    );
    await visit.judge('palette-found');
    await page.keyboard.press('Enter');
    await page.waitForURL(`/companies/${company.id}`);

    await visit.open('/');
    await page.keyboard.press('Control+k');
    await page.waitForSelector(`#palette a[href="/companies/${company.id}"]`);
    expect(await page.textContent('#palette [role=group] [role=option]')).toContain('Žltý kôň s.r.o.');
    await page.keyboard.press('Escape');
    expect(await page.isVisible('#palette')).toBe(false);
  });

  test('the keys are listed, and can be switched off', async () => {
    const visit = await owner(look);
    const { page } = visit;
    await page.keyboard.press('?');
    await page.waitForSelector('dialog[open]');
    await visit.judge('shortcuts');
    await page.uncheck('[name=single-keys]');
    await page.keyboard.press('Escape');
    await page.waitForSelector('dialog', { state: 'detached' });
    await page.keyboard.press('?');
    await page.keyboard.press('g');
    await page.keyboard.press('l');
    // Ctrl-K is no single key.
    await page.keyboard.press('Control+k');
    await page.waitForSelector('#palette [role=option]');
    expect([new URL(page.url()).pathname, await page.locator('dialog').count()]).toEqual(['/', 0]);
    await page.keyboard.press('Escape');
    await page.click('.account-button');
    await page.click('[data-shortcuts]');
    await page.check('[name=single-keys]');
  });
});

test('keys lead to lists and to what is made there, but not while somebody types', async () => {
  const { page } = await owner();
  await page.keyboard.press('g');
  await page.keyboard.press('l');
  await page.waitForURL('/leads');
  await page.keyboard.press('c');
  await page.waitForURL('/leads/new');
  await page.focus('[name=name]');
  await page.keyboard.type('go/?c');
  expect(await page.inputValue('[name=name]')).toBe('go/?c');
  expect(await page.locator('dialog').count()).toBe(0);
});

test('Enter without a choice leads to the page of results, as without JavaScript', async () => {
  const { page } = await owner();
  await page.keyboard.press('/');
  await page.keyboard.type('zlty');
  await page.keyboard.press('Enter');
  await page.waitForURL('/search?q=zlty');
  expect(await page.textContent('main table')).toContain('Košice');
});

test('what somebody opened is not offered to whoever signs in after them', async () => {
  const visit = await owner();
  const { page } = visit;
  await visit.open(`/companies/${company.id}`);
  await page.click('.account-button');
  await page.click('#account form button');
  await page.waitForURL('/sign-in');
  await signIn(visit, await dealkeep.createOrganization());
  await page.keyboard.press('/');
  await page.waitForSelector('#palette [role=option]');
  expect(await page.textContent('#palette')).not.toContain('Žltý');
  expect(await page.evaluate('JSON.stringify(sessionStorage)')).not.toContain('Žltý');
});
