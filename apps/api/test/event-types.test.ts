import { eventTypes } from '@dealkeep/contract';
import { startDealkeep } from '@dealkeep/testing';
import { describe, expect, test } from 'vitest';
import { openBusiness } from './business.ts';
import { causeEveryEvent } from './every-event.ts';
import { openKnownBusiness } from './known-records.ts';

const dealkeep = await startDealkeep({ worker: false });

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

describe('every event of the catalog', async () => {
  const business = await openKnownBusiness(dealkeep);
  const told = await causeEveryEvent(dealkeep, business);

  test('is caused by something that users or sweeps do', () => {
    expect(new Set(told.map(({ type }) => type))).toEqual(new Set(eventTypes));
  });

  test.each(eventTypes)('%s carries byte for byte what GET answers', (type) => {
    const ofType = told.filter((each) => each.type === type);
    expect(ofType.length).toBeGreaterThan(0);
    for (const { event, read } of ofType) expect(event.dataText).toBe(read);
  });

  test.each(eventTypes)('%s has a sample with exactly the keys of a live one', async (type) => {
    const sample = await business.api.get(`/webhooks/events/${type}/sample`);
    const [envelope, ...others] = Array.isArray(sample.json) ? sample.json : [];
    expect(others).toEqual([]);
    expect(envelope).toMatchObject({
      id: expect.stringMatching(/^evt_[0-9a-f]{32}$/),
      type,
      api_version: '2026-10-01',
      organization: { id: business.organization.id, slug: business.organization.slug },
      test: true,
    });
    const { dataText: _, ...live } = told.findLast((each) => each.type === type)?.event ?? { dataText: '' };
    // In their order; what is null or empty in one of them has no keys below to compare.
    expect(Object.keys(envelope)).toEqual(Object.keys(live));
    expect(Object.keys(envelope.data)).toEqual(Object.keys(Object(live).data));
    expect(keysOf(envelope).filter((key) => !isBelow(key, emptyIn(live)))).toEqual(
      keysOf(live).filter((key) => !isBelow(key, emptyIn(envelope))),
    );
  });
});

/** The paths of all values within a value; of arrays by their first item. */
function* pathsIn(value: unknown, path = ''): Generator<[path: string, value: unknown]> {
  yield [path, value];
  if (Array.isArray(value)) {
    if (value.length > 0) yield* pathsIn(value[0], `${path}[]`);
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, inner] of Object.entries(value)) yield* pathsIn(inner, `${path}.${key}`);
  }
}
const keysOf = (value: unknown): string[] => [...pathsIn(value)].map(([path]) => path);
const isEmpty = (value: unknown): boolean =>
  value === null || (typeof value === 'object' && Object.keys(value).length === 0);
const emptyIn = (value: unknown): string[] =>
  [...pathsIn(value)].flatMap(([path, inner]) => (isEmpty(inner) ? [path] : []));
const isBelow = (key: string, paths: readonly string[]): boolean =>
  paths.some((path) => key.startsWith(`${path}.`) || key.startsWith(`${path}[]`));

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
