import { randomUUID } from 'node:crypto';

import { ManualClock, startDealkeep } from '@dealkeep/testing';

import { expect, test } from 'vitest';
import type { ApiRecord } from '../src/records/api-record.ts';
import { eventSample, toldBy } from '../src/triggers/event-output.ts';
import { asked, connectedBusinesses, day, eventsOf, triggerOf } from './connected-business.ts';

const clock = new ManualClock();
const dealkeep = await startDealkeep({ clock, worker: false });

const { connect } = connectedBusinesses(dealkeep, clock);

test('a test of a trigger shows the newest events of three records, as they were delivered (rule zapier 8)', async () => {
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

test('events and not only records fit what the trigger is narrowed to (rule zapier 8)', async () => {
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

test('a request that changed fields of a lead and moved it is shown as the one change that a Zap runs for (rule zapier 20)', async () => {
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

test('of chosen events one of each is shown: what happened, else a record of that kind, else the sample (rule zapier 8)', async () => {
  const business = await connect();
  const { data: lead } = await business.api.post('/leads', { name: 'Bikes' });
  const events = ['lead.created', 'contact.created', 'lead.archived'];
  const [created, contact, archived] = await business.test('any_event', { events });
  expect(created).toMatchObject({ event_type: 'lead.created', id: lead.id });
  const told = toldBy(triggerOf('any_event'), { events });
  expect(contact).toEqual(eventSample('contact.created', told));
  expect(archived).toEqual(eventSample('lead.archived', told));
});

test('it stops looking back as soon as there is enough', async () => {
  const business = await connect();
  for (const name of ['One', 'Two', 'Three']) await business.api.post('/companies', { name });
  expect(await business.test('company_created')).toHaveLength(3);
  expect(asked(business.calls)).toEqual(['events.list']);
});

test('a record that the feed no longer tells of is shown in the form of a delivery (rule zapier 8)', async () => {
  const business = await connect();
  const { data: company } = await business.api.post('/companies', { name: 'Tatra' });
  clock.advance(32 * day);
  const [shown] = await business.test('company_created_or_updated');
  expect(shown).toMatchObject({ id: company.id, event_type: 'company.created', changed_fields: [] });
  expect(Object.keys(shown ?? {})).toEqual(
    Object.keys(eventSample('company.updated', toldBy(triggerOf('company_created_or_updated')))),
  );
});

test('a key that may not read the records is told so', async () => {
  const business = await connect(['webhooks:manage']);
  await expect(business.test('lead_created')).rejects.toThrow(/leads:read/);
});

test('a filter by what is gone is told, and no sample hides it (rules zapier 8 and 19)', async () => {
  const business = await connect();
  await business.api.post('/leads', { name: 'Bikes' });
  await expect(business.test('lead_created', { owner_id: [randomUUID()] })).rejects.toThrow(
    'Owner: This is not in the list any more.',
  );
});
