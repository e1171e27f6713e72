import { Browser, sharedDealkeep } from '@dealkeep/testing';
import { expect, test } from 'vitest';
import { textOf } from './page-parts.ts';

const dealkeep = await sharedDealkeep();

/** Somebody who is signed in, and their page of an address. */
async function visiting(organization: Parameters<Browser['signIn']>[0]): Promise<Browser> {
  const browser = new Browser(dealkeep);
  await browser.signIn(organization);
  return browser;
}

/** What an element of an id holds. */
const partOf = (html: string, id: string): string => html.split(`id="${id}"`)[1]?.split('</div>')[0] ?? '';

test('the account menu says who is signed in, with what address and where, and signs out', async () => {
  const organization = await dealkeep.createOrganization();
  const browser = await visiting(organization);
  const home = await browser.get('/');
  const menu = textOf(`<i ${partOf(home.html, 'account')}`);
  expect(menu).toContain(organization.ownerEmail);
  expect(menu).toContain('Owner');
  expect(home.html).toContain('popovertarget="account"');
  expect((await browser.submit(home, '/sign-out', {})).location).toBe('/sign-in');
});

test('whoever belongs to one organization has no list of them', async () => {
  const browser = await visiting(await dealkeep.createOrganization());
  const { html } = await browser.get('/');
  expect(html).not.toContain('popovertarget="organizations"');
  expect(html).not.toContain('id="organizations"');
});

test('every entry of the navigation has an icon, which nobody is read', async () => {
  const browser = await visiting(await dealkeep.createOrganization());
  const { html } = await browser.get('/');
  const entries = [
    ...(html.split('<nav id="navigation"')[1]?.split('</nav>')[0] ?? '').matchAll(
      /<li><a [^>]*>(.*?)<\/a>/gs,
    ),
  ];
  expect(entries.length).toBeGreaterThan(20);
  const drawn = entries.map(([, entry = '']) => entry.split('</svg>')[0]);
  for (const entry of drawn)
    expect(entry).toMatch(/^<svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><(?:path|circle|rect)/);
  expect(new Set(drawn).size, 'no two entries look alike').toBe(entries.length);
});

test('whoever is signed in keeps the navigation where nothing is; nobody else is shown it', async () => {
  const browser = await visiting(await dealkeep.createOrganization());
  const { status, html } = await browser.get('/leads/019bd1f0-0000-7000-8000-000000000000');
  expect([status, textOf(html)]).toEqual([
    404,
    expect.stringContaining('There is nothing here The address is not known'),
  ]);
  expect(html).toContain('<nav id="navigation"');
  const stranger = await new Browser(dealkeep).get('/no-such.file');
  expect([stranger.status, stranger.html.includes('<nav')]).toEqual([404, false]);
});
