import { createClient, type Dealkeep, type Lead } from '@dealkeep/client';
import { sharedDealkeep } from '@dealkeep/testing';
import { beforeAll, expect, test } from 'vitest';

const names = ['one', 'two', 'three', 'four', 'five'];
let dealkeep: Dealkeep;
let requests: string[];

beforeAll(async () => {
  const { baseUrl, createOrganization } = await sharedDealkeep();
  const { key } = await createOrganization();
  requests = [];
  dealkeep = createClient({
    baseUrl,
    apiKey: key,
    fetch: (url, init) => {
      requests.push(url);
      return fetch(url, init);
    },
  });
  for (const name of names) await dealkeep.leads.create({ name });
});

const oldestFirst = { sort: 'created_at', limit: 2 } as const;

test('a list that is awaited is its first page', async () => {
  const page = await dealkeep.leads.list(oldestFirst);

  expect(page.data.map(({ name }) => name)).toEqual(['one', 'two']);
  expect(page.has_more).toBe(true);
  expect(page.next_cursor).toEqual(expect.any(String));
});

test('a list that is iterated gives every record of all pages once, with the same filters', async () => {
  requests.length = 0;
  const seen: (string | null)[] = [];

  for await (const lead of dealkeep.leads.list({ ...oldestFirst, status: 'open' })) seen.push(lead.name);

  expect(seen).toEqual(names);
  expect(requests).toHaveLength(3);
  expect(requests.every((url) => url.includes('status=open') && url.includes('limit=2'))).toBe(true);
});

test('the pages of a list can be iterated', async () => {
  const sizes: number[] = [];

  for await (const page of dealkeep.leads.list(oldestFirst).pages()) sizes.push(page.data.length);

  expect(sizes).toEqual([2, 2, 1]);
});

test('a page goes on with itself and the pages after it', async () => {
  const first = await dealkeep.leads.list(oldestFirst);
  const second = await first.nextPage();
  const rest: Lead[] = [];
  if (second) for await (const lead of second) rest.push(lead);

  expect(rest.map(({ name }) => name)).toEqual(['three', 'four', 'five']);
});

test('the last page has none after it', async () => {
  const page = await dealkeep.leads.list({ limit: 100 });

  expect(page).toMatchObject({ has_more: false, next_cursor: null });
  await expect(page.nextPage()).resolves.toBeUndefined();
});

test('a list can be left early, and no further page is loaded', async () => {
  requests.length = 0;

  for await (const lead of dealkeep.leads.list(oldestFirst)) if (lead.name === 'two') break;

  expect(requests).toHaveLength(1);
});

test('a list is asked for when it is used, and once', async () => {
  requests.length = 0;

  const list = dealkeep.leads.list(oldestFirst);
  expect(requests).toHaveLength(0);
  const [first, second] = await Promise.all([list, list]);

  expect(first).toBe(second);
  expect(requests).toHaveLength(1);
});

test('a list that is refused rejects, awaited or iterated', async () => {
  const list = () => dealkeep.leads.list({ cursor: 'garbage' });

  await expect(list()).rejects.toMatchObject({ code: 'INVALID_CURSOR' });
  await expect(list().pages().next()).rejects.toMatchObject({ code: 'INVALID_CURSOR' });
  await expect(list().catch(() => 'caught')).resolves.toBe('caught');
});
