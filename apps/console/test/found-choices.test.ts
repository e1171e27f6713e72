import { Browser, sharedDealkeep } from '@dealkeep/testing';
import { describe, expect, test } from 'vitest';
import { idOfMade, problemBeside, selectedIn } from './page-parts.ts';
import { signedInOwner } from './signed-in-owner.ts';
import { signedInUser } from './signed-in-user.ts';

// Of records that a form is filled with by searching among many: products, customers, contacts.

const dealkeep = await sharedDealkeep();
const save = { do: 'save' };
const owner = () => signedInOwner(dealkeep);

interface Offers {
  readonly said: string;
  readonly choices: readonly { id: string; name: string; about?: string; fills?: Record<string, string> }[];
  readonly create?: { said: string; path: string };
}
const offersOf = async (browser: Browser, path: string): Promise<Offers> =>
  JSON.parse((await browser.get(path)).html);
const namesOf = ({ choices }: Offers): string[] => choices.map(({ name }) => name);

describe('a choice while somebody types', () => {
  test('offers what has the text in its name, those that begin with it first, whatever the case and the accents', async () => {
    const { browser, api } = await owner();
    await api.post('/companies', { name: 'Tatry s.r.o.', email: 'info@tatry.example' });
    await api.post('/companies', { name: 'Nízke Tatry a.s.' });
    await api.post('/companies', { name: 'Fatra' });
    const found = await offersOf(browser, '/choices/company?q=TATR');
    expect(namesOf(found)).toEqual(['Tatry s.r.o.', 'Nízke Tatry a.s.']);
    expect(found.choices[0]?.about).toBe('info@tatry.example');
    expect([found.said, found.create]).toEqual([
      '2 found',
      { said: 'Create “TATR”', path: '/companies/new' },
    ]);
    expect(namesOf(await offersOf(browser, '/choices/company?q=nizke'))).toEqual(['Nízke Tatry a.s.']);
  });

  test('offers without a text what was changed last, twenty at most', async () => {
    const { browser, api } = await owner();
    const { data: first } = await api.post('/companies', { name: 'Firm 00' });
    for (let index = 1; index < 22; index += 1)
      await api.post('/companies', { name: `Firm ${String(index).padStart(2, '0')}` });
    await api.patch(`/companies/${first.id}`, { phone: '+421 900 000 000' });
    const found = await offersOf(browser, '/choices/company');
    expect(namesOf(found).slice(0, 2)).toEqual(['Firm 00', 'Firm 21']);
    expect([found.choices.length, found.said, found.create]).toEqual([
      20,
      'More than 20: type more of the name',
      undefined,
    ]);
  });

  test('offers the contacts of the company that is chosen, and no lead that was put away', async () => {
    const { browser, api } = await owner();
    const [{ data: one }, { data: other }] = [
      await api.post('/companies', { name: 'One' }),
      await api.post('/companies', { name: 'Other' }),
    ];
    await api.post('/contacts', { name: 'Eva of one', company_id: one.id });
    await api.post('/contacts', { name: 'Eva of other', company_id: other.id });
    const found = await offersOf(browser, `/choices/contact?q=eva&parent=${other.id}`);
    expect(namesOf(found)).toEqual(['Eva of other']);
    const { data: lead } = await api.post('/leads', { name: 'Put away' });
    await api.post('/leads', { name: 'Not put away' });
    await api.post(`/leads/${lead.id}/archive`, {});
    expect(namesOf(await offersOf(browser, '/choices/lead?q=put+away'))).toEqual(['Not put away']);
  });

  test('offers what the role shows, and a new one where the role may make it', async () => {
    const { organization, api } = await owner();
    await api.post('/companies', { name: 'Unseen' });
    const visitor = async (permissions: string) =>
      (await signedInUser(dealkeep, organization, { permissions })).browser;
    const none = await offersOf(await visitor('leads.view=all'), '/choices/company?q=unseen');
    expect([none.choices, none.create]).toEqual([[], undefined]);
    const sees = await offersOf(await visitor('companies.view=all'), '/choices/company?q=unseen');
    expect([namesOf(sees), sees.create]).toEqual([['Unseen'], undefined]);
    const stranger = await (await owner()).browser.get('/choices/company?q=unseen');
    expect(JSON.parse(stranger.html).choices).toEqual([]);
    expect((await new Browser(dealkeep).get('/choices/company?q=unseen')).location).toContain('/sign-in');
  });

  test('takes any text, and knows no other lists than those that are searched', async () => {
    const { browser } = await owner();
    for (const q of ['', '%00', '%ED%A0%80', '%F0%9F%9A%B2'.repeat(300)])
      expect((await browser.get(`/choices/company?q=${q}`)).status, q).toBe(200);
    for (const name of ['user', 'nothing', '__proto__'])
      expect((await browser.get(`/choices/${name}`)).status, name).toBe(404);
  });
});

