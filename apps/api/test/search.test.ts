import type { Scope } from '@dealkeep/contract';
import { connectedUser, inConsole, sharedDealkeep } from '@dealkeep/testing';
import { type Business, openBusiness } from '@dealkeep/testing/business';
import { beforeAll, describe, expect, test } from 'vitest';

const dealkeep = await sharedDealkeep();
type Api = Business['api'];

const titlesOf = async (api: Api, q: string, types?: string) =>
  (await api.get('/search', types === undefined ? { q } : { q, types })).data.map(({ title }) => title);
const typesOf = async (api: Api, q: string) => [
  ...new Set((await api.get('/search', { q })).data.map(({ type }) => type)),
];

describe('one record of each kind', () => {
  let business: Business;
  const made: Record<string, { id: string; title: string; subtitle: string | null; path: string }> = {};
  beforeAll(async () => {
    business = await openBusiness(dealkeep);
    const { api, organization } = business;
    const company = (
      await api.post('/companies', {
        name: 'Žltý kôň s.r.o.',
        registration_id: '12345678',
        vat_id: 'SK2020999888',
        email: 'Info@Zlty.example',
        phone: '+421 55 123 45 67',
        city: 'Košice',
      })
    ).data.id;
    made['company'] = {
      id: company,
      title: 'Žltý kôň s.r.o.',
      subtitle: '12345678 · Košice',
      path: 'companies',
    };
    const contact = await api.post('/contacts', {
      company_id: company,
      name: 'Ján Žltý',
      email: 'jan@zlty.example',
      phone: '0905 111 222',
    });
    made['contact'] = {
      id: contact.data.id,
      title: 'Ján Žltý',
      subtitle: 'Žltý kôň s.r.o. · jan@zlty.example',
      path: 'contacts',
    };
    const client = (await api.post('/clients', { company_id: company, reference_code: 'K-77' })).data.id;
    made['client'] = { id: client, title: 'Žltý kôň s.r.o.', subtitle: 'K-77', path: 'clients' };
    const lead = (await api.post('/leads', { name: 'Predaj: žltý bicykel', company_id: company })).data.id;
    made['lead'] = { id: lead, title: 'Predaj: žltý bicykel', subtitle: 'Žltý kôň s.r.o.', path: 'leads' };
    const activity = (
      await api.post('/activities', {
        name: 'Zavolať ŽLTÝM',
        start_at: '2026-12-01T10:00:00Z',
        lead_id: lead,
      })
    ).data.id;
    made['activity'] = {
      id: activity,
      title: 'Zavolať ŽLTÝM',
      subtitle: 'Predaj: žltý bicykel',
      path: 'activities',
    };
    const task = (await api.post('/tasks', { title: 'Žltý návrh' })).data.id;
    made['task'] = { id: task, title: 'Žltý návrh', subtitle: null, path: 'tasks' };
    const invoice = (
      await api.post('/invoices', {
        client_id: client,
        items: [{ name: 'Bike', quantity: 1, unit_price: 100, vat_rate: 23 }],
      })
    ).data;
    made['invoice'] = {
      id: invoice.id,
      title: invoice.number ?? '',
      subtitle: 'Žltý kôň s.r.o. · 123.00 EUR',
      path: 'invoices',
    };
    const quote = await inConsole(dealkeep.core, organization, 'quotes.create', {
      company_id: company,
      items: [{ name: 'Bike', quantity: 1, unit_price: 100, vat_rate: 23 }],
    });
    made['quote'] = {
      id: quote.id,
      title: quote.number ?? '',
      subtitle: 'Žltý kôň s.r.o. · 123.00 EUR',
      path: 'quotes',
    };
    const order = (
      await api.post('/orders', {
        external_id: 'SHOP 55/1',
        customer: { name: 'Eva Žltá', email: 'eva@shop.example', phone: '+421 911 222 333' },
        items: [{ quantity: 1, sku: 'x', unit_price: 10, vat_rate: 0 }],
      })
    ).data;
    made['order'] = {
      id: order.uuid,
      title: order.internal_number,
      subtitle: 'Eva Žltá · 10.00 EUR',
      path: 'orders',
    };
    const product = await inConsole(dealkeep.core, organization, 'products.create', {
      name: 'Žltý zvonček',
      sku: 'BELL-9',
      ean: '8588001234567',
      price: 5,
      vat_rate: 23,
    });
    made['product'] = {
      id: product.uuid,
      title: 'Žltý zvonček',
      subtitle: 'BELL-9 · 8588001234567',
      path: 'products',
    };
  });

  test('is found with its title, its subtitle and the address of its page (rule search 1)', async () => {
    const { data } = await business.api.get('/search', { q: 'zlty' });
    for (const kind of ['company', 'contact', 'client', 'lead', 'activity', 'task', 'product']) {
      const { id, title, subtitle, path } = made[kind] ?? { id: '', title: '', subtitle: '', path: '' };
      expect(
        data.find(({ type }) => type === kind),
        kind,
      ).toEqual({ type: kind, id, title, subtitle, app_url: `${dealkeep.core.origin}/${path}/${id}` });
    }
  });

  test.each([
    ['invoice', () => made['invoice']?.title],
    ['quote', () => made['quote']?.title],
    ['order', () => made['order']?.title],
    ['order', () => 'shop55/1'],
    ['order', () => 'EVA@shop.example'],
    ['order', () => '0911 222 333'],
    ['company', () => '12345678'],
    ['company', () => '12 345 678'],
    ['company', () => 'sk2020999888'],
    ['company', () => 'info@zlty.example'],
    ['company', () => '00421551234567'],
    ['company', () => '(055) 123 45 67'],
    ['contact', () => 'JAN@zlty.example'],
    ['contact', () => '+421905111222'],
    ['client', () => 'k-77'],
    ['product', () => 'bell-9'],
    ['product', () => '8588001234567'],
  ])('%s is found first by what identifies it (%#) (rules search 4 and 5)', async (kind, q) => {
    const { data } = await business.api.get('/search', { q: q() ?? '' });
    expect(data[0]).toMatchObject({ type: kind, id: made[kind]?.id, title: made[kind]?.title });
    expect(data.find(({ type }) => type === kind)?.subtitle).toBe(made[kind]?.subtitle);
  });

  test('a search ignores case, diacritics and Unicode form (rules search 4 and lists 18)', async () => {
    for (const q of ['zlty zvon', 'ŽLTÝ ZVON', 'Žltý zvon'.normalize('NFD'), ' \u200bžltý zvon\ufeff ']) {
      expect(await titlesOf(business.api, q), q).toEqual(['Žltý zvonček']);
    }
  });

  test('a kind that the key may not read is left out; of none that it may read, the search is refused (rule search 2)', async () => {
    const { organization } = business;
    const keyOf = async (...scopes: Scope[]) => dealkeep.as((await organization.createKey({ scopes })).token);
    expect(await typesOf(await keyOf('leads:read', 'tasks:read'), 'zlty')).toEqual(
      expect.arrayContaining(['lead', 'task']),
    );
    expect(await typesOf(await keyOf('leads:read', 'tasks:read'), 'zlty')).toHaveLength(2);
    // By the name of its company, which it does not show.
    expect(await typesOf(await keyOf('clients:read'), 'zlty')).toEqual(['client']);
    const none = await keyOf('webhooks:manage');
    expect((await none.get('/search', { q: 'zlty' })).outcome).toBe('403 FORBIDDEN');
    expect((await none.get('/search', { q: '\u0301a' })).outcome).toBe('403 FORBIDDEN');
  });

  test('types leave only what they name; one that may not be read is refused, one that there is not is named (rule search 3)', async () => {
    const { api, organization } = business;
    expect((await api.get('/search', { q: 'zlty', types: 'task,product,task' })).data).toHaveLength(2);
    const leads = dealkeep.as((await organization.createKey({ scopes: ['leads:read'] })).token);
    expect((await leads.get('/search', { q: 'zlty', types: 'lead' })).data).toHaveLength(1);
    expect((await leads.get('/search', { q: 'zlty', types: 'lead,company' })).outcome).toBe('403 FORBIDDEN');
    for (const types of ['', 'lead,', 'lead, task', 'leads', 'constructor']) {
      const { error } = await api.get('/search', { q: 'zlty', types });
      expect([error.code, error.detail], types).toEqual(['INVALID_PARAMETER', { parameter: 'types' }]);
    }
  });

  test('behind a connection the role is asked, too (rule search 2)', async () => {
    const { organization } = business;
    const scopes = ['leads:read', 'companies:read', 'tasks:read'] as const;
    const user = await connectedUser(
      dealkeep,
      organization,
      'leads.view=all,companies.view=all,tasks.view=assigned',
      scopes,
    );
    const api = dealkeep.as(user.token);
    expect((await typesOf(api, 'zlty')).toSorted()).toEqual(['company', 'contact', 'lead']);
    expect((await api.get('/search', { q: 'zlty', types: 'task' })).outcome).toBe('403 ROLE_SCOPE_LIMITED');
    await user.permit({ 'companies.view': 'assigned' });
    expect((await api.get('/search', { q: 'zlty' })).outcome).toMatch(/^403 ROLE_/);
  });

  test('another organization finds nothing of it', async () => {
    const { api } = await openBusiness(dealkeep);
    for (const q of ['zlty', '12345678', 'info@zlty.example', '0911222333']) {
      expect((await api.get('/search', { q })).data).toEqual([]);
    }
  });
});

