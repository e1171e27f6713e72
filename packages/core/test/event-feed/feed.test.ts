import { limits } from '@dealkeep/contract';
import { revokeApiKey } from '@dealkeep/core/accounts';
import { eventually, logAttempt, ManualClock, sharedDealkeep, startDealkeep } from '@dealkeep/testing';
import { openBusiness } from '@dealkeep/testing/business';
import { expect, test } from 'vitest';

// All filters, roles and sizes: apps/api/test/event-feed/list-events.long.test.ts and those beside it.

const clock = new ManualClock();
const dealkeep = await startDealkeep({ clock, worker: false });
const { core, sql } = dealkeep;
type Api = ReturnType<typeof dealkeep.as>;

const feedOf = async (api: Api, query: Record<string, string | number> = {}) =>
  (await api.get('/events', query)).page;
const outcomeOf = async (api: Api, query: Record<string, string | number>) =>
  (await api.get('/events', query)).outcome;

test('the feed shows envelopes as they are sent, and one by its id, but no test events (rule events 21)', async () => {
  const { api, organization } = await openBusiness(dealkeep);
  const { id: hook } = (
    await api.post('/webhooks', { target_url: 'http://127.0.0.1:9/', event: 'company.created' })
  ).data;
  await api.post('/companies', { name: 'Žltý kôň "s.r.o." \u2028 <b>', note: '🚲' });
  await logAttempt(dealkeep, { organization: organization.id, hook });
  const [sent] = await sql<{ id: string; envelope: string }[]>`
    select e.id, e.envelope from deliveries d join events e on e.organization_id = d.organization_id and e.id = d.event_id
    where d.webhook_id = ${hook}`;
  expect((await api.get('/events')).text.startsWith(`{"data":[${sent?.envelope}],"next_cursor":"`)).toBe(
    true,
  );
  expect((await api.get(`/events/${sent?.id}`)).text).toBe(`{"data":${sent?.envelope}}`);
});

test('a cursor is there also on an empty page and goes on where the page ended; types, record and moment choose (rules events 23 and 24)', async () => {
  const { api } = await openBusiness(dealkeep);
  const empty = await feedOf(api);
  expect(empty).toEqual({ data: [], next_cursor: expect.any(String), has_more: false });
  const before = clock.now().toISOString();
  clock.advance(1000);
  const { id } = (await api.post('/companies', { name: 'A' })).data;
  await api.patch(`/companies/${id}`, { name: 'B' });
  await api.post('/leads', { name: 'C', company_id: id });
  const first = await feedOf(api, { limit: 2, cursor: empty.next_cursor ?? '' });
  expect([first.data.map(({ type }) => type), first.has_more]).toEqual([
    ['company.created', 'company.updated'],
    true,
  ]);
  const second = await feedOf(api, { limit: 2, cursor: first.next_cursor ?? '' });
  expect([second.data.map(({ type }) => type), second.has_more]).toEqual([['lead.created'], false]);
  const typesIn = async (query: Record<string, string>) =>
    (await feedOf(api, query)).data.map(({ type }) => type);
  expect(await typesIn({ types: 'lead.created,company.updated' })).toEqual([
    'company.updated',
    'lead.created',
  ]);
  expect(await typesIn({ record_id: id })).toEqual(['company.created', 'company.updated']);
  expect(await typesIn({ created_after: before })).toHaveLength(3);
  expect(await typesIn({ created_after: clock.now().toISOString() })).toEqual([]);
});

test('with wait the answer comes with the event; once the key is revoked it is 401 (rule events 25)', async () => {
  const { api, organization } = await openBusiness(dealkeep);
  const waiting = () => eventually(() => expect(core.waitingReaders.count).toBe(1));
  const { next_cursor: cursor } = await feedOf(api);
  const answer = feedOf(api, { wait: 20, cursor: cursor ?? '' });
  await waiting();
  await api.post('/companies', { name: 'Tatra' });
  const page = await answer;
  expect(page.data.map(({ type }) => type)).toEqual(['company.created']);

  const { id, token } = await organization.createKey();
  const refused = dealkeep.as(token).get('/events', { wait: 20, cursor: page.next_cursor ?? '' });
  await waiting();
  await revokeApiKey(core, id);
  await api.post('/companies', { name: 'Fatra' });
  expect((await refused).outcome).toBe('401 UNAUTHORIZED');
});

test('a cursor that is older than the events are kept is refused with where to begin (rules events 17 and 26)', async () => {
  const { api } = await openBusiness(dealkeep);
  await api.post('/companies', { name: 'A' });
  const cursor = (await feedOf(api)).next_cursor ?? '';
  clock.advance(limits.eventDays * 24 * 3_600_000);
  expect(await outcomeOf(api, { cursor })).toBe('200');
  clock.advance(1);
  const refused = await api.get('/events', { cursor });
  expect(refused.outcome).toBe('400 INVALID_CURSOR');
  expect(refused.error.detail).toEqual({ parameter: 'cursor', created_after: expect.any(String) });
});

test('each type needs its read scope, and without types come all that the key may read (rule events 27)', async () => {
  const { api, organization } = await openBusiness(await sharedDealkeep());
  await api.post('/leads', { name: 'Bikes', company: { name: 'Tatra' } });
  const withScopes = async (...scopes: ('leads:read' | 'leads:write')[]) =>
    (await sharedDealkeep()).as((await organization.createKey({ scopes })).token);
  const leads = await withScopes('leads:read');
  expect((await feedOf(leads)).data.map(({ type }) => type)).toEqual(['lead.created']);
  expect(await outcomeOf(leads, { types: 'company.created' })).toBe('403 FORBIDDEN');
  expect(await outcomeOf(leads, { types: 'lead.eaten' })).toBe('400 INVALID_PARAMETER');
  expect(await outcomeOf(await withScopes('leads:write'), {})).toBe('403 FORBIDDEN');
});