describe('a customer', () => {
  const line = { 'items[0].name': 'Repair', 'items[0].unit_price': '80' };

  test('is one choice among clients and companies, and stands in the field of its own', async () => {
    const { browser, api } = await owner();
    const { data: buys } = await api.post('/companies', { name: 'Matra buys' });
    const { data: client } = await api.post('/clients', { company_id: buys.id });
    const { data: asks } = await api.post('/companies', { name: 'Matra asks', email: 'a@asks.example' });
    const found = await offersOf(browser, '/choices/customer?q=matra');
    expect(found.choices.map(({ id, name, about }) => [id, name, about])).toEqual([
      [`client:${client.id}`, 'Matra buys', 'Client'],
      [`company:${asks.id}`, 'Matra asks', 'a@asks.example'],
    ]);
    const form = await browser.get('/invoices/new');
    expect(
      [...form.html.matchAll(/<label for="field-c[^"]*">([^<]*)/g)].map(([, said]) => said?.trim()),
    ).toEqual(['Customer', 'Currency']);
    for (const [find, expected] of [
      ['matra buys', { client: client.id, company: buys.id }],
      ['matra asks', { client: undefined, company: asks.id }],
    ] as const) {
      const made = await browser.submit(form, '/invoices/new', {
        ...line,
        'client_id.find': find,
        form_token: find,
        ...save,
      });
      const { counterparty } = (await api.get(`/invoices/${idOfMade(made)}`)).data;
      expect({ client: counterparty.client?.id, company: counterparty.company?.id }).toEqual(expected);
    }
  });

  test('of whom there are several is offered, chosen by its value, and kept while the form is changed', async () => {
    const { browser, api } = await owner();
    const { data: one } = await api.post('/companies', { name: 'Twins one' });
    await api.post('/companies', { name: 'Twins two' });
    const several = await browser.fill('/orders/new', '/orders/new', {
      'customer.client_uuid.find': 'twins',
      do: 'find',
    });
    expect(several.html).toContain('>Twins two</option>');
    const chosen = { 'customer.client_uuid.customer': `company:${one.id}` };
    const more = await browser.submit(several, '/orders/new', { ...chosen, do: 'add:items' });
    expect(selectedIn(more.html, 'customer.client_uuid.customer')).toBe('Twins one');
    const made = await browser.submit(more, '/orders/new', {
      'items[0].sku': 'LAMP',
      'items[0].unit_price': '5',
      ...save,
    });
    expect((await api.get(`/orders/${idOfMade(made)}`)).data).toMatchObject({
      company_uuid: one.id,
      client_uuid: null,
    });
  });

  test('who has vanished is said beside the one choice', async () => {
    const { browser } = await owner();
    const gone = '0198a000-0000-7000-8000-000000000001';
    for (const kind of ['client', 'company']) {
      const told = await browser.fill('/invoices/new', '/invoices/new', {
        ...line,
        'client_id.customer': `${kind}:${gone}`,
        ...save,
      });
      expect([kind, told.status, problemBeside(told.html, 'client_id')]).toEqual([
        kind,
        422,
        'Choose one of those on offer.',
      ]);
    }
  });
});