test('first comes what is called exactly so, then what begins so, then words that do, then the rest; the last changed first (rule search 5)', async () => {
  const { api } = await openBusiness(dealkeep);
  const titles = [
    'Znovákia', // anywhere
    'Ján Novák', // a word
    'Novák a syn', // the beginning
    'Novák', // exactly
    'Eva Nováková', // a word
    'NOVÁK', // exactly
    'Novákovci', // the beginning
    'Po-novákovsky', // a word, behind a hyphen
  ];
  for (const title of titles) await api.post('/tasks', { title });
  expect(await titlesOf(api, 'novak')).toEqual([
    'NOVÁK',
    'Novák',
    'Novákovci',
    'Novák a syn',
    'Po-novákovsky',
    'Eva Nováková',
    'Ján Novák',
    'Znovákia',
  ]);
});

test('among many records that have the term, the best and the last changed are found, 20 at most (rules search 1 and 6)', async () => {
  const { api, organization } = await openBusiness(dealkeep);
  await dealkeep.sql`
    insert into companies (organization_id, id, name, registration_id, created_at, updated_at)
    select ${organization.id}, gen_random_uuid(), 'Spoločnosť ' || n, case n when 250 then '55501' end,
           now() - n * interval '1 minute', now() - n * interval '1 minute'
    from generate_series(1, 300) n`;
  await dealkeep.sql`
    insert into companies (organization_id, id, name, created_at, updated_at)
    select ${organization.id}, gen_random_uuid(), name, now() - interval '1 year', now() - interval '1 year'
    from unnest(array['Spol', 'X spoločne', 'Zvonček']) name`;
  const common = await titlesOf(api, 'spol');
  expect(common).toHaveLength(20);
  expect(common.slice(0, 3)).toEqual(['Spol', 'Spoločnosť 1', 'Spoločnosť 2']);
  expect(await titlesOf(api, 'spolocnost 299')).toEqual(['Spoločnosť 299']);
  expect(await titlesOf(api, '55501')).toEqual(['Spoločnosť 250']);
  expect(await titlesOf(api, 'x s')).toEqual(['X spoločne']);
  expect(await titlesOf(api, 'x')).toEqual(['X spoločne']);
  expect(await titlesOf(api, 'vonc')).toEqual(['Zvonček']);
  expect(await titlesOf(api, 'poloc', 'company')).toHaveLength(20);
});

