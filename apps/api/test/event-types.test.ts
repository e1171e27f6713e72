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

test('hooks and event types are answered on one page, without parameters (rule lists 15)', async () => {
  const { api } = await openBusiness(dealkeep);
  for (const path of ['/webhooks', '/webhooks/events']) {
    expect((await api.send('GET', path)).page).toMatchObject({ next_cursor: null, has_more: false });
    expect((await api.send('GET', `${path}?limit=1`)).outcome).toBe('400 UNSUPPORTED_FILTER');
  }
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
