import { type ClientOptions, createClient } from '@dealkeep/client';
import { expect, test } from 'vitest';
import { answer, scriptedApi } from './servers/scripted-api.ts';

const baseUrl = 'https://dealkeep.example/api/v1/public';
const apiKey = 'dk_live_secret';

const wrong: [string, Partial<ClientOptions>, RegExp][] = [
  ['an address that is none', { baseUrl: 'dealkeep' }, /baseUrl/],
  ['an address of another protocol', { baseUrl: 'ftp://dealkeep.example' }, /baseUrl/],
  ['an address that holds a password', { baseUrl: 'https://me:secret@dealkeep.example' }, /baseUrl/],
  ['an address with a query', { baseUrl: `${baseUrl}?a=b` }, /baseUrl/],
  ['an empty key', { apiKey: '' }, /apiKey/],
  ['a key with a line end', { apiKey: `${apiKey}\n` }, /apiKey/],
  ['no attempt', { maxAttempts: 0 }, /maxAttempts/],
  ['half an attempt', { maxAttempts: 1.5 }, /maxAttempts/],
  ['no time for an attempt', { attemptTimeoutMs: 0 }, /attemptTimeoutMs/],
  ['no time for a call', { totalTimeoutMs: Number.NaN }, /totalTimeoutMs/],
];

test.each(wrong)('%s is refused at once, and without showing the key', (_, options, message) => {
  const create = () => createClient({ baseUrl, apiKey, ...options });

  expect(create).toThrow(TypeError);
  expect(create).toThrow(message);
  expect(create).not.toThrow(/secret/);
});

test.each(['', '.', '..'])('the id "%s", which would lead to another operation, is refused', (id) => {
  const dealkeep = createClient({ baseUrl, apiKey });

  expect(() => dealkeep.leads.get(id)).toThrow(TypeError);
});

test('an id is sent as one segment of the path, whatever it holds', async () => {
  const api = await scriptedApi(answer(200, { data: {} }));

  await createClient({ baseUrl: api.baseUrl, apiKey }).leads.get('../companies?x=1#y');

  expect(api.seen[0]?.url).toBe('/api/v1/public/leads/..%2Fcompanies%3Fx%3D1%23y');
});

test('arguments that JavaScript lets through are refused in words', () => {
  const dealkeep = createClient({ baseUrl, apiKey });

  expect(() => Reflect.apply(dealkeep.leads.create, undefined, ['name'])).toThrow(
    'The body of leads.create must be an object.',
  );
  expect(() => Reflect.apply(dealkeep.leads.get, undefined, [])).toThrow('leads.get needs the id');
  expect(() => Reflect.apply(dealkeep.leads.get, undefined, ['a', {}, {}])).toThrow('too many arguments');
});

test('a slash at the end of the address changes nothing', async () => {
  const api = await scriptedApi(answer(200, { data: {} }));

  await createClient({ baseUrl: `${api.baseUrl}//`, apiKey }).me.get();

  expect(api.seen[0]?.url).toBe('/api/v1/public/me');
});

test('key, language and filters are sent; filters that are undefined are not', async () => {
  const api = await scriptedApi(answer(200, { data: [], next_cursor: null, has_more: false }));
  const dealkeep = createClient({ baseUrl: api.baseUrl, apiKey, language: 'sk' });

  await dealkeep.leads.list({ q: 'a&b=c ď', archived: false, limit: 2, status: undefined });
  await dealkeep.leads.list({}, { language: 'en' });
  await dealkeep.leads.list();

  expect(api.seen.map(({ url, headers }) => [url, headers['accept-language']])).toEqual([
    ['/api/v1/public/leads?q=a%26b%3Dc+%C4%8F&archived=false&limit=2', 'sk'],
    ['/api/v1/public/leads', 'en'],
    ['/api/v1/public/leads', 'sk'],
  ]);
  expect(api.seen[0]?.headers.authorization).toBe('Bearer dk_live_secret');
});
