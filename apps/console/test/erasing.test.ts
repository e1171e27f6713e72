import { Browser, sharedDealkeep } from '@dealkeep/testing';
import { expect, test } from 'vitest';
import { textOf } from './page-parts.ts';
import { signedInUser } from './signed-in-user.ts';

const dealkeep = await sharedDealkeep();
const organization = await dealkeep.createOrganization();
const api = dealkeep.as(organization.key);
const owner = new Browser(dealkeep);
await owner.signIn(organization);

/** A record of each kind that can be erased; its page. */
async function records(): Promise<{ page: string; name: string }[]> {
  const { data: company } = await api.post('/companies', { name: 'Acme' });
  const { data: contact } = await api.post('/contacts', { company_id: company.id, name: 'Eva' });
  const { data: client } = await api.post('/clients', { company_id: company.id, note: 'Pays late' });
  const { data: lead } = await api.post('/leads', { name: 'Bikes', note: 'For Eva' });
  await api.post(`/leads/${lead.id}/archive`);
  return [
    { page: `/leads/${lead.id}`, name: 'For Eva' },
    { page: `/clients/${client.id}`, name: 'Pays late' },
    { page: `/contacts/${contact.id}`, name: 'Eva' },
    { page: `/companies/${company.id}`, name: 'Acme' },
  ];
}

test('owners erase by a button with a page that asks first, in both languages (rule erasing 1)', async () => {
  for (const { page, name } of await records()) {
    const before = await owner.get(page);
    expect(textOf(before.html)).toContain(name);
    expect(before.html).toContain(`href="${page}/erase"`);
    const asking = await owner.get(`${page}/erase`);
    expect(textOf(asking.html)).toContain('Nothing brings it back');
    expect(textOf((await owner.get(page)).html)).toContain(name);
    const done = await owner.submit(asking, `${page}/erase`, { do: 'save' });
    expect([done.status, done.headers.get('location')]).toEqual([303, `${page}?done=erase`]);
    const after = textOf((await owner.get(`${page}?done=erase`)).html);
    expect(after).not.toContain(name);
    expect(after).toContain('Erase');
  }
  const { data: contact } = await api.post('/companies', { name: 'Acme' });
  const slovak = { 'Accept-Language': 'sk' };
  const asking = await fetchIn(slovak, `/companies/${contact.id}/erase`);
  expect(asking).toContain('Vymazať');
  expect(asking).toContain('Nič to nevráti');
});

const fetchIn = async (headers: Record<string, string>, path: string): Promise<string> =>
  textOf((await owner.get(path, headers)).html);

test('nobody else is offered it, and whoever asks for it is refused', async () => {
  const all = ['companies', 'clients', 'leads'].flatMap((each) => [
    `${each}.view=all`,
    `${each}.edit=all`,
    `${each}.create=all`,
  ]);
  const { browser } = await signedInUser(dealkeep, organization, { permissions: all.join(',') });
  for (const { page, name } of await records()) {
    const { html } = await browser.get(page);
    expect(html).not.toContain(`${page}/erase`);
    const csrf_token = /name="csrf_token" value="([^"]*)"/.exec(html)?.[1] ?? '';
    expect((await browser.get(`${page}/erase`)).status).toBe(403);
    expect((await browser.post(`${page}/erase`, { csrf_token, do: 'save' })).status).toBe(403);
    expect(textOf((await browser.get(page)).html)).toContain(name);
  }
});

test('who changes an erased record is told why that is not possible', async () => {
  const { data: company } = await api.post('/companies', { name: 'Acme' });
  await api.send('POST', `/companies/${company.id}/erase`);
  const page = `/companies/${company.id}/edit`;
  const form = await owner.get(page);
  const refused = await owner.submit(form, page, { name: 'Acme again', do: 'save' });
  expect([refused.status, textOf(refused.html)]).toEqual([
    409,
    expect.stringContaining('The personal data of this record was erased'),
  ]);
  expect((await api.get(`/companies/${company.id}`)).data.name).toBe('[erased]');
});
