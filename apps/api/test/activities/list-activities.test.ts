import { randomUUID } from 'node:crypto';
import { allScopes } from '@dealkeep/contract';
import { inConsole, type Query, sharedDealkeep } from '@dealkeep/testing';
import { beforeAll, describe, expect, test } from 'vitest';
import { nobody, openCalendar } from './an-activity.ts';

const dealkeep = await sharedDealkeep();

let calendar: Awaited<ReturnType<typeof openCalendar>>;
const made: Record<string, string> = {};
const all = ['Early call', 'Fair', 'Žltá SCHÔDZKA', 'Late 100% call'];

beforeAll(async () => {
  calendar = await openCalendar(dealkeep);
  const { api, apiOfMarek, organization, company, contact, lead, type, marek } = calendar;
  for (const [caller, activity] of [
    [api, { name: all[0], start_at: '2026-10-01T08:00:00Z', company_id: company.id, type_id: type.id }],
    [api, { name: all[1], start_at: '2026-10-03T08:00:00Z', contact_id: contact.id, assignee_id: marek.id }],
    [apiOfMarek, { name: all[2], start_at: '2026-10-02T08:00:00Z', lead_id: lead.id }],
    [api, { name: all[3], start_at: '2026-10-04T08:00:00Z', company_id: company.id }],
  ] as const) {
    made[activity.name ?? ''] = (await caller.post('/activities', activity)).data.id;
  }
  await api.post(`/activities/${made['Fair']}/complete`);
  await inConsole(dealkeep.core, organization, 'activities.cancel', { id: made['Late 100% call'] ?? '' });
  // An activity of another organization, which must not appear anywhere.
  const other = await openCalendar(dealkeep);
  await other.api.post('/activities', { name: 'Early call', start_at: '2026-10-01T08:00:00Z' });
});

const names = async (query: Query) =>
  (await calendar.api.walk('/activities', { sort: 'created_at', ...query })).map(({ name }) => name);

describe('filters (rule lists 8)', () => {
  test.each([
    [{}, all],
    [{ q: '' }, all],
    [{ q: 'CALL' }, ['Early call', 'Late 100% call']],
    [{ q: 'žltá schôdzka' }, ['Žltá SCHÔDZKA']],
    [{ q: '%' }, ['Late 100% call']],
    [{ status: 'open' }, ['Early call', 'Žltá SCHÔDZKA']],
    [{ status: 'closed' }, ['Fair']],
    [{ status: 'canceled' }, ['Late 100% call']],
    [{ start_after: '2026-10-02T08:00:00Z' }, ['Fair', 'Late 100% call']],
    [{ start_after: '2026-10-02T10:00:00+02:00' }, ['Fair', 'Late 100% call']],
    [{ start_before: '2026-10-02T08:00:00Z' }, ['Early call']],
    [{ start_after: '2026-10-01T08:00:00Z', start_before: '2026-10-03T08:00:00Z' }, ['Žltá SCHÔDZKA']],
    [{ status: 'open', q: 'early' }, ['Early call']],
    [{ status: 'closed', q: 'early' }, []],
  ] satisfies [Query, string[]][])('%j', async (query, found) => {
    expect(await names(query)).toEqual(found);
  });

  test('references', async () => {
    const { company, contact, lead, type, jana, marek } = calendar;
    expect(await names({ company_id: company.id })).toEqual(['Early call', 'Late 100% call']);
    expect(await names({ contact_id: contact.id })).toEqual(['Fair']);
    expect(await names({ lead_id: lead.id })).toEqual(['Žltá SCHÔDZKA']);
    expect(await names({ owner_id: jana.id })).toEqual(['Early call', 'Fair', 'Late 100% call']);
    expect(await names({ owner_id: marek.id })).toEqual(['Žltá SCHÔDZKA']);
    expect(await names({ assignee_id: marek.id })).toEqual(['Fair', 'Žltá SCHÔDZKA']);
    expect(await names({ assignee_id: marek.id, owner_id: jana.id })).toEqual(['Fair']);
    expect(await names({ type_id: type.id })).toEqual(['Early call']);
    for (const filter of ['company_id', 'contact_id', 'lead_id', 'owner_id', 'assignee_id', 'type_id']) {
      expect(await names({ [filter]: randomUUID() })).toEqual([]);
    }
  });

  test('created_after and updated_since', async () => {
    const { data } = await calendar.api.get(`/activities/${made['Žltá SCHÔDZKA']}`);
    expect(await names({ created_after: data.created_at ?? '' })).toEqual(['Late 100% call']);
    const completed = await calendar.api.get(`/activities/${made['Fair']}`);
    expect(await names({ updated_since: completed.data.updated_at ?? '' })).toEqual([
      'Fair',
      'Late 100% call',
    ]);
  });

  test.each([
    [{ name: 'Fair' }, '400 UNSUPPORTED_FILTER'],
    [{ status: 'done' }, '400 INVALID_PARAMETER'],
    [{ type_id: 'x' }, '400 INVALID_PARAMETER'],
    [{ start_after: '2026-10-01' }, '400 INVALID_PARAMETER'],
    [{ sort: 'name' }, '400 INVALID_PARAMETER'],
  ] satisfies [Query, string][])('%j is refused', async (query, outcome) => {
    const refused = await calendar.api.get('/activities', query);
    expect([refused.outcome, refused.error.detail]).toEqual([outcome, { parameter: Object.keys(query)[0] }]);
  });
});

