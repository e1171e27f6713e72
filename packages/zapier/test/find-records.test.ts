import { inConsole, sharedDealkeep } from '@dealkeep/testing';
import { beforeAll, expect, test } from 'vitest';
import { keyConnection } from './platform/connection.ts';
import { startScriptedApi } from './platform/scripted-api.ts';
import { ask, list, type Values } from './platform/setting.ts';
import { startPrivate } from './platform/start-in-process.ts';

const dealkeep = await sharedDealkeep();
const { newAccount } = await startPrivate(dealkeep);
const { setting, organization } = await newAccount();
const find = (what: string, input: Values) => list(setting, `searches.find_${what}`, input);
const make = (path: string, body: Values) => ask(setting, 'POST', path, body);
const idsOf = (records: readonly Values[]) => records.map(({ id }) => id);

/** More than a page, all with the text in their names, the first of them called exactly so. */
const text = 'Žltý kôň';
const companies: Values[] = [];
beforeAll(async () => {
  const named = Array.from({ length: 130 }, (_, index) => (index === 0 ? text : `${index} ${text}`));
  for (const names of [named.slice(0, 1), named.slice(1, 65), named.slice(65)]) {
    const items = names.map((name) => ({ name, city: 'Nitra' }));
    const body = { operation: 'create', items };
    const results = await ask<{ data: Values }[]>(setting, 'POST', '/companies/batch', body);
    companies.push(...results.map(({ data }) => data));
  }
});

test('what is called exactly so is found on whatever page it stands', async () => {
  expect(idsOf(await find('company', { search_name: text.toLowerCase() }))).toEqual([companies[0]?.['id']]);
});

test('of more than 100 matches a search gives 100, the best of all first (rule zapier 11)', async () => {
  const found = idsOf(await find('company', { search_q: text }));
  const newest = idsOf(companies.slice(1)).toReversed();
  expect(found).toEqual([companies[0]?.['id'], ...newest.slice(0, 99)]);
});

test('a filter alone gives 100 as well, the newest first', async () => {
  const found = idsOf(await find('company', { search_country_code: 'SK' }));
  expect(found).toEqual(idsOf(companies).toReversed().slice(0, 100));
});

test('of companies the first ten are told with their contacts; the rest do not say that there are none', async () => {
  const found = await find('company', { search_q: text });
  expect(found.map((company) => 'contacts' in company)).toEqual(found.map((_, index) => index < 10));
});

test('an archived task is left out unless it is asked for (rule zapier 11)', async () => {
  const [kept, archived] = [await make('/tasks', { title: 'Call' }), await make('/tasks', { title: 'Call' })];
  await inConsole(dealkeep.core, organization, 'tasks.archive', { id: String(archived['id']) });
  expect(idsOf(await find('task', { search_title: 'call' }))).toEqual([kept['id']]);
  expect(idsOf(await find('task', { search_title: 'call', search_archived: 'true' }))).toEqual([
    archived['id'],
  ]);
});

test('a page that is not found is no record that is not found', async () => {
  const api = await startScriptedApi([{ status: 404, body: '<h1>nginx</h1>' }]);
  const elsewhere = { ...setting, connection: keyConnection(api.baseUrl, setting.connection.apiKey) };
  const run = list(elsewhere, 'searches.find_company', { search_id: companies[0]?.['id'] });
  await expect(run).rejects.toThrow('not as the API of Dealkeep does');
  await api.close();
});

test('a name that far too many records contain is told, and nothing is guessed', async () => {
  const company = { id: '01985f6e-2c41-7f21-a6d4-93b07c5e8812', name: 'Tatra Holding' };
  const page = { data: [company], next_cursor: 'more', has_more: true };
  const api = await startScriptedApi([{ status: 200, body: page }]);
  const elsewhere = { ...setting, connection: keyConnection(api.baseUrl, setting.connection.apiKey) };
  const run = list(elsewhere, 'searches.find_company', { search_name: 'a' });
  await expect(run).rejects.toThrow(
    'Name: Too many records contain this text. Fill in another field as well.',
  );
  await api.close();
});
