import { eventTypes } from '@dealkeep/contract';
import { startDealkeep } from '@dealkeep/testing';
import { describe, expect, test } from 'vitest';
import { openBusiness } from './business.ts';
import { addClient, addPipeline } from './console-edits.ts';
import { lostReason } from './default-pipeline.ts';

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

describe('a sample', () => {
  /** The paths of all keys of a value; arrays count by their first item. */
  function keysOf(value: unknown, path = ''): string[] {
    if (Array.isArray(value)) return value.length > 0 ? keysOf(value[0], `${path}[]`) : [];
    if (typeof value !== 'object' || value === null) return [];
    return Object.entries(value).flatMap(([key, inner]) => [
      `${path}.${key}`,
      ...keysOf(inner, `${path}.${key}`),
    ]);
  }

  test('of every event is a bare array of one envelope that has exactly the keys of a live one', async () => {
    const { api, organization } = await openBusiness(dealkeep);
    const place = { dealkeep, organization };
    const company = (await api.post('/companies', { name: 'Acme', owner_id: organization.ownerId })).data;
    await addClient(place, company.id);
    const { stages } = await addPipeline(place, 'All', { Open: 'open', Won: 'won', Lost: 'lost' });
    const contact = (await api.post('/contacts', { company_id: company.id, name: 'Eva' })).data;
    await api.patch(`/contacts/${contact.id}`, { name: 'Eva Nová' });
    await api.patch(`/companies/${company.id}`, { note: 'x' });
    const origin = (await api.get('/lead-origins')).page.data[0]?.id;
    const lead = (
      await api.post('/leads', {
        contact_id: contact.id,
        stage_id: stages['Open'],
        owner_id: organization.ownerId,
        assignee_ids: [organization.ownerId],
        origin_id: origin,
      })
    ).data;
    const path = `/leads/${lead.id}` as const;
    await api.patch(path, { name: 'New' });
    await api.post(`${path}/move`, { stage_id: stages['Won'] });
    await api.post(`${path}/move`, { stage_id: stages['Lost'], lost_reason_id: await lostReason(api) });
    await api.post(`${path}/archive`);
    const live = await dealkeep.eventsOf(organization);
    expect(new Set(live.map(({ type }) => type))).toEqual(new Set(eventTypes));

    for (const type of eventTypes) {
      const sample = await api.get(`/webhooks/events/${type}/sample`);
      const [envelope, ...others] = Array.isArray(sample.json) ? sample.json : [];
      expect(others).toEqual([]);
      expect(envelope).toMatchObject({
        id: expect.stringMatching(/^evt_[0-9a-f]{32}$/),
        type,
        api_version: '2026-10-01',
        organization: { id: organization.id, slug: organization.slug },
        test: true,
      });
      const { dataText: _, ...last } = live.findLast((event) => event.type === type) ?? { dataText: '' };
      // Keys in their order; those below what is null in the live one cannot be compared.
      const liveKeys = keysOf(last);
      const empty = [...new Set(keysOf(envelope))].filter((key) => !liveKeys.includes(key));
      const below = (key: string) => /\.(custom_fields|lost_reason|contacts\[\]|owner|client)\./.test(key);
      expect([type, empty.filter((key) => !below(key))]).toEqual([type, []]);
      expect([type, Object.keys(envelope)]).toEqual([type, Object.keys(last)]);
      expect([type, Object.keys(envelope.data)]).toEqual([type, Object.keys(Object(last).data)]);
      const unknown = liveKeys.filter((key) => !keysOf(envelope).includes(key));
      expect([type, unknown.filter((key) => !below(key))]).toEqual([type, []]);
    }
  });

  test('of an unknown event is 404', async () => {
    const { api } = await openBusiness(dealkeep);
    for (const type of [
      'lead.exploded',
      'invoice.paid',
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
