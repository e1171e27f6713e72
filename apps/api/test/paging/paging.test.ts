import { type ApiClient, type Query, sharedDealkeep } from '@dealkeep/testing';
import { type Business, openBusiness } from '@dealkeep/testing/business';
import { beforeAll, describe, expect, test } from 'vitest';
import { walkList } from './walk-list.ts';

const dealkeep = await sharedDealkeep();

/** Twelve leads with few different values, some of them null, so that every sort has ties. */
async function someLeads(api: ApiClient): Promise<void> {
  for (let index = 0; index < 12; index += 1) {
    await api.post('/leads', {
      name: index % 4 === 0 ? null : ['Beta', 'alpha', 'Žaba'][index % 3],
      value: index % 3 === 0 ? null : [10, 9.5, 100][index % 4],
      expected_close_date: index % 2 === 0 ? null : ['2026-12-31', '2027-01-01'][index % 3],
    });
  }
}

describe('a walk in small pages', () => {
  let business: Business;
  beforeAll(async () => {
    business = await openBusiness(dealkeep);
    await someLeads(business.api);
  });

  test.each(['name', 'value', 'expected_close_date'])(
    'leads by %s come in order, those without one last (rule lists 9)',
    async (field) => {
      const values = async (sort: string) =>
        (await walkList(business.api, '/leads', { sort, limit: 5 })).map((lead) => lead[field] ?? null);
      const up = await values(field);
      const down = await values(`-${field}`);
      const filled = up.filter((value) => value !== null);
      const sorted = filled.toSorted((a, b) =>
        typeof a === 'number' && typeof b === 'number' ? a - b : String(a).localeCompare(String(b), 'en'),
      );
      expect(filled).toEqual(sorted);
      const empty = up.slice(filled.length);
      expect(up).toEqual([...filled, ...empty]);
      expect(empty.length).toBeGreaterThan(0);
      expect(down).toEqual([...sorted.toReversed(), ...empty]);
    },
  );

  test('without a sort the newest come first (rules lists 1 and 6)', async () => {
    const usual = (await business.api.get('/leads')).page.data;
    expect(usual).toEqual(await walkList(business.api, '/leads', { sort: '-created_at' }));
    const moments = usual.map(({ created_at }) => created_at);
    expect(moments).toEqual(moments.toSorted().toReversed());
  });

  test('the page size may change on the way (rules lists 11 and 12)', async () => {
    const whole = await walkList(business.api, '/leads', { sort: 'value' });
    const first = (await business.api.get('/leads', { sort: 'value', limit: 3 })).page;
    const rest = (
      await business.api.get('/leads', { sort: 'value', limit: 100, cursor: first.next_cursor ?? '' })
    ).page;
    expect([...first.data, ...rest.data]).toEqual(whole);
    expect(rest).toMatchObject({ next_cursor: null, has_more: false });
  });

  test('a page that holds exactly the rest is the last (rule lists 14)', async () => {
    const all = (await business.api.get('/leads', { limit: 12 })).page;
    expect(all.data).toHaveLength(12);
    expect(all).toMatchObject({ next_cursor: null, has_more: false });
    expect((await business.api.get('/leads', { limit: 11 })).page.has_more).toBe(true);
  });
});

test('pages hold 50 records unless asked otherwise, 1 to 100 (rules lists 1 and limits 1)', async () => {
  const { api, organization } = await openBusiness(dealkeep);
  await dealkeep.sql`
    insert into tags (organization_id, id, name, created_at, updated_at)
    select ${organization.id}, gen_random_uuid(), 'Tag ' || n, now(), now() from generate_series(1, 120) n`;
  expect((await api.get('/tags')).page.data).toHaveLength(50);
  expect((await api.get('/tags', { limit: 1 })).page.data).toHaveLength(1);
  expect((await api.get('/tags', { limit: 100 })).page.data).toHaveLength(100);
  expect(await api.walk('/tags', { limit: 49 })).toHaveLength(120);
});

describe('records inserted while a client walks', () => {
  test.each(['-created_at', 'value'])(
    'by %s: nothing is skipped or repeated (rule lists 12)',
    async (sort) => {
      const { api } = await openBusiness(dealkeep);
      await someLeads(api);
      const existing = (await walkList(api, '/leads', { sort })).map(({ id }) => id);
      const seen: string[] = [];
      for (let cursor: string | null = ''; cursor !== null; ) {
        const query: Query = { sort, limit: 3, ...(cursor ? { cursor } : {}) };
        const { page } = await api.get('/leads', query);
        seen.push(...page.data.map(({ id }) => id));
        cursor = page.next_cursor;
        await Promise.all(
          seen.length > 30
            ? []
            : [
                api.post('/leads', {}),
                api.post('/leads', { name: 'Beta', value: 10, expected_close_date: '2026-12-31' }),
                api.post('/leads', { name: 'aaa', value: 0, expected_close_date: '2020-01-01' }),
              ],
        );
      }
      expect(new Set(seen).size).toBe(seen.length);
      expect(seen.filter((id) => existing.includes(id))).toEqual(existing);
    },
  );
});

