import { readdir, readFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { startChromium } from '@dealkeep/testing/chromium';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { signIn, startBusiness } from './business.ts';
import { type Look, looks, type Visitor, visitor } from './visitor.ts';

// Forms as somebody fills them in by keyboard alone: choices while typing, lines with their sums, and leaving.

const { dealkeep, organization } = await startBusiness();
const chromium = await startChromium();
const api = dealkeep.as(organization.key);

/** An owner in a window of their own. */
async function owner(look: Look = looks[0] as Look): Promise<Visitor> {
  const visit = await visitor(chromium, dealkeep.origin, look);
  await signIn(visit, organization);
  return visit;
}

const chosen = (page: Page, name: string): Promise<string> =>
  page.evaluate(`document.querySelector('[name="${name}"]').value`);
const offers = (page: Page) => page.locator('.offers:popover-open [role=option]');
const idIn = (page: Page): string => new URL(page.url()).pathname.split('/').at(-1) ?? '';

/** Presses keys and counts them; a text counts as one for each of its letters. */
function counting(page: Page) {
  let pressed = 0;
  return {
    press: async (...keys: string[]) => {
      for (const key of keys) await page.keyboard.press(key);
      pressed += keys.length;
    },
    type: (text: string) => page.keyboard.type(text),
    get pressed() {
      return pressed;
    },
  };
}

test('a lead with a new company takes three texts and eight other keys on one page', async () => {
  const { page, open, judge } = await owner();
  await open('/leads/new');
  const keys = counting(page);
  // The first field has the focus.
  await keys.type('Pekáreň Orava s.r.o.');
  await expect.poll(() => offers(page).last().textContent()).toBe('Create “Pekáreň Orava s.r.o.”');
  await judge('lead-new-company-offered');
  await keys.press('Enter');
  await expect.poll(() => chosen(page, 'company.name')).toBe('Pekáreň Orava s.r.o.');
  await keys.type('info@orava.example');
  await judge('lead-new-company');
  const names = await page.evaluate<string[]>(
    `[...document.querySelectorAll('main form.card input, main form.card select, main form.card textarea')]
      .filter((each) => each.type !== 'hidden' && each.value !== '' && each.checkVisibility()
        && !['stage_id', 'owner_id'].includes(each.name)).map((each) => each.name)`,
  );
  await keys.press('Control+Enter');
  await page.waitForURL(/done=save/);
  const { data: lead } = await api.get(`/leads/${idIn(page)}`);
  const { data: company } = await api.get(`/companies/${lead.company?.id}`);
  expect([lead.name, company.name, company.email]).toEqual([
    ...['Pekáreň Orava s.r.o.', 'Pekáreň Orava s.r.o.', 'info@orava.example'],
  ]);
  expect(names.length).toBeLessThanOrEqual(6);
  expect(keys.pressed).toBeLessThanOrEqual(8);
});

describe.each(looks)('in $language, $colours, $width wide', (look) => {
  const words =
    look.language === 'en'
      ? { create: 'Create “', found: /^\d+ found$/, price: '12.345', sum: '€12.35' }
      : { create: 'Vytvoriť „', found: /^Nájdené: \d+$/, price: '12,345', sum: '12,35' };

  test('a customer is found by keys alone, read out, and made in a dialog that says what is wrong with it', async () => {
    const name = `Nová firma ${look.language} ${look.width}`;
    const { page, open, judge } = await owner(look);
    await open('/invoices/new');
    const customer = page.locator('#field-client_id');
    await expect.poll(() => customer.getAttribute('role')).toBe('combobox');
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => offers(page).count()).toBeGreaterThan(5);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    const marked = page.locator('[role=option][aria-selected=true]');
    expect(await customer.getAttribute('aria-activedescendant')).toBe(await marked.getAttribute('id'));
    expect(await customer.getAttribute('aria-expanded')).toBe('true');
    await judge('customer-offered');
    await page.keyboard.press('Escape');
    await expect.poll(() => offers(page).count()).toBe(0);
    expect(await customer.getAttribute('aria-expanded')).toBe('false');

    await page.keyboard.type('pekaren');
    await expect.poll(() => page.locator('.finder [role=status]').first().textContent()).toMatch(words.found);
    await page.keyboard.press('Enter');
    expect(await chosen(page, 'client_id.customer')).toMatch(/^(?:client|company):/);

    await customer.fill(name);
    await expect.poll(() => offers(page).last().textContent()).toContain(words.create);
    expect(await chosen(page, 'client_id.customer')).toBe('');
    await page.keyboard.press('Enter');
    const dialog = page.locator('dialog');
    await expect.poll(() => dialog.locator('[name=name]').inputValue()).toBe(name);
    await dialog.locator('[name=email]').fill('nonsense');
    await page.keyboard.press('Control+Enter');
    await expect.poll(() => dialog.locator('.field-problem').count()).toBe(1);
    await judge('customer-dialog');
    await dialog.locator('[name=email]').fill(`a@b${look.width}${look.language}.example`);
    await page.keyboard.press('Control+Enter');
    await expect.poll(() => dialog.count()).toBe(0);
    expect(await customer.inputValue()).toBe(name);
    expect(await page.evaluate('document.activeElement.id')).toBe('field-client_id');
    expect(await chosen(page, 'client_id.customer')).toMatch(/^company:/);
  });

  test('lines are filled in, added, moved and counted by keys alone', async () => {
    const { page, open, judge } = await owner(look);
    await open('/quotes/new');
    await page.focus('[name="items[0].name"]');
    await page.keyboard.type('Bell');
    await expect.poll(() => offers(page).count()).toBeGreaterThan(0);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await expect.poll(() => chosen(page, 'items[0].unit_price')).not.toBe('');
    await page.focus('button[value="add:items"]');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.evaluate('document.activeElement.name')).toBe('items[1].name');
    await page.keyboard.type('Anything');
    await page.fill('[name="items[1].unit_price"]', words.price);
    await expect.poll(() => page.locator('tbody output').nth(1).textContent()).toContain(words.sum);
    await page.focus('button[value="up:items:1"]');
    await page.keyboard.press('Enter');
    await expect.poll(() => chosen(page, 'items[0].name')).toBe('Anything');
    expect(await page.evaluate('document.activeElement.closest("tr").id')).toBe('field-items[0]');
    await judge('lines');
    await page.focus('button[value="remove:items:1"]');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.locator('tbody tr').count()).toBe(1);
    await expect.poll(() => page.locator('.to-pay output').textContent()).toMatch(/\d/);
  });
});

