import { type OperationDeclaration, operations, takesSeveral } from '@dealkeep/contract';
import { sharedDealkeep } from '@dealkeep/testing';
import { defaultPipeline, openBusiness } from '@dealkeep/testing/business';
import { describe, expect, test } from 'vitest';

const dealkeep = await sharedDealkeep();
const { api, organization } = await openBusiness(dealkeep);
const declarations = Object.values<OperationDeclaration>(operations);

describe('`GET /me` additionally', () => {
  test('organization.currency, time_zone, country_code', async () => {
    const other = await openBusiness(dealkeep);
    await dealkeep.sql`
      update organizations set currency = 'CZK', time_zone = 'Europe/Prague', country_code = 'CZ'
      where id = ${other.organization.id}`;
    expect((await other.api.get('/me')).data.organization).toEqual({
      id: other.organization.id,
      name: 'Test organization',
      slug: other.organization.slug,
      currency: 'CZK',
      time_zone: 'Europe/Prague',
      country_code: 'CZ',
    });
  });
});

describe('`created_before`, `updated_before` beside the existing', () => {
  // Of records: what happened, and what was delivered, does not change.
  const lists = declarations.filter(
    ({ kind, path, query, endless }) =>
      kind === 'list' && !endless && !path.includes('{') && query?.shape['created_before'],
  );

  test.each(lists.map(({ path }) => path))('%s', async (path) => {
    const asked = (query: Record<string, string>) => api.send('GET', `${path}?${new URLSearchParams(query)}`);
    for (const name of ['created_before', 'updated_before']) {
      expect((await asked({ [name]: '1999-01-01T00:00:00Z' })).page.data).toEqual([]);
      expect((await asked({ [name]: 'yesterday' })).outcome).toBe('400 INVALID_PARAMETER');
      const all = await asked({});
      const later = await asked({ [name]: '2999-01-01T00:00:00+02:00' });
      expect(later.page.data).toEqual(all.page.data);
    }
  });

  test('what was created at the moment itself is left out (rule lists 2)', async () => {
    const one = (await api.post('/companies', { name: 'One' })).data;
    const at = Date.parse(one.created_at ?? '');
    const before = async (name: string, moment: number) =>
      (await api.get('/companies', { q: 'One', [name]: new Date(moment).toISOString() })).page.data.length;
    expect([await before('created_before', at), await before('created_before', at + 1)]).toEqual([0, 1]);
    expect([await before('updated_before', at), await before('updated_before', at + 1)]).toEqual([0, 1]);
    const both = {
      created_after: new Date(at - 1).toISOString(),
      created_before: new Date(at + 1).toISOString(),
    };
    expect((await api.get('/companies', { q: 'One', ...both })).page.data).toHaveLength(1);
  });
});

