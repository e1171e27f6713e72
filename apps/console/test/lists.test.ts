import { sharedDealkeep } from '@dealkeep/testing';
import { describe, expect, test } from 'vitest';
import { headingOf, insertCompanies, linkOf, linksIn, orderMenuOf, placeOf } from './list-pages.ts';
import { textOf } from './page-parts.ts';
import { signedInOwner } from './signed-in-owner.ts';
import { signedInUser } from './signed-in-user.ts';

const dealkeep = await sharedDealkeep();

const open = () => signedInOwner(dealkeep);

const rowsOf = (html: string): string[] =>
  [...html.matchAll(/>(Firm \d+)<\/a>/g)].map(([, name = '']) => name);

describe('the pages of a list', () => {
  test('say which records of how many they show, and lead on and back again to the very same ones', async () => {
    const { organization, browser } = await open();
    await insertCompanies(dealkeep, organization.id, 130);
    const first = await browser.get('/companies?sort=name');
    expect([headingOf(first.html), placeOf(first.html)]).toEqual(['Companies 130', '1–50 of 130']);
    expect(linkOf(first.html, 'prev')).toBe('');
    const second = await browser.get(linkOf(first.html, 'next'));
    const third = await browser.get(linkOf(second.html, 'next'));
    expect([placeOf(second.html), placeOf(third.html)]).toEqual(['51–100 of 130', '101–130 of 130']);
    expect(linkOf(third.html, 'next')).toBe('');
    const back = await browser.get(linkOf(third.html, 'prev'));
    expect([placeOf(back.html), rowsOf(back.html)]).toEqual([placeOf(second.html), rowsOf(second.html)]);
    const begin = await browser.get(linkOf(back.html, 'prev'));
    expect([placeOf(begin.html), rowsOf(begin.html)]).toEqual([placeOf(first.html), rowsOf(first.html)]);
    expect(third.html).toContain('<a href="/companies?sort=name">First page</a>');
  });

  test('count what fits the filters, and change of them begins with the first page', async () => {
    const { organization, browser, api } = await open();
    await insertCompanies(dealkeep, organization.id, 60);
    await api.post('/companies', { name: 'Other', country_code: 'CZ' });
    const found = await browser.get('/companies?q=firm');
    expect(headingOf(found.html)).toBe('Companies 60');
    const next = await browser.get(linkOf(found.html, 'next'));
    expect(placeOf(next.html)).toBe('51–60 of 60');
    const form = /<form class="list-filters".*?<\/form>/s.exec(next.html)?.[0] ?? '';
    expect(form).not.toMatch(/name="(?:cursor|from|trail)"/);
    expect(next.html).toContain('href="/companies?q=firm&amp;sort=name"');
    expect(headingOf((await browser.get('/companies?country_code=CZ')).html)).toBe('Companies 1');
  });

  test('count, as they list, only what a role for assigned records shows', async () => {
    const { organization, api } = await open();
    const user = await signedInUser(dealkeep, organization, { permissions: 'leads.view=assigned' });
    for (const owner_id of [organization.ownerId, user.id]) {
      const items = Array.from({ length: 55 }, (_, number) => ({ name: `Lead ${number}`, owner_id }));
      expect((await api.post('/leads/batch', { operation: 'create', items })).status).toBe(200);
    }
    expect(headingOf((await user.browser.get('/leads')).html)).toBe('Leads 55');
  });
});

describe('the order of a list', () => {
  test('is a menu for windows without headings: every order by links, the one that it has marked', async () => {
    const { browser, api } = await open();
    for (const [name, value] of [
      ['Cheap', 10],
      ['Dear', 900],
    ] as const) {
      await api.post('/leads', { name, value });
    }
    const orders = linksIn(orderMenuOf((await browser.get('/leads?status=open')).html));
    expect(orders.map(({ said }) => said)).toEqual([
      'Name: A to Z',
      'Name: Z to A',
      'Value: lowest first',
      'Value: highest first',
      'Closes: earliest first',
      'Closes: latest first',
      'Created: earliest first',
      'Created: latest first',
    ]);
    expect(orders.filter(({ current }) => current).map(({ said }) => said)).toEqual([
      'Created: latest first',
    ]);
    const dearest = orders.find(({ said }) => said === 'Value: highest first')?.address ?? '';
    expect(dearest).toBe('/leads?status=open&sort=-value');
    const { html } = await browser.get(dearest);
    expect(html).toMatch(/>Dear<.*>Cheap</s);
    expect(linksIn(orderMenuOf(html)).find(({ current }) => current)?.said).toBe('Value: highest first');
  });
});

describe('the filters of a list', () => {
  test('are chips in people’s words, each of which is taken out alone', async () => {
    const { organization, browser, api } = await open();
    const { data: company } = await api.post('/companies', { name: 'Acme' });
    await api.post('/leads', { name: 'Lamp', company_id: company.id, owner_id: organization.ownerId });
    const asked = `status=open,won&owner_id=${organization.ownerId}&company_id=${company.id}&archived=false&created_after=2026-01-15T10:00&sort=name`;
    const { html } = await browser.get(`/leads?${asked}`);
    const chips = [...html.matchAll(/<li class="chip"[^>]*>(.*?)<\/li>/gs)].map(([, chip = '']) => chip);
    expect(chips.map((chip) => textOf(chip.split('</span>')[0] ?? ''))).toEqual([
      'Created after: 15 Jan 2026, 10:00',
      'Status: Open, Won',
      'Company: Acme',
      'Owner: Jana Horváthová',
      'Archived: No',
    ]);
    const taken = /<a href="([^"]*)"/.exec(chips.find((chip) => chip.includes('Acme')) ?? '')?.[1] ?? '';
    const left = new URLSearchParams(taken.replaceAll('&amp;', '&').split('?')[1]);
    expect([...left.keys()]).toEqual(['status', 'owner_id', 'archived', 'created_after', 'sort']);
    expect(html).toContain('<a class="clear" href="/leads?sort=name">');
    expect(html).toContain('>Lamp</a>');
    expect(html).not.toContain(`>${company.id}<`);
  });

  test('stay in the search and in the way a list is sorted', async () => {
    const { browser, api } = await open();
    await api.post('/leads', { name: 'Lamp', value: 10 });
    const { html } = await browser.get('/leads?status=open&q=la&sort=-value');
    const form = /<form class="list-filters".*?<\/form>/s.exec(html)?.[0] ?? '';
    expect(form).toContain('<option value="open" selected>');
    expect(form).toContain('<input type="hidden" name="sort" value="-value">');
    expect(html).toContain('href="/leads?status=open&amp;q=la&amp;sort=value"');
  });

  test('unfold where one of them is wrong, and say what', async () => {
    const { browser } = await open();
    const wrong = await browser.get('/companies?email=nonsense');
    expect(wrong.status).toBe(400);
    expect(wrong.html).toContain('<details class="filter-menu" open>');
    expect(wrong.html).toContain('id="problem-email"');
    expect((await browser.get('/companies')).html).toContain('<details class="filter-menu">');
  });
});
