import { ManualClock, startDealkeep } from '@dealkeep/testing';

import { expect, test } from 'vitest';
import type { Api } from '../src/requests/api.ts';
import { latestRecords } from '../src/triggers/latest-records.ts';
import { asked, connectedBusinesses, day, eventsOf, hour, triggerOf } from './connected-business.ts';

const clock = new ManualClock();
const dealkeep = await startDealkeep({ clock, worker: false });

const { connect, fill } = connectedBusinesses(dealkeep, clock);

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

test('among 20,000 events the newest of a kind are found by eight requests, and nothing is walked to its end', async () => {
  const business = await connect();
  const { data: company } = await business.api.post('/companies', { name: 'Tatra' });
  const [event] = await eventsOf(business, 'company.created');
  clock.advance(5 * day);
  await fill(business, 'task.created', 20_000, 4 * day);
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