describe('cursors', () => {
  let one: Business;
  let other: Business;
  let cursor: string;
  beforeAll(async () => {
    [one, other] = await Promise.all([openBusiness(dealkeep), openBusiness(dealkeep)]);
    for (const { api } of [one, other]) {
      for (const name of ['A', 'B', 'C']) await api.post('/companies', { name });
    }
    cursor = (await one.api.get('/companies', { limit: 1, country_code: 'SK' })).page.next_cursor ?? '';
  });
  const ask = (query: Query, api = one.api) => api.get('/companies', { limit: 1, cursor, ...query });

  test('work with identical filters, in any order (rule lists 11)', async () => {
    expect((await ask({ country_code: 'SK' })).page.data).toHaveLength(1);
    expect((await ask({ country_code: 'SK', sort: '-created_at' })).page.data).toHaveLength(1);
    const search = new URLSearchParams({ country_code: 'SK', cursor, limit: '2' });
    expect((await one.api.send('GET', `/companies?${search}`)).outcome).toBe('200');
  });

  test('with other filters, another sort or another list are refused (rule lists 11)', async () => {
    for (const query of [
      {},
      { country_code: 'CZ' },
      { country_code: 'SK', q: 'A' },
      { country_code: 'SK', sort: 'created_at' },
      { country_code: 'SK', sort: 'name' },
      { country_code: 'SK', created_after: '2020-01-01T00:00:00Z' },
    ]) {
      const refused = await ask(query);
      expect([query, refused.outcome]).toEqual([query, '400 INVALID_CURSOR']);
      expect(refused.error.detail).toEqual({ parameter: 'cursor' });
    }
    const plain = (await one.api.get('/companies', { limit: 1 })).page.next_cursor ?? '';
    expect((await one.api.get('/contacts', { cursor: plain })).outcome).toBe('400 INVALID_CURSOR');
  });

  test('of another organization are refused (rule lists 11)', async () => {
    expect((await ask({ country_code: 'SK' }, other.api)).outcome).toBe('400 INVALID_CURSOR');
  });

  test('of another key of the organization work', async () => {
    const key = await one.organization.createKey();
    expect((await ask({ country_code: 'SK' }, dealkeep.as(key.token))).outcome).toBe('200');
  });

  test('tampered with at any place are refused (rule lists 11)', async () => {
    for (let at = 0; at < cursor.length; at += 9) {
      const letter = cursor[at] === 'A' ? 'B' : 'A';
      const tampered = cursor.slice(0, at) + letter + cursor.slice(at + 1);
      expect((await ask({ country_code: 'SK', cursor: tampered })).outcome).toBe('400 INVALID_CURSOR');
    }
  });

  test.each([
    '',
    ' ',
    'x',
    'null',
    '0',
    '-1',
    '%',
    '\0',
    'žltý kôň',
    '\u{1F6B2}',
    '../../etc/passwd',
    'eyJpZCI6MX0=',
    'A'.repeat(22),
    'A'.repeat(4000),
    `${'A'.repeat(21)}==`,
  ])('garbage %# is refused', async (garbage) => {
    expect((await ask({ country_code: 'SK', cursor: garbage })).outcome).toBe('400 INVALID_CURSOR');
  });

  test('with an addition are refused', async () => {
    for (const changed of [
      `${cursor}=`,
      `${cursor}A`,
      ` ${cursor}`,
      cursor.slice(0, -1),
      cursor.toUpperCase(),
    ]) {
      expect((await ask({ country_code: 'SK', cursor: changed })).outcome).toBe('400 INVALID_CURSOR');
    }
  });
});

describe('created_after and updated_since', () => {
  test('are strict and inclusive (rule lists 2)', async () => {
    const { api, organization } = await openBusiness(dealkeep);
    await api.post('/companies', { name: 'Acme' });
    const at = '2026-05-05T10:00:00.120Z';
    await dealkeep.sql`
      update companies set created_at = ${at}, updated_at = ${at} where organization_id = ${organization.id}`;
    const count = async (query: Query) => (await api.get('/companies', query)).page.data.length;
    const [before, after] = ['2026-05-05T10:00:00.119Z', '2026-05-05T10:00:00.121Z'];
    for (const [query, found] of [
      [{ created_after: before }, 1],
      [{ created_after: at }, 0],
      [{ created_before: at }, 0],
      [{ created_before: after }, 1],
      [{ updated_since: at }, 1],
      [{ updated_since: after }, 0],
      [{ updated_before: at }, 0],
      [{ updated_before: after }, 1],
    ] as const) {
      expect([query, await count(query)]).toEqual([query, found]);
    }
  });

  test('accept any offset and any number of decimals', async () => {
    const { api, organization } = await openBusiness(dealkeep);
    await api.post('/companies', { name: 'Acme' });
    await dealkeep.sql`
      update companies set created_at = '2026-05-05T10:00:00.120Z' where organization_id = ${organization.id}`;
    const count = async (moment: string) =>
      (await api.get('/companies', { created_after: moment })).page.data.length;
    for (const before of [
      '2026-05-05T12:00:00.119+02:00',
      '2026-05-06T09:59:00+23:59',
      '2026-05-04T11:00:00-22:59',
      '2026-05-05T10:00:00Z',
      '2026-05-05T10:00:00.1Z',
      '2026-05-05T10:00:00.119999999999Z',
      '0001-01-02T00:00:00+23:59',
      `2026-05-05T10:00:00.${'1'.repeat(300)}Z`,
    ]) {
      expect([before, await count(before)]).toEqual([before, 1]);
    }
    for (const after of [
      '2026-05-05T12:00:00.120+02:00',
      '2026-05-05T10:00:00.12Z',
      '9999-12-31T23:59:59+23:59',
    ]) {
      expect([after, await count(after)]).toEqual([after, 0]);
    }
  });
});
