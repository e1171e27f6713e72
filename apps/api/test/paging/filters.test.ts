import { randomUUID } from 'node:crypto';
import { type ApiClient, type Query, sharedDealkeep } from '@dealkeep/testing';
import { type Business, defaultPipeline, openBusiness } from '@dealkeep/testing/business';
import { beforeAll, describe, expect, test } from 'vitest';
import { addCustomField, addPipeline, addTag, addUser } from '../console-edits.ts';

const dealkeep = await sharedDealkeep();

/** Names of what a list answers, whatever their order. */
async function names(api: ApiClient, path: string, query: Query): Promise<string[]> {
  const { page } = await api.send<{ name: string }>('GET', `${path}?${new URLSearchParams(texts(query))}`);
  return page.data.map(({ name }) => name).toSorted();
}
const texts = (query: Query) =>
  Object.entries(query).map(([name, value]) => [name, String(value)] as [string, string]);

describe('companies', () => {
  let business: Business;
  let marek: string;
  beforeAll(async () => {
    business = await openBusiness(dealkeep);
    const { api, organization } = business;
    marek = await addUser({ dealkeep, organization }, 'Marek');
    const ids: string[] = [];
    for (const company of [
      { name: 'Alpha', email: 'Office@Alpha.example', registration_id: '100', country_code: 'CZ' },
      { name: 'Beta', tax_id: '200', vat_id: 'SK200', owner_id: marek },
      { name: 'Žltá ČEREŠŇA', registration_id: 'X-12%3_4\\5' },
    ]) {
      ids.push((await api.post('/companies', company)).data.id);
    }
    await addTag({ dealkeep, organization }, 'VIP', { table: 'companies', ids: ids.slice(0, 2) });
    await addTag({ dealkeep, organization }, 'Iný, štítok', { table: 'companies', ids: ids.slice(2) });
  });

  test.each([
    [{ q: 'a' }, ['Alpha', 'Beta', 'Žltá ČEREŠŇA']],
    [{ q: 'BET' }, ['Beta']],
    [{ q: 'žltá čerešňa' }, ['Žltá ČEREŠŇA']],
    [{ q: '100' }, ['Alpha']],
    [{ q: '%' }, ['Žltá ČEREŠŇA']],
    [{ q: '_' }, ['Žltá ČEREŠŇA']],
    [{ q: '\\' }, ['Žltá ČEREŠŇA']],
    [{ q: '12%3_4\\5' }, ['Žltá ČEREŠŇA']],
    [{ q: 'A_pha' }, []],
    [{ q: "'; drop table companies; --" }, []],
    [{ q: '' }, ['Alpha', 'Beta', 'Žltá ČEREŠŇA']],
    [{ email: 'office@alpha.EXAMPLE' }, ['Alpha']],
    [{ email: 'office@alpha.exampl' }, []],
    [{ registration_id: '100' }, ['Alpha']],
    [{ registration_id: '10' }, []],
    [{ tax_id: '200' }, ['Beta']],
    [{ vat_id: 'SK200' }, ['Beta']],
    [{ vat_id: 'sk200' }, []],
    [{ country_code: 'CZ' }, ['Alpha']],
    [{ country_code: 'SK' }, ['Beta', 'Žltá ČEREŠŇA']],
    [{ tag: 'VIP' }, ['Alpha', 'Beta']],
    [{ tag: 'vip' }, []],
    [{ tag: 'Iný, štítok' }, ['Žltá ČEREŠŇA']],
    [{ tag: 'none such' }, []],
    [{ tag: 'VIP', q: 'alp', country_code: 'CZ' }, ['Alpha']],
    [{ tag: 'VIP', country_code: 'AT' }, []],
  ] satisfies [Query, string[]][])('%j', async (query, found) => {
    expect(await names(business.api, '/companies', query)).toEqual(found);
  });

  test('owner_id', async () => {
    expect(await names(business.api, '/companies', { owner_id: marek })).toEqual(['Beta']);
    expect(await names(business.api, '/companies', { owner_id: randomUUID() })).toEqual([]);
  });
});

describe('contacts', () => {
  let business: Business;
  let acme: string;
  beforeAll(async () => {
    business = await openBusiness(dealkeep);
    const { api } = business;
    acme = (await api.post('/companies', { name: 'Acme' })).data.id;
    const beta = (await api.post('/companies', { name: 'Beta' })).data.id;
    for (const contact of [
      { company_id: acme, name: 'Eva', email: 'Eva@acme.example', phone: '+421 905 1', is_primary: true },
      { company_id: acme, name: 'Ivan', phone: '+421 905 2' },
      { company_id: beta, name: 'Peter', email: 'p@beta.example', is_primary: true },
    ]) {
      await api.post('/contacts', contact);
    }
  });

  test.each([
    [{ q: 'EVA' }, ['Eva']],
    [{ q: 'beta.EXAMPLE' }, ['Peter']],
    [{ q: '905' }, ['Eva', 'Ivan']],
    [{ q: '+421 905 2' }, ['Ivan']],
    [{ q: 'Acme' }, ['Eva']],
    [{ email: 'eva@ACME.example' }, ['Eva']],
    [{ phone: '+421 905 2' }, ['Ivan']],
    [{ phone: '905' }, []],
    [{ is_primary: true }, ['Eva', 'Peter']],
    [{ is_primary: false }, ['Ivan']],
  ] satisfies [Query, string[]][])('%j', async (query, found) => {
    expect(await names(business.api, '/contacts', query)).toEqual(found);
  });

  test('company_id', async () => {
    expect(await names(business.api, '/contacts', { company_id: acme })).toEqual(['Eva', 'Ivan']);
    expect(await names(business.api, '/contacts', { company_id: acme, is_primary: true })).toEqual(['Eva']);
  });
});

