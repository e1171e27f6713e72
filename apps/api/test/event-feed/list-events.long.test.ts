import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { events, eventTypes, limits, operations, type Scope } from '@dealkeep/contract';
import { updateOrganization } from '@dealkeep/core/accounts';
import { connectedUser, eventually, ManualClock, sharedDealkeep, startDealkeep } from '@dealkeep/testing';
import { openBusiness } from '@dealkeep/testing/business';
import { describe, expect, onTestFinished, test } from 'vitest';

const dealkeep = await sharedDealkeep();
type Api = ReturnType<typeof dealkeep.as>;

const feedOf = async (api: Api, query: Record<string, string | number> = {}) =>
  (await api.get('/events', query)).page;
const typesIn = async (api: Api, query: Record<string, string | number> = {}) =>
  (await feedOf(api, query)).data.map(({ type }) => type);
const outcomeOf = async (api: Api, query: Record<string, string | number>) =>
  (await api.get('/events', query)).outcome;

const day = 24 * 3600_000;

test('an envelope of the feed has the very bytes that a webhook receives', async () => {
  const own = await startDealkeep({ allowedTargets: '127.0.0.0/8' });
  const { key } = await own.createOrganization();
  const received: string[] = [];
  const receiver = createServer(async (request, response) => {
    received.push(await text(request));
    response.end();
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void receiver.close());
  const address = receiver.address();
  if (typeof address !== 'object' || !address) throw new Error('The receiver has no port');
  const api = own.as(key);
  await api.post('/webhooks', {
    target_url: `http://127.0.0.1:${address.port}/`,
    events: ['company.created', 'company.updated'],
  });
  const { data } = await api.post('/companies', { name: 'Žltý kôň "s.r.o." \u2028 <b>', note: '🚲' });
  await api.patch(`/companies/${data.id}`, { note: 'x' });
  await eventually(() => expect(received).toHaveLength(2));
  const answer = await api.get('/events');
  const [created = '', updated = ''] = received.toSorted();
  expect(answer.text.startsWith(`{"data":[${created},${updated}],"next_cursor":"`)).toBe(true);
  const { id } = JSON.parse(created);
  expect((await api.get(`/events/${id}`)).text).toBe(`{"data":${created}}`);
});

test('events come in the order in which they became visible, and of a transaction in their own', async () => {
  const { api } = await openBusiness(dealkeep);
  const { data: lead } = await api.post('/leads', { name: 'Bikes', company: { name: 'Tatra' } });
  await api.patch(`/leads/${lead.id}`, { note: 'x' });
  expect(await typesIn(api)).toEqual(['company.created', 'lead.created', 'lead.updated']);
});

describe('pages', () => {
  test('a cursor goes on where the page ended, and is there also on an empty page', async () => {
    const { api } = await openBusiness(dealkeep);
    const empty = await feedOf(api);
    expect(empty).toEqual({ data: [], next_cursor: expect.any(String), has_more: false });
    for (const name of ['A', 'B', 'C']) await api.post('/companies', { name });
    const first = await feedOf(api, { limit: 2, cursor: empty.next_cursor ?? '' });
    expect(first.data.map(({ data }) => data['name'])).toEqual(['A', 'B']);
    expect(first.has_more).toBe(true);
    const second = await feedOf(api, { limit: 2, cursor: first.next_cursor ?? '' });
    expect([second.data.map(({ data }) => data['name']), second.has_more]).toEqual([['C'], false]);
    const last = await feedOf(api, { cursor: second.next_cursor ?? '' });
    expect(last).toEqual({ data: [], next_cursor: expect.any(String), has_more: false });
    await api.post('/companies', { name: 'D' });
    const next = await feedOf(api, { cursor: last.next_cursor ?? '' });
    expect(next.data.map(({ data }) => data['name'])).toEqual(['D']);
  });

  test('a page is cut where its events are 2 MiB, and goes on behind', async () => {
    const { api, organization } = await openBusiness(dealkeep);
    await dealkeep.sql`
      insert into events (organization_id, id, type, record_id, occurred_at, envelope)
      select ${organization.id}, 'evt_' || n, 'lead.created', gen_random_uuid(), now(),
             json_build_object('id', 'evt_' || n, 'type', 'lead.created', 'timestamp', '2026-10-01T08:00:00.000Z',
               'api_version', '2026-10-01', 'organization', json_build_object('id', ${organization.id}::text, 'slug', 'x'),
               'test', false, 'data', json_build_object('id', repeat('x', 250000)))::text
      from generate_series(10, 29) as n`;
    const first = await feedOf(api);
    expect(first.data.length).toBeLessThan(12);
    expect(first.has_more).toBe(true);
    const second = await feedOf(api, { cursor: first.next_cursor ?? '' });
    const third = await feedOf(api, { cursor: second.next_cursor ?? '' });
    expect([...first.data, ...second.data, ...third.data].map(({ id }) => id)).toEqual(
      Array.from({ length: 20 }, (_, index) => `evt_${index + 10}`),
    );
    expect(third.has_more).toBe(false);
  });

  test('events of types that are not asked for are walked over, however many there are', async () => {
    const { api, organization } = await openBusiness(dealkeep);
    await dealkeep.sql`
      insert into events (organization_id, id, type, record_id, occurred_at, envelope)
      select ${organization.id}, 'evt_' || n, 'task.created', gen_random_uuid(), now(), '{}'
      from generate_series(10001, 16000) as n`;
    await api.post('/companies', { name: 'Tatra' });
    let page = await feedOf(api, { types: 'company.created' });
    expect([page.data, page.has_more]).toEqual([[], true]);
    page = await feedOf(api, { types: 'company.created', cursor: page.next_cursor ?? '' });
    expect([page.data.map(({ type }) => type), page.has_more]).toEqual([['company.created'], false]);
  });

  test.each(Object.keys(operations['events.list'].query.shape))(
    'the parameter %s can be sent once',
    async (name) => {
      const { api } = await openBusiness(dealkeep);
      const refused = await api.send('GET', `/events?${name}=1&${name}=1`);
      expect([refused.outcome, refused.error.detail]).toEqual(['400 INVALID_PARAMETER', { parameter: name }]);
    },
  );
});

describe('filters', () => {
  test('types, separated by commas', async () => {
    const { api } = await openBusiness(dealkeep);
    await api.post('/leads', { name: 'Bikes', company: { name: 'Tatra' }, contact: { name: 'Eva' } });
    expect(await typesIn(api, { types: 'lead.created' })).toEqual(['lead.created']);
    expect(await typesIn(api, { types: 'lead.created,company.created,lead.created' })).toEqual([
      'company.created',
      'lead.created',
    ]);
  });

  test('record_id', async () => {
    const { api } = await openBusiness(dealkeep);
    const { data: one } = await api.post('/companies', { name: 'A' });
    await api.post('/companies', { name: 'B' });
    await api.patch(`/companies/${one.id}`, { name: 'C' });
    const page = await feedOf(api, { record_id: one.id, limit: 1 });
    expect(page.data.map(({ type }) => type)).toEqual(['company.created']);
    const next = await feedOf(api, { record_id: one.id, limit: 1, cursor: page.next_cursor ?? '' });
    expect([next.data.map(({ type }) => type), next.has_more]).toEqual([['company.updated'], false]);
    const last = await feedOf(api, { record_id: one.id, limit: 1, cursor: next.next_cursor ?? '' });
    expect([last.data, last.has_more]).toEqual([[], false]);
  });

  test('created_after', async () => {
    const clock = new ManualClock();
    const own = await startDealkeep({ worker: false, clock });
    const api = own.as((await own.createOrganization()).key);
    for (const name of ['A', 'B', 'C']) {
      await api.post('/companies', { name });
      clock.advance(3600_000);
    }
    const names = async (created_after: string) =>
      (await feedOf(api, { created_after })).data.map(({ data }) => data['name']);
    expect(await names('2026-10-01T07:59:59.999Z')).toEqual(['A', 'B', 'C']);
    expect(await names('2026-10-01T08:00:00.000Z')).toEqual(['B', 'C']);
    expect(await names('2026-10-01T10:00:00Z')).toEqual([]);
    const page = await feedOf(api, { created_after: '2026-10-01T08:00:00.000Z', limit: 1 });
    const next = await feedOf(api, {
      created_after: '2026-10-01T08:00:00.000Z',
      limit: 1,
      cursor: page.next_cursor ?? '',
    });
    expect(next.data.map(({ data }) => data['name'])).toEqual(['C']);
  });

  test('a test event is no event of the feed', async () => {
    const { api, organization } = await openBusiness(dealkeep);
    await dealkeep.sql`
      insert into events (organization_id, id, type, record_id, occurred_at, envelope, test)
      values (${organization.id}, 'evt_test', 'lead.created', gen_random_uuid(), now(), '{}', true)`;
    expect(await typesIn(api)).toEqual([]);
  });
});

describe('bad input', () => {
  test('an unknown type is told by its name', async () => {
    const { api } = await openBusiness(dealkeep);
    for (const types of ['lead.exploded', 'lead.created,', '', 'lead.created;lead.won']) {
      const refused = await api.get('/events', { types });
      expect([refused.outcome, refused.error.detail]).toEqual([
        '400 INVALID_PARAMETER',
        { parameter: 'types' },
      ]);
    }
    expect((await api.get('/events', { types: 'lead.exploded' })).error.message).toContain('lead.exploded');
  });

  test.each([
    ['wait', '99'],
    ['wait', '21'],
    ['wait', '-1'],
    ['wait', '1.5'],
    ['wait', ''],
    ['limit', '0'],
    ['limit', '101'],
    ['record_id', '1'],
    ['created_after', 'yesterday'],
    ['types', 'a\0b'],
  ])('%s=%s is refused', async (name, value) => {
    const { api } = await openBusiness(dealkeep);
    const refused = await api.get('/events', { [name]: value });
    expect([refused.outcome, refused.error.detail]).toEqual(['400 INVALID_PARAMETER', { parameter: name }]);
  });

  test.each(['sort', 'updated_since', 'type', 'q'])('%s is no parameter of the feed', async (name) => {
    const { api } = await openBusiness(dealkeep);
    expect(await outcomeOf(api, { [name]: '1' })).toBe('400 UNSUPPORTED_FILTER');
  });

  test('a cursor of another query, of another list, of another organization, or cut', async () => {
    const { api } = await openBusiness(dealkeep);
    const { api: other } = await openBusiness(dealkeep);
    for (const name of ['A', 'B']) await api.post('/companies', { name });
    const own = (await feedOf(api, { types: 'company.created', limit: 1 })).next_cursor ?? '';
    const ofCompanies = (await api.get('/companies', { limit: 1 })).page.next_cursor ?? '';
    expect(await outcomeOf(api, { types: 'company.created', cursor: own })).toBe('200');
    const refused = [
      await outcomeOf(api, { cursor: own }),
      await outcomeOf(api, { types: 'company.created,lead.won', cursor: own }),
      await outcomeOf(api, { cursor: ofCompanies }),
      await outcomeOf(other, { types: 'company.created', cursor: own }),
      await outcomeOf(api, { types: 'company.created', cursor: own.slice(0, -1) }),
      await outcomeOf(api, { types: 'company.created', cursor: '' }),
    ];
    expect(refused).toEqual(refused.map(() => '400 INVALID_CURSOR'));
    expect((await api.get('/companies', { cursor: own })).outcome).toBe('400 INVALID_CURSOR');
  });
});

describe('events are kept for 31 days', async () => {
  const clock = new ManualClock();
  const own = await startDealkeep({ worker: false, clock });

  test('an older cursor is refused, and the error says where to begin', async () => {
    clock.set('2026-10-01T08:00:00.000Z');
    const api = own.as((await own.createOrganization()).key);
    await api.post('/companies', { name: 'A' });
    const { next_cursor } = await feedOf(api);
    const cursor = next_cursor ?? '';
    clock.advance(limits.eventDays * day);
    expect(await outcomeOf(api, { cursor })).toBe('200');
    clock.advance(1);
    const refused = await api.get('/events', { cursor });
    expect(refused.outcome).toBe('400 INVALID_CURSOR');
    const begin = '2026-10-01T08:00:00.001Z';
    expect(refused.error.detail).toEqual({ parameter: 'cursor', created_after: begin });
    expect(refused.error.message).toContain(`created_after=${begin}`);
    expect(await outcomeOf(api, { created_after: begin })).toBe('200');
  });

  test('a cursor that is used goes on for ever, although nothing happens', async () => {
    clock.set('2026-10-01T08:00:00.000Z');
    const { id, key } = await own.createOrganization();
    const api = own.as(key);
    await api.post('/companies', { name: 'A' });
    let cursor = (await feedOf(api)).next_cursor ?? '';
    for (let month = 0; month < 3; month += 1) {
      clock.advance(30 * day);
      cursor = (await feedOf(api, { cursor })).next_cursor ?? '';
      await own.sql`delete from events where organization_id = ${id} and occurred_at < ${clock.now().toISOString()}::timestamptz - interval '31 days'`;
    }
    await api.post('/companies', { name: 'B' });
    expect((await feedOf(api, { cursor })).data.map(({ data }) => data['name'])).toEqual(['B']);
  });

  test('a cursor in the middle of what was dropped meanwhile is refused, however new it is', async () => {
    clock.set('2026-10-01T08:00:00.000Z');
    const api = own.as((await own.createOrganization()).key);
    for (const name of ['A', 'B']) await api.post('/companies', { name });
    clock.advance(20 * day);
    const cursor = (await feedOf(api, { limit: 1 })).next_cursor ?? '';
    clock.advance(12 * day);
    expect(await outcomeOf(api, { cursor, limit: 1 })).toBe('400 INVALID_CURSOR');
  });
});

describe('who may read', () => {
  test('by default all that the credential may read', async () => {
    const { api, organization } = await openBusiness(dealkeep);
    await api.post('/leads', { name: 'Bikes', company: { name: 'Tatra' } });
    const { token } = await organization.createKey({ scopes: ['leads:read', 'invoices:read'] });
    expect(await typesIn(dealkeep.as(token))).toEqual(['lead.created']);
  });

  test('an event needs the read scope of its group: 403', async () => {
    const { organization } = await openBusiness(dealkeep);
    await updateOrganization(dealkeep.sql, organization.slug, { maxKeys: 100 });
    const keys = new Map<Scope, Promise<Api>>();
    const keyOf = (scope: Scope): Promise<Api> => {
      const key =
        keys.get(scope) ??
        organization.createKey({ scopes: [scope] }).then(({ token }) => dealkeep.as(token));
      keys.set(scope, key);
      return key;
    };
    for (const type of eventTypes) {
      const { scope } = events[type];
      const refused = await (await keyOf(scope === 'leads:read' ? 'companies:read' : 'leads:read')).get(
        '/events',
        { types: type },
      );
      expect([type, refused.outcome]).toEqual([type, '403 FORBIDDEN']);
      expect(refused.error.message).toContain(scope);
      expect(refused.headers.get('www-authenticate')).toContain(scope);
      expect([type, await outcomeOf(await keyOf(scope), { types: type })]).toEqual([type, '200']);
    }
  });

  test('a credential that may read nothing is refused', async () => {
    const { organization } = await openBusiness(dealkeep);
    const { token } = await organization.createKey({ scopes: ['leads:write'] });
    expect(await outcomeOf(dealkeep.as(token), {})).toBe('403 FORBIDDEN');
  });

  test('a legacy key is told nothing of orders', async () => {
    const { organization } = await openBusiness(dealkeep);
    const { token } = await organization.createKey({ legacy: true });
    const legacy = dealkeep.as(token);
    expect(await outcomeOf(legacy, { types: 'order.created' })).toBe('403 LEGACY_KEY_NOT_ALLOWED');
    expect(await outcomeOf(legacy, { types: 'lead.created' })).toBe('200');
    await dealkeep.sql`
      insert into events (organization_id, id, type, record_id, occurred_at, envelope)
      values (${organization.id}, 'evt_order', 'order.created', gen_random_uuid(), now(), '{}')`;
    expect(await typesIn(legacy)).toEqual([]);
    expect((await legacy.get('/events/evt_order')).outcome).toBe('403 LEGACY_KEY_NOT_ALLOWED');
  });

  test('of a connection the role is asked, for each event', async () => {
    const { api, organization } = await openBusiness(dealkeep);
    const user = await connectedUser(dealkeep, organization, 'leads.view=all,companies.view=all');
    const connection = dealkeep.as(user.token);
    await api.post('/leads', { name: 'Bikes', company: { name: 'Tatra' } });
    const all = await feedOf(connection);
    expect(all.data.map(({ type }) => type)).toEqual(['company.created', 'lead.created']);
    await user.permit({ 'leads.view': 'all', 'companies.view': 'assigned' });
    expect(await typesIn(connection)).toEqual(['lead.created']);
    expect(await outcomeOf(connection, { types: 'company.created' })).toBe('403 ROLE_SCOPE_LIMITED');
    await user.permit({ 'leads.view': 'all' });
    expect(await outcomeOf(connection, { types: 'company.created' })).toBe('403 ROLE_PERMISSION_MISSING');
    const [company] = all.data;
    expect((await connection.get(`/events/${company?.id}`)).outcome).toBe('403 ROLE_PERMISSION_MISSING');
    expect(await outcomeOf(connection, { types: 'product.created' })).toBe('403 FORBIDDEN');
  });

  test('another organization has events of its own', async () => {
    const { api } = await openBusiness(dealkeep);
    const { api: other } = await openBusiness(dealkeep);
    await api.post('/companies', { name: 'Tatra' });
    const [event] = (await feedOf(api)).data;
    expect(await typesIn(other)).toEqual([]);
    expect((await other.get(`/events/${event?.id}`)).outcome).toBe('404 NOT_FOUND');
    expect((await api.get(`/events/${event?.id}`)).outcome).toBe('200');
    expect((await api.get('/events/evt_nothing')).outcome).toBe('404 NOT_FOUND');
  });
});
