import { type EventType, events, eventTypes, isUpdate } from '@dealkeep/contract';
import { sharedDealkeep } from '@dealkeep/testing';
import { causes } from '@dealkeep/testing/business';
import { expect, test } from 'vitest';

// All of them, as they are delivered: apps/api/test/events/every-event.long.test.ts.

const dealkeep = await sharedDealkeep();

test('there are 45 event types, each read by a scope and made by something (rules events 1 and 2)', () => {
  expect(eventTypes).toHaveLength(45);
  expect(Object.keys(causes).toSorted()).toEqual(eventTypes.toSorted());
  for (const type of eventTypes) {
    expect(causes[type].events).toContain(type);
    expect(events[type].scope).toMatch(/^[a-z]+:read$/);
  }
});

const someOfEach: EventType[] = [
  'lead.won',
  'company.updated',
  'client.created',
  'activity.cancelled',
  'task.completed',
  'invoice.paid',
  'quote.rejected',
  'booking.no_show',
  'product.created',
  'order.paid',
  'order.shipped',
];

test.each(someOfEach)(
  'what causes %s causes the events of the catalog in their order, and none besides (rules events 2, 3, 12 and 13)',
  async (type) => {
    const { events: expected, prepare } = causes[type];
    const { business, make, changedFields } = await prepare(dealkeep);
    const recorded = await business.eventsDuring(make);
    expect(recorded.map((event) => event.type)).toEqual(expected);
    expect(recorded.map(({ id }) => id)).toEqual(recorded.map(({ id }) => id).toSorted());
    const records = Map.groupBy(recorded, ({ data }) => data['id'] ?? data['uuid']);
    for (const same of records.values()) expect(new Set(same.map(({ dataText }) => dataText)).size).toBe(1);
    for (const { type: told, changed_fields, timestamp, data } of recorded) {
      expect(changed_fields).toEqual(isUpdate(told) ? changedFields : undefined);
      const { updated_at } = data;
      if (typeof updated_at === 'string') expect(timestamp >= updated_at).toBe(true);
    }
  },
);

test('no record is made whose envelope would be larger than 256 KiB (rule events 15)', async () => {
  const api = dealkeep.as((await dealkeep.createOrganization()).key);
  const item = { sku: 'S', quantity: 1, unit_price: 1, notes: 'x'.repeat(1000) };
  const order = (items: number) =>
    api.send('POST', '/orders', { json: { customer: {}, items: Array.from({ length: items }, () => item) } });
  const refused = await order(400);
  expect([refused.outcome, refused.fields]).toEqual([
    '422 VALIDATION_ERROR',
    { items: 'makes_record_too_large' },
  ]);
  expect((await order(150)).outcome).toBe('201');
});
