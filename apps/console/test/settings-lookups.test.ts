import { sharedDealkeep } from '@dealkeep/testing';
import { describe, expect, test } from 'vitest';
import { lists, lookupOwner, tokenOn } from './lookup-owner.ts';
import { problemBeside, textOf } from './page-parts.ts';
import { signedInUser } from './signed-in-user.ts';
import { itKeepsEntries } from './simple-lookups.ts';

const dealkeep = await sharedDealkeep();
const { sql } = dealkeep;
const save = { do: 'save' };

// Most tests share an organization, with names of their own.
const [me, theirs] = [await lookupOwner(dealkeep), await lookupOwner(dealkeep)];

const simple = [
  ['tags', { name: 'Big', color: '#2f7a5b' }, { name: 'Huge', color: '#a63d40' }],
  [
    'custom-fields',
    { name: 'Size', type: 'number', required: 'true', description: 'Of the shop' },
    { name: 'Since', type: 'date', required: 'false' },
  ],
] as const;

describe.each(simple)('%s', (...entry) => {
  itKeepsEntries(dealkeep, [me, theirs], entry);
});

test('only what was done is said, whatever an address says', async () => {
  // The frame around it has a status of its own, for what is searched.
  const said = async (done: string) =>
    (await me.browser.get(`/settings/lists/tags?done=${done}`)).html.replace(/^.*<main/s, '');
  expect(await said('saved')).toContain('role="status"');
  for (const done of ['constructor', 'toString', '__proto__', 'nothing']) {
    expect(await said(done), done).not.toContain('role="status"');
  }
});

describe('what records have', () => {
  test('a tag is taken out of the companies and leads that have it, and of no others (rule lookups 6)', async () => {
    const [vip, big] = [await me.idOf('tags', { name: 'VIP' }), await me.idOf('tags', { name: 'Local' })];
    const company = (await me.api.post('/companies', { name: 'Tatra Bikes' })).data.id;
    const lead = (await me.api.post('/leads', { name: 'Ten bikes' })).data.id;
    await sql`update companies set tag_ids = ${[vip, big]} where id = ${company}`;
    await sql`update leads set tag_ids = ${[vip]} where id = ${lead}`;
    const page = textOf((await me.browser.get(`${lists}/tags/${vip}/remove`)).html);
    expect(page).toContain('Companies: 1');
    expect(page).toContain('Leads: 1');
    expect((await me.step('tags', vip, 'remove')).location).toBe(`${lists}/tags?done=removed`);
    expect((await me.api.get(`/companies/${company}`)).data.tags).toEqual(['Local']);
    expect((await me.api.get(`/leads/${lead}`)).data.tags).toEqual([]);
    expect(await sql`select tag_ids from leads where id = ${lead}`).toEqual([{ tag_ids: [] }]);
  });

  test('a custom field keeps its type while companies have values, and takes them along when it is removed (rules lookups 6 and 7)', async () => {
    const id = await me.idOf('custom-fields', { name: 'Rooms', type: 'number' });
    const company = (await me.api.post('/companies', { name: 'Tatra Bikes' })).data.id;
    await sql`update companies set custom_fields = ${sql.json({ [id]: '12' })} where id = ${company}`;
    expect((await me.api.get(`/companies/${company}`)).data.custom_fields).toEqual({ Rooms: '12' });

    const refused = await me.step('custom-fields', id, 'edit', { type: 'date' });
    expect([refused.status, problemBeside(refused.html, 'type')]).toEqual([
      422,
      expect.stringContaining('(1)'),
    ]);
    await me.step('custom-fields', id, 'edit', { name: 'Shops' });
    expect((await me.api.get(`/companies/${company}`)).data.custom_fields).toEqual({ Shops: '12' });

    expect(textOf((await me.browser.get(`${lists}/custom-fields/${id}/remove`)).html)).toContain(
      'Companies: 1',
    );
    await me.step('custom-fields', id, 'remove');
    expect((await me.api.get(`/companies/${company}`)).data.custom_fields).toEqual({});
    expect(await sql`select custom_fields from companies where id = ${company}`).toEqual([
      { custom_fields: {} },
    ]);
  });
});

test('whoever is no owner is neither led there nor let in', async () => {
  const { organization, api, listed } = theirs;
  const permissions = 'leads.view=all,leads.edit=all';
  const { browser } = await signedInUser(dealkeep, organization, { permissions });
  const page = await browser.get('/leads');
  expect(page.html).not.toContain(`href="${lists}"`);
  const id = (await listed('/lead-origins')).get('Referral')?.['id'];
  const origins = `${lists}/lead-origins`;
  const pipeline = (await api.get('/pipelines')).page.data[0]?.id;
  const pages = [
    lists,
    origins,
    `${origins}/new`,
    `${origins}/${id}/edit`,
    `${origins}/${id}/remove`,
    `${lists}/pipelines/${pipeline}`,
    `${lists}/pipelines/${pipeline}/stages/new`,
  ];
  for (const path of pages) expect((await browser.get(path)).status, path).toBe(403);
  const csrf_token = tokenOn(page);
  for (const path of [...pages.slice(2, 5), `${origins}/${id}/restore`, `${pages[6]}`]) {
    expect((await browser.post(path, { csrf_token, name: 'Mine', ...save })).status, path).toBe(403);
  }
  expect((await listed('/lead-origins')).has('Referral')).toBe(true);
});