describe('sorts, page by page', () => {
  const orders: Record<string, string[]> = {
    created_at: all,
    updated_at: ['Early call', 'Žltá SCHÔDZKA', 'Fair', 'Late 100% call'],
    start_at: ['Early call', 'Žltá SCHÔDZKA', 'Fair', 'Late 100% call'],
  };
  test.each(Object.entries(orders))('%s, both ways', async (sort, order) => {
    expect(await names({ sort, limit: 1 })).toEqual(order);
    expect(await names({ sort: `-${sort}`, limit: 3 })).toEqual(order.toReversed());
  });

  test('those that start at one moment are neither lost nor repeated', async () => {
    const { api } = await openCalendar(dealkeep);
    const start_at = '2026-10-05T08:00:00Z';
    const ids = await Promise.all(
      Array.from({ length: 7 }, async () => (await api.post('/activities', { name: 'x', start_at })).data.id),
    );
    const listed = await api.walk('/activities', { sort: '-start_at', limit: 2 });
    expect(listed.map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
  });

  test('those without a start come last, both ways', async () => {
    const { api } = await openCalendar(dealkeep);
    const make = async (name: string, changes: object) => {
      const { id } = (await api.post('/activities', { name, start_at: '2026-10-05T08:00:00Z' })).data;
      await api.patch(`/activities/${id}`, changes);
    };
    await make('unplanned', { start_at: null });
    await make('later', { start_at: '2026-10-06T08:00:00Z', end_at: null });
    await make('sooner', {});
    const sorted = async (sort: string) =>
      (await api.walk('/activities', { sort, limit: 1 })).map(({ name }) => name);
    expect(await sorted('start_at')).toEqual(['sooner', 'later', 'unplanned']);
    expect(await sorted('-start_at')).toEqual(['later', 'sooner', 'unplanned']);
  });
});

test('reading needs activities:read, writing activities:write', async () => {
  const { organization } = calendar;
  const key = async (without: string) =>
    dealkeep.as(
      (await organization.createKey({ scopes: allScopes.filter((scope) => scope !== without) })).token,
    );
  const blind = await key('activities:read');
  const reader = await key('activities:write');
  const path = `/activities/${made['Fair']}`;
  for (const each of ['/activities', path, '/activity-types']) {
    expect((await blind.get(each)).outcome).toBe('403 FORBIDDEN');
    expect((await reader.get(each)).outcome).toBe('200');
  }
  expect((await reader.post('/activities', {})).outcome).toBe('403 FORBIDDEN');
  expect((await reader.patch(path, {})).outcome).toBe('403 FORBIDDEN');
  expect((await reader.post(`/activities/${nobody}/complete`)).outcome).toBe('403 FORBIDDEN');
});

describe('activity types', () => {
  test('exist from the start; q is part of the name (rule lookups 2)', async () => {
    const { api } = calendar;
    const types = await api.walk('/activity-types', { sort: 'name', limit: 2 });
    expect(types.map(({ name }) => name)).toEqual([
      'E-mail',
      'Meeting',
      'Phone call',
      'Site visit',
      'Video call',
    ]);
    expect(types.map((type) => Object.keys(type))).toEqual(types.map(() => ['id', 'name']));
    const found = (await api.get('/activity-types', { q: 'CALL', sort: '-name' })).page.data;
    expect(found.map(({ name }) => name)).toEqual(['Video call', 'Phone call']);
  });

  test('take no other filter', async () => {
    expect((await calendar.api.get('/activity-types', { name: 'x' })).outcome).toBe('400 UNSUPPORTED_FILTER');
  });
});
