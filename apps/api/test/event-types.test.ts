import { eventTypes } from '@dealkeep/contract';
import { sharedDealkeep } from '@dealkeep/testing';
import { openBusiness } from '@dealkeep/testing/business';
import { describe, expect, test } from 'vitest';

const dealkeep = await sharedDealkeep();

test('the catalog lists what can be subscribed to', async () => {
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

describe('a sample', () => {
  test('of an unknown event is 404', async () => {
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
