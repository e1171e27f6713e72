import { randomUUID } from 'node:crypto';
import { allScopes } from '@dealkeep/contract';
import { type Query, sharedDealkeep } from '@dealkeep/testing';
import { type Business, openBusiness } from '@dealkeep/testing/business';
import { beforeAll, describe, expect, test } from 'vitest';
import { addUser } from '../console-edits.ts';

const dealkeep = await sharedDealkeep();

let business: Business;
let marek: string;
const companies: Record<string, string> = {};
const clients: Record<string, string> = {};

beforeAll(async () => {
  business = await openBusiness(dealkeep);
  const { api, organization } = business;
  marek = await addUser({ dealkeep, organization }, 'Marek');
  for (const [name, fields] of Object.entries({
    Alpha: { reference_code: 'C-1', owner_id: marek },
    Beta: { reference_code: 'C-10%', reference_name: 'Rámcová zmluva' },
    Čerešňa: { note: 'Alpha' },
  })) {
    companies[name] = (await api.post('/companies', { name })).data.id;
    clients[name] = (await api.post('/clients', { company_id: companies[name], ...fields })).data.id;
  }
  // A client of another organization, which must not appear anywhere.
  const other = (await openBusiness(dealkeep)).api;
  const company = (await other.post('/companies', { name: 'Alpha' })).data;
  await other.post('/clients', { company_id: company.id, reference_code: 'C-1' });
});

const names = async (query: Query) =>
  (await business.api.walk('/clients', { sort: 'created_at', ...query })).map(({ company }) => company?.name);

describe('filters', () => {
  test.each([
    [{}, ['Alpha', 'Beta', 'Čerešňa']],
    [{ q: '' }, ['Alpha', 'Beta', 'Čerešňa']],
    [{ q: 'ALP' }, ['Alpha']],
    [{ q: 'ČEREŠ' }, ['Čerešňa']],
    [{ q: 'c-1' }, ['Alpha', 'Beta']],
    [{ q: '0%' }, ['Beta']],
    [{ q: 'RÁMCOVÁ' }, ['Beta']],
    [{ q: 'none such' }, []],
    [{ reference_code: 'C-1' }, ['Alpha']],
    [{ reference_code: 'c-1' }, []],
    [{ reference_code: 'C-1', q: 'beta' }, []],
  ] satisfies [Query, string[]][])('%j', async (query, found) => {
    expect(await names(query)).toEqual(found);
  });

  test('company_id and owner_id', async () => {
    expect(await names({ company_id: companies['Beta'] ?? '' })).toEqual(['Beta']);
    expect(await names({ company_id: randomUUID() })).toEqual([]);
    expect(await names({ owner_id: marek })).toEqual(['Alpha']);
    expect(await names({ owner_id: marek, company_id: companies['Beta'] ?? '' })).toEqual([]);
  });

  test('created_after and updated_since', async () => {
    const { data } = await business.api.get(`/clients/${clients['Beta']}`);
    expect(await names({ created_after: data.created_at ?? '' })).toEqual(['Čerešňa']);
    expect(await names({ updated_since: data.updated_at ?? '' })).toEqual(['Beta', 'Čerešňa']);
  });

  test('an unknown one and a bad value', async () => {
    const unknown = await business.api.get('/clients', { name: 'Alpha' });
    expect([unknown.outcome, unknown.error.detail]).toEqual([
      '400 UNSUPPORTED_FILTER',
      { parameter: 'name' },
    ]);
    const bad = await business.api.get('/clients', { company_id: 'x' });
    expect([bad.outcome, bad.error.detail]).toEqual(['400 INVALID_PARAMETER', { parameter: 'company_id' }]);
    expect((await business.api.get('/clients', { sort: 'note' })).outcome).toBe('400 INVALID_PARAMETER');
  });
});

test.each(['created_at', 'updated_at'])('sorts by %s both ways, page by page', async (sort) => {
  const api = business.api;
  const upwards = await api.walk('/clients', { sort, limit: 1 });
  expect(upwards.map(({ company }) => company?.name)).toEqual(['Alpha', 'Beta', 'Čerešňa']);
  expect(await api.walk('/clients', { sort: `-${sort}`, limit: 2 })).toEqual(upwards.toReversed());
});

test('reading needs clients:read, writing clients:write', async () => {
  const { organization } = business;
  const key = async (...without: string[]) =>
    dealkeep.as(
      (await organization.createKey({ scopes: allScopes.filter((scope) => !without.includes(scope)) })).token,
    );
  const blind = await key('clients:read');
  const reader = await key('clients:write');
  const path = `/clients/${clients['Alpha']}`;
  expect((await blind.get('/clients')).outcome).toBe('403 FORBIDDEN');
  expect((await blind.get(path)).outcome).toBe('403 FORBIDDEN');
  expect((await reader.get(path)).outcome).toBe('200');
  expect((await reader.post('/clients', {})).outcome).toBe('403 FORBIDDEN');
  expect((await reader.patch(path, {})).outcome).toBe('403 FORBIDDEN');
});
