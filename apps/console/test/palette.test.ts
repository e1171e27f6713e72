import { Browser, sharedDealkeep } from '@dealkeep/testing';
import { expect, test } from 'vitest';
import { textOf } from './page-parts.ts';
import { signedInUser } from './signed-in-user.ts';

const dealkeep = await sharedDealkeep();
const organization = await dealkeep.createOrganization();
const api = dealkeep.as(organization.key);
const { data: company } = await api.post('/companies', {
  name: 'Žltý kôň <b>s.r.o.</b>',
  registration_id: '36123456',
  city: 'Košice',
});
await api.post('/leads', { name: 'Náter', company_id: company.id });
await api.post('/tasks', { title: 'Žltý návrh' });
const browser = new Browser(dealkeep);
await browser.signIn(organization);

const asked = async (q: string, by = browser): Promise<string> =>
  (await by.get(`/search/suggestions?${new URLSearchParams({ q })}`)).html;

/** The options below each heading, as somebody reads them. */
function groupsOf(html: string): Record<string, string[]> {
  const groups = html.split('<div role="group" aria-label="').slice(1);
  return Object.fromEntries(
    groups.map((group) => [
      group.slice(0, group.indexOf('"')),
      [...group.matchAll(/<a role="option"[^>]*>(.*?)<\/a>/gs)].map(([, option = '']) => textOf(option)),
    ]),
  );
}

test('what is typed is found by kind, with what tells it from others, an icon and a link (rule search 7)', async () => {
  const html = await asked('zlty');
  expect(groupsOf(html)).toMatchObject({
    Companies: ['Žltý kôň &lt;b&gt;s.r.o.&lt;/b&gt; 36123456 · Košice'],
    Tasks: ['Žltý návrh'],
    Results: ['All results for “zlty”'],
  });
  expect(html).toContain(`href="/companies/${company.id}"><svg class="icon"`);
  expect(html).toContain('data-said="Results: 2. Arrow keys choose one."');
});

test('pages and what can be made are found by the beginnings of their words, in the language of the page', async () => {
  expect(groupsOf(await asked('cre le'))['Create']).toEqual(['Create lead']);
  expect(groupsOf(await asked('webh'))).toMatchObject({ Create: ['New webhook'], 'Go to': ['Webhooks'] });
  await browser.get('/?language=sk');
  expect(groupsOf(await asked('uloh'))).toMatchObject({
    Vytvoriť: ['Vytvoriť úlohu'],
    'Prejsť na': ['Úlohy'],
  });
  // By the name as it stands elsewhere, too.
  expect(groupsOf(await asked('úloha'))['Vytvoriť']).toEqual(['Vytvoriť úlohu']);
  await browser.get('/?language=en');
});

test('before anything is typed it offers what is made most, and searches nothing', async () => {
  const groups = groupsOf(await asked(' '));
  expect(Object.keys(groups)).toEqual(['Create']);
  expect(groups['Create']).toContain('Create lead');
});

test('a role is offered what it permits, and finds nothing else (rule search 7)', async () => {
  const permissions = 'leads.view=all';
  const { browser: other } = await signedInUser(dealkeep, organization, { permissions });
  expect(Object.keys(groupsOf(await asked('zlty', other)))).toEqual(['Results']);
  expect(Object.keys(groupsOf(await asked('webh', other)))).toEqual(['Results']);
  expect(groupsOf(await asked('le', other))).toMatchObject({ 'Go to': ['Leads'] });
  expect(await asked('cre le', other)).not.toContain('/leads/new');
  const shortcuts = textOf((await other.get('/shortcuts')).html);
  expect(shortcuts).toContain('g l Leads');
  expect(shortcuts).not.toContain('Invoices');
});

test('another organization finds none of it, and a stranger is asked to sign in', async () => {
  const other = new Browser(dealkeep);
  await other.signIn(await dealkeep.createOrganization());
  expect(Object.keys(groupsOf(await asked('zlty', other)))).toEqual(['Results']);
  expect((await new Browser(dealkeep).get('/search/suggestions?q=zlty')).location).toContain('/sign-in');
});

test('however much is typed, only the beginning is looked for', async () => {
  const html = await asked('ž'.repeat(1000));
  expect(html.length).toBeLessThan(5000);
  expect(html).toContain('Nothing was found.');
});
