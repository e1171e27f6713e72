import { sharedDealkeep } from '@dealkeep/testing';
import { expect, test } from 'vitest';
import { problemBeside, textOf } from './page-parts.ts';
import { unseenInConsole, walkPages } from './unseen-pages.ts';

// Of a role that shows only some records: what those refer to.

const dealkeep = await sharedDealkeep();
const shared = unseenInConsole(dealkeep);
const save = { do: 'save' };

test('no page, list, export, form or print of any kind shows what a person may not see (rule scopes 13)', async () => {
  const { records, browser } = await shared;
  const shown = await walkPages(browser, records);
  for (const kind of [
    'companies',
    'clients',
    'leads',
    'activities',
    'tasks',
    'invoices',
    'quotes',
    'bookings',
    'orders',
  ]) {
    expect(shown, kind).toEqual(expect.arrayContaining([`/${kind}`, `/${kind}/export.csv`, `/${kind}/{id}`]));
  }
});

test('neither the board, the home page nor the search shows what a person may not see (rule scopes 13)', async () => {
  const { records, browser } = await shared;
  for (const page of ['/', '/leads/board', '/search?q=Plain']) {
    const { status, html } = await browser.get(page);
    expect([status, html.includes('Plain')], page).toEqual([200, true]);
    for (const secret of records.secrets) expect(html.includes(secret), `${page} ${secret}`).toBe(false);
  }
});

test('a form refuses the id of such a record as one that does not exist, and choices do not offer it (rule scopes 13)', async () => {
  const { records, browser } = await shared;
  const { company, contact, lead } = records.unseen;
  const forms = [
    ['/leads/new', { name: 'New', company_id: company, contact_id: contact }],
    [
      '/activities/new',
      { name: 'New', start_at: '2026-10-05T10:00', company_id: company, contact_id: contact, lead_id: lead },
    ],
  ] as const;
  for (const [path, { name, ...references }] of forms) {
    const refused = await browser.fill(path, path, { name, ...references, ...save });
    expect(refused.status, path).toBe(422);
    for (const field of Object.keys(references).filter((each) => each.endsWith('_id'))) {
      expect(problemBeside(refused.html, field), `${path} ${field}`).toBeTruthy();
    }
    for (const secret of records.secrets)
      expect(refused.html.includes(secret), `${path} ${secret}`).toBe(false);
  }
  for (const choice of ['company', 'contact', 'client', 'lead', 'activity', 'task', 'customer']) {
    for (const q of ['', 'Veiled']) {
      const { html } = await browser.get(`/choices/${choice}?q=${q}`);
      for (const hidden of [...Object.values(records.unseen), ...records.secrets]) {
        expect(html.includes(hidden), `${choice} ${q} ${hidden}`).toBe(false);
      }
    }
  }
});

test('a search in a form finds by name only what a person may see (rule scopes 13)', async () => {
  const { browser } = await shared;
  const tried = await browser.fill('/leads/new', '/leads/new', {
    name: 'New',
    'company_id.find': 'Veiled Works',
    ...save,
  });
  expect([tried.status, textOf(tried.html)]).toEqual([422, expect.stringContaining('Veiled Works')]);
  expect(tried.html).not.toContain('office@veiled.example');
  const made = await browser.fill('/leads/new', '/leads/new', {
    name: 'Of own',
    'company_id.find': 'Plain Works',
    ...save,
  });
  expect(made.status).toBe(303);
});