describe('leaving a form', () => {
  /** What the browser asks before it leaves. */
  function asked(page: Page, answer: 'accept' | 'dismiss'): string[] {
    const said: string[] = [];
    page.on('dialog', async (dialog) => {
      said.push(dialog.type());
      await dialog[answer]();
    });
    return said;
  }

  test('that somebody changed asks, and keeps what was typed for whoever stays', async () => {
    const { page, open } = await owner();
    await open('/companies/new');
    const said = asked(page, 'dismiss');
    await page.fill('[name=name]', 'Half typed');
    await page.click('nav a[href="/leads"]');
    await expect.poll(() => said).toEqual(['beforeunload']);
    expect(new URL(page.url()).pathname).toBe('/companies/new');
    expect(await page.inputValue('[name=name]')).toBe('Half typed');
  });

  test('that is unchanged, or sent, asks nothing', async () => {
    const { page, open } = await owner();
    const said = asked(page, 'accept');
    await open('/companies/new');
    await page.click('nav a[href="/leads"]');
    await page.waitForURL('/leads');
    await open('/companies/new');
    await page.fill('[name=name]', 'Sent');
    await page.keyboard.press('Control+Enter');
    await page.waitForURL(/done=save/);
    expect(said).toEqual([]);
  });

  test('and coming back finds what was typed', async () => {
    const { page, open } = await owner();
    asked(page, 'accept');
    await open('/companies/new');
    await page.fill('[name=name]', 'Come back to');
    await page.click('nav a[href="/leads"]');
    await page.waitForURL('/leads');
    await page.goBack();
    await expect.poll(() => page.inputValue('[name=name]')).toBe('Come back to');
  });
});

test('a choice that somebody typed and did not choose is looked for when the form is saved', async () => {
  const { page, open } = await owner();
  await open('/contacts/new');
  await page.fill('[name=name]', 'Eva Typed');
  await page.fill('#field-company_id', 'Pekáreň Zvolen');
  await page.click('form.card > .choices button');
  await page.waitForURL(/done=save/);
  expect((await api.get(`/contacts/${idIn(page)}`)).data.company?.name).toBe('Pekáreň Zvolen s.r.o.');
});

test('a long list on the page is looked through by typing, without regard to accents', async () => {
  const { page, open } = await owner();
  await open('/companies/new');
  await page.fill('[name=name]', 'In Slovakia');
  const country = page.locator('#field-country_code');
  await country.fill('slovak');
  await expect.poll(() => offers(page).allTextContents()).toEqual(['Slovakia']);
  await page.keyboard.press('Enter');
  expect(await chosen(page, 'country_code')).toBe('SK');
  await country.fill('nowhere');
  await page.keyboard.press('Escape');
  await page.focus('[name=name]');
  expect(await country.inputValue()).toBe('');
});

test('all scripts of a page with a form have 30 kB at most, compressed', async () => {
  const folder = new URL('../../src/assets/script/', import.meta.url);
  const ofForms = ['console.js', 'form.js', 'choice.js', 'new-record.js'];
  const names = (await readdir(folder)).filter((name) => ofForms.includes(name));
  const sizes = await Promise.all(
    names.map(async (name) => gzipSync(await readFile(new URL(name, folder))).length),
  );
  expect(names).toHaveLength(ofForms.length);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(30_000);
});