test('what nobody can see is no search; whatever else is typed finds what has it, and is no pattern (rule search 4)', async () => {
  const { api } = await openBusiness(dealkeep);
  for (const title of [
    '100 % vlna',
    'a_b',
    String.raw`C:\temp`,
    '東京',
    '🚲 bicykel',
    `${'dlhý '.repeat(50)}x`,
  ]) {
    await api.post('/tasks', { title });
  }
  for (const q of ['', ' ', '\u200b', '\u0301', '\ufeff\u00ad ', '\n']) {
    const { error } = await api.get('/search', { q });
    expect([error.code, error.detail], q).toEqual(['INVALID_PARAMETER', { parameter: 'q' }]);
  }
  expect((await api.get('/search')).outcome).toBe('400 INVALID_PARAMETER');
  for (const [q, title] of [
    ['%', '100 % vlna'],
    ['_', 'a_b'],
    ['\\', String.raw`C:\temp`],
    ['京', '東京'],
    ['🚲', '🚲 bicykel'],
    [`${'dlhy '.repeat(50)}x`, `${'dlhý '.repeat(50)}x`],
  ] as const) {
    expect(await titlesOf(api, q), q).toEqual([title]);
  }
  for (const q of [
    'a%b',
    '__',
    '%%',
    "'; --",
    'x'.repeat(3000),
    'ž'.repeat(1500),
    '%_\\'.repeat(300),
    '´',
    '\u0301a\u0301'.repeat(400),
  ]) {
    expect((await api.get('/search', { q })).data, q).toEqual([]);
  }
});
