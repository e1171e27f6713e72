import { eventTypes } from '@dealkeep/contract';
import { sharedDealkeep } from '@dealkeep/testing';
import { openBusiness } from '@dealkeep/testing/business';
import { describe, expect, test } from 'vitest';

const dealkeep = await sharedDealkeep();

test('the catalog lists what can be subscribed to (rule hooks 8)', async () => {
  const { api } = await openBusiness(dealkeep);
  const { data } = (await api.send<{ type: string }>('GET', '/webhooks/events')).page;
  expect(data.map(({ type }) => type)).toEqual(eventTypes);
  expect(data[0]).toEqual({
    type: 'lead.created',
    label: 'Lead created',
    description: 'A lead was created.',
    entity: 'lead',
  });
});

test('hooks and event types are answered on one page, of hooks also by pages of a limit (rule lists 15)', async () => {
  const { api } = await openBusiness(dealkeep);
  for (const path of ['/webhooks', '/webhooks/events']) {
    expect((await api.send('GET', path)).page).toMatchObject({ next_cursor: null, has_more: false });
  }
  expect((await api.send('GET', '/webhooks/events?limit=1')).outcome).toBe('400 UNSUPPORTED_FILTER');
  for (const event of ['lead.won', 'lead.lost', 'lead.created']) {
    await api.post('/webhooks', { target_url: 'http://127.0.0.1:9/', event });
  }
  const whole = (await api.get('/webhooks')).page;
  expect(whole.data.map(({ events }) => events[0])).toEqual(['lead.created', 'lead.lost', 'lead.won']);
  expect([whole.next_cursor, whole.has_more]).toEqual([null, false]);
  for (const limit of [1, 2, 3]) expect(await api.walk('/webhooks', { limit })).toEqual(whole.data);
  const { next_cursor } = (await api.get('/webhooks', { limit: 1 })).page;
  expect((await api.get('/webhooks', { cursor: next_cursor ?? '' })).page.data).toEqual(whole.data.slice(1));
  expect((await api.get('/webhooks', { cursor: 'x' })).outcome).toBe('400 INVALID_CURSOR');
  expect((await api.get('/webhooks', { limit: 101 })).outcome).toBe('400 INVALID_PARAMETER');
});

describe('a sample', () => {
  test('is a bare array of one envelope that says it is a test (rules hooks 9 and events 16)', async () => {
    const { api } = await openBusiness(dealkeep);
    const sample = await api.send('GET', '/webhooks/events/lead.updated/sample');
    expect(sample.json).toEqual([
      expect.objectContaining({
        type: 'lead.updated',
        test: true,
        data: expect.objectContaining({ id: expect.any(String), name: expect.any(String) }),
        changed_fields: expect.any(Array),
        previous: expect.any(Object),
      }),
    ]);
  });

  test('of an unknown event is 404 (rule hooks 9)', async () => {
    const { api } = await openBusiness(dealkeep);
    for (const type of [
      'lead.exploded',
      'invoice.deleted',
      '__proto__',
      'toString',
      '%00',
      '*',
      'LEAD.CREATED',
    ]) {
      expect((await api.get(`/webhooks/events/${type}/sample`)).outcome).toBe('404 NOT_FOUND');
    }
  });
});

test('a sample that does not exist is told with where the types are listed', async () => {
  const { api } = await openBusiness(dealkeep);
  const { message } = (await api.get('/webhooks/events/lead.exploded/sample')).error;
  expect(message).toBe('There is no event of this type. GET /webhooks/events lists all.');
});
