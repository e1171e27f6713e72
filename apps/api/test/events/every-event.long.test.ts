import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import {
  apiVersion,
  type EventType,
  events,
  eventTypes,
  formerFields,
  isUpdate,
  type OperationDeclaration,
  operations,
  type ResourceName,
  tellsPrevious,
} from '@dealkeep/contract';
import { type ApiClient, eventually, startDealkeep } from '@dealkeep/testing';
import { causes, recordText } from '@dealkeep/testing/business';
import { afterAll, expect, test } from 'vitest';
import { expectSameKeys } from './same-keys.ts';

const dealkeep = await startDealkeep();

interface Delivered {
  path: string;
  id: string;
  type: string;
  body: string;
}
const delivered: Delivered[] = [];
const receiver = createServer(async (request, response) => {
  const { 'webhook-id': id, 'x-service-event': type } = request.headers;
  delivered.push({ path: request.url ?? '', id: String(id), type: String(type), body: await text(request) });
  response.end();
}).listen(0, '127.0.0.1');
await once(receiver, 'listening');
afterAll(() => void receiver.close());
const { port } = receiver.address() as AddressInfo;

/** Subscribes to all events; answers a way to wait for so many of them. */
async function subscribeToAll(
  api: ApiClient,
  slug: string,
): Promise<(count: number) => Promise<Delivered[]>> {
  const target_url = `http://127.0.0.1:${port}/${slug}`;
  expect((await api.post('/webhooks', { target_url, events: eventTypes })).status).toBe(201);
  return (count) =>
    eventually(() => {
      const own = delivered.filter(({ path }) => path === `/${slug}`);
      expect(own.length).toBeGreaterThanOrEqual(count);
      return own;
    });
}

/** The path of a record's GET; a quote has none. */
function pathOf(entity: ResourceName, id: string): string | undefined {
  const reading = Object.values<OperationDeclaration>(operations).find(
    ({ method, resource, path }) => method === 'GET' && resource === entity && /\{\w+\}$/.test(path),
  );
  return reading?.path.replace(/\{\w+\}$/, id);
}

test('the catalog has 45 events, and each has a cause that makes it', () => {
  expect(eventTypes).toHaveLength(45);
  expect(Object.keys(causes).toSorted()).toEqual(eventTypes.toSorted());
  for (const type of eventTypes) expect(causes[type].events).toContain(type);
});

test.each(eventTypes)(
  '%s is delivered with the record exactly as GET answers it, and as its sample is',
  async (type) => {
    const { events: expected, prepare } = causes[type];
    const { business, make, changedFields = [] } = await prepare(dealkeep);
    const { api, organization } = business;
    const received = await subscribeToAll(api, organization.slug);
    let made: unknown;
    const recorded = await business.eventsDuring(async () => {
      made = await make();
    });
    expect(recorded.map((event) => event.type)).toEqual(expected);

    const bodies = await received(expected.length);
    expect(bodies.map(({ id }) => id).toSorted()).toEqual(recorded.map(({ id }) => id));
    for (const { id, type: told, body } of bodies) {
      const envelope: Envelope = JSON.parse(body);
      const { entity } = events[envelope.type];
      const updated = isUpdate(envelope.type);
      expect(envelope).toMatchObject({
        id,
        type: told,
        timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        api_version: apiVersion,
        organization: { id: organization.id, slug: organization.slug },
        test: false,
      });
      const path = pathOf(entity, envelope.data.id ?? envelope.data.uuid ?? '');
      const data = path === undefined ? JSON.stringify(made) : recordText((await api.send('GET', path)).text);
      const names = updated ? `,"changed_fields":${JSON.stringify(changedFields)}` : '';
      const { previous } = envelope;
      expect(previous !== undefined).toBe(tellsPrevious(envelope.type));
      const former = previous ? `,"previous":${JSON.stringify(previous)}` : '';
      expect(body.slice(body.indexOf(',"data":'))).toBe(`,"data":${data}${names}${former}}`);
      if (updated) expect(Object.keys(previous ?? {})).toEqual(changedFields);
      // What one event of a change leaves to another, that one tells.
      const tellable = expected.flatMap((each) => formerFields(each));
      expect(tellable).toEqual(expect.arrayContaining(Object.keys(previous ?? {})));
      for (const [name, value] of Object.entries(previous ?? {})) {
        expect(new Map(Object.entries(envelope.data)).get(name), name).not.toEqual(value);
      }

      const { json } = await api.get(`/webhooks/events/${envelope.type}/sample`);
      const [sample, ...others]: object[] = Array.isArray(json) ? json : [];
      expect(others).toEqual([]);
      expect(sample).toMatchObject({
        id: expect.stringMatching(/^evt_[0-9a-f]{32}$/),
        type: envelope.type,
        api_version: apiVersion,
        organization: { id: organization.id, slug: organization.slug },
        test: true,
      });
      // Which former values there are depends on what was changed.
      const withoutFormer = (each: object) => ({ ...each, ...('previous' in each ? { previous: {} } : {}) });
      expectSameKeys(withoutFormer(sample ?? {}), withoutFormer(envelope));
    }
  },
);

interface Envelope {
  type: EventType;
  data: { id?: string; uuid?: string };
  previous?: Record<string, unknown>;
}
