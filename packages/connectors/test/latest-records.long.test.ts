import { randomUUID } from 'node:crypto';
import type { EventType } from '@dealkeep/contract';
import { ManualClock, startDealkeep } from '@dealkeep/testing';
import { type Business, openBusiness } from '@dealkeep/testing/business';
import { expect, test } from 'vitest';
import { triggerKey, triggers } from '../src/catalog/triggers.ts';
import type { ApiRecord } from '../src/records/api-record.ts';
import type { Api, Call } from '../src/requests/api.ts';
import { failureIn } from '../src/requests/failure.ts';
import { isWelcome, requestOf } from '../src/requests/request.ts';
import { eventSample, toldBy } from '../src/triggers/event-output.ts';
import { latestRecords } from '../src/triggers/latest-records.ts';

const hour = 3_600_000;
const day = 24 * hour;

const clock = new ManualClock();
const dealkeep = await startDealkeep({ clock, worker: false });

/** An organization as a connector reaches it, with the calls that were made. */
async function connect(scopes?: readonly ['webhooks:manage']) {
  const business = await openBusiness(dealkeep);
  const token = scopes
    ? (await business.organization.createKey({ scopes })).token
    : business.organization.key;
  const calls: Call[] = [];
  const call = async (asked: Call) => {
    calls.push(asked);
    const { url, ...request } = requestOf(asked, {
      root: dealkeep.baseUrl,
      authorization: `Bearer ${token}`,
      idempotencyKey: randomUUID(),
    });
    const response = await fetch(url, request);
    const content: unknown = await response.json();
    const { status } = response;
    if (isWelcome(asked, status)) return { status, content };
    const failure = failureIn({ status, content, retryAfter: undefined }, asked);
    throw new Error('message' in failure ? failure.message : failure.kind);
  };
  const api: Api = { call };
  const test = (key: string, input: Record<string, unknown> = {}): Promise<ApiRecord[]> =>
    latestRecords(api, triggerOf(key), input, clock.now());
  return { ...business, calls, asApi: api, test };
}

function triggerOf(key: string) {
  const found = triggers.find((declaration) => triggerKey(declaration) === key);
  if (!found) throw new Error(`There is no trigger ${key}.`);
  return found;
}

const eventsOf = async ({ api }: Business, types: EventType): Promise<ApiRecord[]> =>
  Object((await api.get('/events', { types })).json).data;

const asked = (calls: readonly Call[]): string[] => calls.map(({ operation }) => operation.id);

/** Events of others beside those of a test, about records that there are not. */
const fill = async ({ organization }: Business, type: EventType, count: number, within: number) =>
  dealkeep.sql`
    insert into events (organization_id, id, type, record_id, occurred_at, envelope)
    select ${organization.id}, 'evt_' || lpad(n::text, 32, '0'), ${type}, gen_random_uuid(),
           ${clock.now().toISOString()}::timestamptz - (${count} - n) * (${within / count} * interval '1 millisecond'),
           json_build_object('id', 'evt_' || lpad(n::text, 32, '0'), 'type', ${type}::text, 'data', json_build_object('id', n))::text
    from generate_series(1, ${count}::integer) as n`;

test('a test of a trigger shows the newest events of three records, as they were delivered', async () => {
  const business = await connect();
  const { api } = business;
  const leads: ApiRecord[] = [];
  for (const name of ['One', 'Two', 'Three', 'Four']) leads.push((await api.post('/leads', { name })).data);
  for (const value of [1, 2]) await api.patch(`/leads/${leads[0]?.['id']}`, { value });
  await api.patch(`/leads/${leads[1]?.['id']}`, { value: 3 });
  const [, ofOne, ofTwo] = await eventsOf(business, 'lead.updated');
  expect(await business.test('lead_updated')).toMatchObject([
    { event_id: ofTwo?.['id'], name: 'Two', value: 3, changed_fields: ['value'], previous: { value: null } },
    { event_id: ofOne?.['id'], name: 'One', value: 2, changed_fields: ['value'], previous: { value: 1 } },
  ]);
  const created = await eventsOf(business, 'lead.created');
  expect((await business.test('lead_created')).map((shown) => shown['event_id'])).toEqual(
    created
      .map(({ id }) => id)
      .toReversed()
      .slice(0, 3),
  );
});

test('events and not only records fit what the trigger is narrowed to', async () => {
  const business = await connect();
  const { api } = business;
  const { data: vip } = await api.post('/companies', { name: 'VIP', tags: ['VIP'] });
  await api.post('/companies', { name: 'Other' });
  await api.patch(`/companies/${vip.id}`, { phone: '1' });
  await api.patch(`/companies/${vip.id}`, { note: 'x' });
  expect(await business.test('company_created', { tag: ['VIP'] })).toMatchObject([
    { id: vip.id, phone: null },
  ]);
  expect(await business.test('company_updated', { fields_to_watch: ['phone'] })).toMatchObject([
    { changed_fields: ['phone'], note: null },
  ]);
});

