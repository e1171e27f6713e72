import { Browser, inConsole, sharedDealkeep } from '@dealkeep/testing';
import { describe, expect, test } from 'vitest';
import { textOf } from './page-parts.ts';
import { signedInUser } from './signed-in-user.ts';

const dealkeep = await sharedDealkeep();
const { core, sql } = dealkeep;
const path = '/settings/audit-log';

async function begin() {
  const organization = await dealkeep.createOrganization();
  const owner = new Browser(dealkeep);
  await owner.signIn(organization);
  return { organization, owner, api: dealkeep.as(organization.key) };
}

test('owners read who did what in sentences, with links to the records, in both languages (rule audit 7)', async () => {
  const { organization, owner, api } = await begin();
  const { data: lead } = await api.post('/leads', { name: 'Fleet renewal' });
  await inConsole(core, organization, 'leads.archive', { id: lead.id });
  await inConsole(core, organization, 'organizations.update', { name: 'New name', makes_tags: false });
  const { html } = await owner.get(path);
  const text = textOf(html);
  expect(text).toContain('The API key Test key of Jana Horváthová created the lead Fleet renewal');
  expect(text).toContain('Jana Horváthová archived the lead Fleet renewal');
  expect(text).toContain('Jana Horváthová changed the organization Test organization');
  expect(text).toContain('Name: Test organization → New name');
  expect(text).toContain('Jana Horváthová signed in');
  expect(text).toContain('The operator created the API key Test key');
  expect(html).toContain(`href="/leads/${lead.id}">Fleet renewal</a>`);
  const slovak = textOf((await owner.get(path, { 'Accept-Language': 'sk' })).html);
  expect(slovak).toContain('Jana Horváthová archivoval(a) príležitosť Fleet renewal');
  expect(slovak).toContain('API kľúč Test key (Jana Horváthová) vytvoril príležitosť Fleet renewal');
});

test('nobody else is shown it (rule audit 7)', async () => {
  const { organization } = await begin();
  await inConsole(core, organization, 'roles.add', { name: 'Sales', permissions: { 'leads.view': 'all' } });
  const { browser: other } = await signedInUser(dealkeep, organization, { role: 'Sales' });
  expect((await other.get(path)).status).toBe(403);
  expect((await other.get(`${path}/export.csv`)).status).toBe(403);
  expect((await other.get('/')).html).not.toContain(path);
});

describe('the log is filtered', () => {
  test('by who, by key, by what it is about, by one record and by time', async () => {
    const { organization, owner, api } = await begin();
    const { data: one } = await api.post('/leads', { name: 'First' });
    await api.post('/companies', { name: 'Second' });
    const shown = async (query: Record<string, string>) =>
      textOf((await owner.get(`${path}?${new URLSearchParams(query)}`)).html);
    const byKey = await shown({ via_id: organization.keyId });
    expect(byKey).toContain('created the lead First');
    expect(byKey).not.toContain('signed in');
    const leads = await shown({ resource: 'lead' });
    expect(leads).toContain('created the lead First');
    expect(leads).not.toContain('Second');
    expect(await shown({ record_id: one.id })).not.toContain('Second');
    expect(await shown({ actor_kind: 'operator' })).not.toContain('created the lead');
    expect(await shown({ actor_id: organization.ownerId })).toContain('created the lead First');
    expect(await shown({ until: '2020-01-01T00:00' })).toContain('Nothing of this kind has been done');
    expect(await shown({ actor_id: 'nobody' })).toContain('Nothing of this kind has been done');
  });

  test('and read page by page', async () => {
    const { owner, api } = await begin();
    const items = Array.from({ length: 60 }, (_, index) => ({ name: `Company ${index}` }));
    await api.send('POST', '/companies/batch', { json: { operation: 'create', items } });
    const first = await owner.get(`${path}?resource=company`);
    const next = /rel="next" href="([^"]+)"/.exec(first.html)?.[1]?.replaceAll('&amp;', '&') ?? '';
    const second = await owner.get(next);
    const names = (html: string) => [...html.matchAll(/>(Company \d+)</g)].map(([, name]) => name);
    expect([...names(first.html), ...names(second.html)]).toEqual(items.map(({ name }) => name).reverse());
    expect(second.html).not.toContain('rel="next"');
    expect((await owner.get(`${path}?cursor=forged`)).location).toBe(path);
  });

  test('and a rare entry behind many others is found with the next pages', async () => {
    const { organization, owner } = await begin();
    await inConsole(core, organization, 'tags.add', { name: 'Rare', color: '#ff0000' });
    await sql`
      insert into audit_entries (organization_id, id, at, operation, resource, actor_kind)
      select ${organization.id}, ('f' || right(gen_random_uuid()::text, 35))::uuid, now(), 'leads.update', 'lead', 'system'
      from generate_series(1, 20001)`;
    const first = await owner.get(`${path}?resource=tag`);
    expect(textOf(first.html)).toContain('Only some of the log was looked through');
    const next = /rel="next" href="([^"]+)"/.exec(first.html)?.[1]?.replaceAll('&amp;', '&') ?? '';
    expect(textOf((await owner.get(next)).html)).toContain('added the tag Rare');
  });
});

test('the log is exported as CSV, guarded against formulas, and that is told (rule audit 7)', async () => {
  const { owner, api } = await begin();
  await api.send('POST', '/companies', {
    json: { name: '=1+1' },
    headers: { 'User-Agent': '=cmd|calc' },
  });
  const { html: csv, headers } = await owner.get(`${path}/export.csv`);
  expect(headers.get('content-type')).toContain('text/csv');
  expect(csv).toContain('created the company =1+1');
  expect(csv).toContain("'=cmd|calc");
  expect(csv).not.toMatch(/[,\n]=/);
  expect(textOf((await owner.get(path)).html)).toContain('Jana Horváthová exported audit log');
  await owner.get('/companies/export.csv');
  expect(textOf((await owner.get(path)).html)).toContain('Jana Horváthová exported companies');
});

test('hostile names and programs are shown as text', async () => {
  const { owner, api } = await begin();
  await api.send('POST', '/companies', {
    json: { name: '<script>alert(1)</script>' },
    headers: { 'User-Agent': '"><img src=x>' },
  });
  const { html } = await owner.get(path);
  expect(html).not.toContain('<script>alert(1)');
  expect(html).not.toContain('<img src=x>');
  expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
});