describe('leads (rules lists 3 and 5)', () => {
  let business: Business;
  const ids: Record<string, string> = {};
  beforeAll(async () => {
    business = await openBusiness(dealkeep);
    const { api, organization } = business;
    const { stages, id } = await defaultPipeline(api);
    const other = await addPipeline({ dealkeep, organization }, 'Other', { First: 'open' });
    const company = (await api.post('/companies', { name: 'Acme' })).data.id;
    const contact = (await api.post('/contacts', { company_id: company, name: 'Eva' })).data.id;
    const origin = (await api.get('/lead-origins')).page.data[0]?.id ?? '';
    Object.assign(ids, {
      usual: id,
      other: other.id,
      negotiation: stages['Negotiation'],
      company,
      contact,
      origin,
    });
    ids['owner'] = organization.ownerId;
    const made: Record<string, string> = {};
    for (const lead of [
      { name: 'Open one', owner_id: organization.ownerId, stage_id: stages['Negotiation'] },
      { name: 'Won one', stage_id: stages['Won'], contact_id: contact },
      { name: 'Lost one', stage_id: stages['Lost'], company_id: company, origin_id: origin },
      { name: 'Elsewhere', pipeline_id: other.id },
      { name: 'Away', company_id: company },
      { value: 1 },
    ]) {
      const { data } = await api.post('/leads', lead);
      made[data.name ?? ''] = data.id;
    }
    await api.post(`/leads/${made['Away']}/archive`);
    await addTag({ dealkeep, organization }, 'Hot', { table: 'leads', ids: [made['Won one'] ?? ''] });
  });
  const found = async (query: Query) =>
    (await business.api.get('/leads', { sort: 'created_at', ...query })).page.data.map(({ name }) => name);

  test.each([
    [{}, ['Open one', 'Won one', 'Lost one', 'Elsewhere', 'Away', null]],
    [{ q: '' }, ['Open one', 'Won one', 'Lost one', 'Elsewhere', 'Away', null]],
    [{ q: 'ONE' }, ['Open one', 'Won one', 'Lost one']],
    [{ status: 'open' }, ['Open one', 'Elsewhere', 'Away', null]],
    [{ status: 'won' }, ['Won one']],
    [{ status: 'lost' }, ['Lost one']],
    [{ archived: true }, ['Away']],
    [{ archived: false }, ['Open one', 'Won one', 'Lost one', 'Elsewhere', null]],
    [{ tag: 'Hot' }, ['Won one']],
    [{ tag: 'hot' }, []],
    [{ status: 'open', archived: false, q: 'else' }, ['Elsewhere']],
  ] satisfies [Query, (string | null)[]][])('%j', async (query, expected) => {
    expect(await found(query)).toEqual(expected);
  });

  test('references', async () => {
    expect(await found({ pipeline_id: ids['other'] ?? '' })).toEqual(['Elsewhere']);
    expect(await found({ pipeline_id: ids['usual'] ?? '', status: 'won' })).toEqual(['Won one']);
    expect(await found({ stage_id: ids['negotiation'] ?? '' })).toEqual(['Open one']);
    expect(await found({ company_id: ids['company'] ?? '' })).toEqual(['Won one', 'Lost one', 'Away']);
    expect(await found({ contact_id: ids['contact'] ?? '' })).toEqual(['Won one']);
    expect(await found({ owner_id: ids['owner'] ?? '' })).toEqual(['Open one']);
    expect(await found({ origin_id: ids['origin'] ?? '' })).toEqual(['Lost one']);
    for (const filter of ['pipeline_id', 'stage_id', 'company_id', 'contact_id', 'owner_id', 'origin_id']) {
      expect(await found({ [filter]: randomUUID() })).toEqual([]);
    }
  });
});

describe('lookups', () => {
  test('q is part of the name; of users also of the e-mail, which is a filter, too', async () => {
    const { api, organization } = await openBusiness(dealkeep);
    const place = { dealkeep, organization };
    await addUser(place, 'Marek Kováč', { email: `m_rek@${organization.slug}.sk` });
    await addTag(place, 'Štvrťrok 100%', { table: 'leads', ids: [] });
    await addCustomField(place, 'Počet ľudí');
    expect(await names(api, '/users', { q: 'KOVÁČ' })).toEqual(['Marek Kováč']);
    expect(await names(api, '/users', { q: 'M_REK@' })).toEqual(['Marek Kováč']);
    expect(await names(api, '/users', { email: organization.ownerEmail.toUpperCase() })).toEqual([
      'Jana Horváthová',
    ]);
    expect(await names(api, '/tags', { q: 'štvrť' })).toEqual(['Štvrťrok 100%']);
    expect(await names(api, '/tags', { q: '0%' })).toEqual(['Štvrťrok 100%']);
    expect(await names(api, '/custom-fields', { q: 'POČET' })).toEqual(['Počet ľudí']);
    expect(await names(api, '/pipelines', { q: 'ale' })).toEqual(['Sales']);
    expect(await names(api, '/lost-reasons', { q: 'pric' })).toEqual(['Price']);
    expect(await names(api, '/lead-origins', { q: 'form' })).toEqual(['Web form']);
  });
});