test('a request that changed fields of a lead and moved it is shown as the one change that a Zap runs for', async () => {
  const business = await connect();
  const { api } = business;
  const stages: ApiRecord[] = Object((await api.get('/pipelines')).json).data[0].stages;
  const { data: lead } = await api.post('/leads', { name: 'Bikes', stage_id: stages[0]?.['id'] });
  await api.patch(`/leads/${lead.id}`, { value: 7, stage_id: stages[1]?.['id'] });
  expect(await business.test('lead_created_or_updated')).toMatchObject([
    {
      event_type: 'lead.stage_changed',
      value: 7,
      previous: { value: null, stage: { id: stages[0]?.['id'] } },
    },
  ]);
  expect(await business.test('lead_updated')).toMatchObject([{ event_type: 'lead.updated', value: 7 }]);
});

test('of chosen events one of each is shown: what happened, else a record of that kind, else the sample', async () => {
  const business = await connect();
  const { data: lead } = await business.api.post('/leads', { name: 'Bikes' });
  const events = ['lead.created', 'contact.created', 'lead.archived'];
  const [created, contact, archived] = await business.test('any_event', { events });
  expect(created).toMatchObject({ event_type: 'lead.created', id: lead.id });
  const told = toldBy(triggerOf('any_event'), { events });
  expect(contact).toEqual(eventSample('contact.created', told));
  expect(archived).toEqual(eventSample('lead.archived', told));
});

test.each([
  ['an hour', 0.5 * hour, 4],
  ['a day', 20 * hour, 4],
  ['a week', 6 * day, 4],
  ['31 days', 30 * day, 4],
])('what happened within %s is found by few requests', async (_, ago, requests) => {
  const business = await connect();
  await business.api.post('/companies', { name: 'Tatra' });
  const [event] = await eventsOf(business, 'company.created');
  clock.advance(ago);
  expect(await business.test('company_created')).toMatchObject([{ event_id: event?.['id'], name: 'Tatra' }]);
  expect(asked(business.calls)).toEqual(Array.from({ length: requests }, () => 'events.list'));
});

test('it stops looking back as soon as there is enough', async () => {
  const business = await connect();
  for (const name of ['One', 'Two', 'Three']) await business.api.post('/companies', { name });
  expect(await business.test('company_created')).toHaveLength(3);
  expect(asked(business.calls)).toEqual(['events.list']);
});

test('a record that the feed no longer tells of is shown in the form of a delivery', async () => {
  const business = await connect();
  const { data: company } = await business.api.post('/companies', { name: 'Tatra' });
  clock.advance(32 * day);
  const [shown] = await business.test('company_created_or_updated');
  expect(shown).toMatchObject({ id: company.id, event_type: 'company.created', changed_fields: [] });
  expect(Object.keys(shown ?? {})).toEqual(
    Object.keys(eventSample('company.updated', toldBy(triggerOf('company_created_or_updated')))),
  );
});

test('among 100,000 events the newest of a kind are found by eight requests, and nothing is walked to its end', async () => {
  const business = await connect();
  const { data: company } = await business.api.post('/companies', { name: 'Tatra' });
  const [event] = await eventsOf(business, 'company.created');
  clock.advance(5 * day);
  await fill(business, 'task.created', 100_000, 4 * day);
  expect(await business.test('company_created')).toMatchObject([
    { id: company.id, event_id: event?.['id'], event_type: 'company.created' },
  ]);
  expect(business.calls.length).toBeLessThanOrEqual(8);
  expect(asked(business.calls)).toContain('companies.list');
});

test('of more than can be read of one kind, those of the latest records are shown', async () => {
  const business = await connect();
  await fill(business, 'company.created', 1000, 0.9 * hour);
  const { data: company } = await business.api.post('/companies', { name: 'Newest' });
  const shown = await business.test('company_created');
  expect(shown).toMatchObject([{ id: company.id, name: 'Newest', event_id: expect.stringMatching(/^evt_/) }]);
  expect(business.calls.length).toBeLessThanOrEqual(8);
});

test('a place in the feed that is older than 31 days by the next page ends the looking, not the test', async () => {
  const business = await connect();
  const { asApi, api } = business;
  await api.post('/companies', { name: 'Tatra' });
  await fill(business, 'company.created', 150, 0.5 * hour);
  const aging: Api = {
    call: async (call) => {
      const answer = await asApi.call(call);
      if (call.operation.id === 'events.list') clock.advance(32 * day);
      return answer;
    },
  };
  const [shown] = await latestRecords(aging, triggerOf('company_created'), {}, clock.now());
  expect(shown).toMatchObject({ name: 'Tatra' });
});

test('a key that may not read the records is told so', async () => {
  const business = await connect(['webhooks:manage']);
  await expect(business.test('lead_created')).rejects.toThrow(/leads:read/);
});

test('a filter by what is gone is told, and no sample hides it', async () => {
  const business = await connect();
  await business.api.post('/leads', { name: 'Bikes' });
  await expect(business.test('lead_created', { owner_id: [randomUUID()] })).rejects.toThrow(
    'Owner: This is not in the list any more.',
  );
});