describe('several values in a filter separated by commas (`status=open,won`), at most 20', () => {
  test('list what has any of them (rule lists 17)', async () => {
    const { stages } = await defaultPipeline(api);
    for (const stage of ['New', 'Won', 'Lost']) {
      await api.post('/leads', { name: `In ${stage}`, stage_id: stages[stage] ?? '' });
    }
    const names = async (query: Record<string, string>) =>
      (await api.get('/leads', { sort: 'name', ...query })).page.data.map(({ name }) => name);
    expect(await names({ status: 'open,won' })).toEqual(['In New', 'In Won']);
    expect(await names({ status: 'won,open,won' })).toEqual(['In New', 'In Won']);
    expect(await names({ stage_id: `${stages['New']},${stages['Won']?.toUpperCase()}` })).toEqual([
      'In New',
      'In Won',
    ]);
    expect(await names({ status: 'open,won', stage_id: `${stages['Won']},${stages['Lost']}` })).toEqual([
      'In Won',
    ]);
  });

  test('or sent once for each value, as many clients send lists (rule lists 17)', async () => {
    const names = async (query: string) =>
      (await api.send<{ name: string }>('GET', `/leads?sort=name&${query}`)).page.data.map(
        ({ name }) => name,
      );
    for (const query of [
      'status=open&status=won',
      'status=won&status=open&status=won',
      'status=open,won&status=open',
    ]) {
      expect(await names(query)).toEqual(['In New', 'In Won']);
    }
    expect(await names('status=open&status=open')).toEqual(['In New']);
    const first = (await api.get('/leads', { status: 'open,won', limit: 1, sort: 'name' })).page;
    const cursor = encodeURIComponent(first.next_cursor ?? '');
    expect(await names(`limit=1&status=open&status=won&cursor=${cursor}`)).toEqual(['In Won']);
    const many = Array.from({ length: 21 }, () => 'status=open').join('&');
    for (const bad of ['status=open&status=', 'status=&status=open', 'status=open&status=shut', many]) {
      expect([bad, (await api.send('GET', `/leads?${bad}`)).outcome]).toEqual([bad, '400 INVALID_PARAMETER']);
    }
  });

  test('what takes one value is refused where it is sent twice, in words that are true (rule http 7)', async () => {
    for (const query of [
      'limit=1&limit=2',
      'q=a&q=b',
      'sort=name&sort=-name',
      'tag=a&tag=b',
      'archived=true&archived=true',
    ]) {
      const { outcome, error } = await api.send('GET', `/leads?${query}`);
      expect([query, outcome]).toEqual([query, '400 INVALID_PARAMETER']);
      expect(error.message).toContain('was sent more than once');
    }
    const twice = await api.send('GET', '/companies?custom_field[A]=1&custom_field[A]=2');
    expect(twice.error.message).toContain('was sent more than once');
  });

  test('also on further pages, whose cursor belongs to these values', async () => {
    const walked = await api.walk('/leads', { status: 'open,won', limit: 1, sort: 'name' });
    expect(walked.map(({ name }) => name)).toEqual(['In New', 'In Won']);
    const { next_cursor } = (await api.get('/leads', { status: 'open,won', limit: 1 })).page;
    const elsewhere = await api.get('/leads', { status: 'open', limit: 1, cursor: next_cursor ?? '' });
    expect(elsewhere.outcome).toBe('400 INVALID_CURSOR');
  });

  const filters = declarations.flatMap((each) =>
    Object.keys(each.query?.shape ?? {}).flatMap((name) =>
      takesSeveral(each, name) ? [[each.path, name] as const] : [],
    ),
  );

  test('all filters of enumerations and ids, which the contract tells', () => {
    const told = filters.map((each) => each.join(' '));
    for (const each of [
      '/leads status',
      '/tasks assignee_id',
      '/orders payment_status',
      '/companies country_code',
    ]) {
      expect(told).toContain(each);
    }
    for (const each of [
      '/leads sort',
      '/leads q',
      '/leads tag',
      '/products include',
      '/orders external_id',
    ]) {
      expect(told).not.toContain(each);
    }
  });

  test.each(filters)('%s?%s', async (path, name) => {
    const field = declarations.find((each) => each.path === path && each.kind === 'list')?.query?.shape[name];
    const isId = field?.safeParse(organization.id).success === true;
    const values = isId
      ? Array.from({ length: 21 }, () => crypto.randomUUID())
      : Array(21).fill(name === 'country_code' ? 'SK' : undefined);
    if (values[0] === undefined) {
      const refused = await api.send('GET', `${path}?${name}=nonsense`);
      values.fill(/: .*?: ([^,.]+)/.exec(refused.error.message)?.[1]);
    }
    expect((await api.send('GET', `${path}?${name}=${values.slice(0, 20).join(',')}`)).outcome).toBe('200');
    for (const bad of [values.join(','), `${values[0]},`, `,${values[0]}`, `${values[0]},nonsense`, ',']) {
      const refused = await api.send('GET', `${path}?${name}=${bad}`);
      expect([bad, refused.outcome, refused.error.detail]).toEqual([
        bad,
        '400 INVALID_PARAMETER',
        { parameter: name },
      ]);
    }
  });

  test('a comma in a filter by text is part of the text (rule lists 17)', async () => {
    await api.post('/contacts', {
      company_id: (await api.post('/companies', { name: 'C' })).data.id,
      name: 'P',
      phone: '1,2',
    });
    expect((await api.get('/contacts', { phone: '1,2' })).page.data).toHaveLength(1);
    expect((await api.get('/contacts', { phone: '1,3' })).page.data).toHaveLength(0);
  });
});
