import { eventTypes } from '@dealkeep/contract';
import { createManualWebhook, ManualClock, sendTestEvent, startDealkeep } from '@dealkeep/testing';
import { describe, expect, test } from 'vitest';
import { listen, refusal } from './listener.ts';

const dealkeep = await startDealkeep({
  worker: false,
  streamTiming: { newsEvery: 20, aliveEvery: 200, checkEvery: 50 },
});

async function business() {
  const organization = await dealkeep.createOrganization();
  return { organization, api: dealkeep.as(organization.key), ...organization };
}

describe('what comes', () => {
  test('each event as it is delivered, byte for byte, to whoever listens in its organization alone (rule events 18)', async () => {
    const { organization, api, key } = await business();
    const [listener, stranger] = [
      await listen(dealkeep.origin, key),
      await listen(dealkeep.origin, (await business()).key),
    ];
    expect(listener.response.headers.get('content-type')).toBe('text/event-stream');
    expect(listener.response.headers.get('x-accel-buffering')).toBe('no');
    expect(JSON.parse(listener.messages[0]?.data ?? '')).toEqual({
      organization: organization.slug,
      events: eventTypes,
      missed: false,
    });

    await api.post('/leads', { name: 'Čučoriedka\n "x"', company: { name: 'Lines\r\n\u2028' } });
    await listener.heard(2);
    const rows = await dealkeep.sql<{ envelope: string }[]>`
      select envelope from events where organization_id = ${organization.id} order by id`;
    expect(listener.envelopes).toEqual(rows.map(({ envelope }) => envelope));
    expect(stranger.envelopes).toEqual([]);
  });

  test('what happened before the first connection does not come', async () => {
    const { api, key } = await business();
    await api.post('/leads', { name: 'Before' });
    const listener = await listen(dealkeep.origin, key);
    await api.post('/leads', { name: 'After' });
    expect((await listener.heard(1)).map(({ data }) => data.name)).toEqual(['After']);
  });

  test('no test event of a webhook', async () => {
    const { organization, api, key } = await business();
    const { id } = await createManualWebhook(dealkeep.core, organization, {
      name: 'Tested',
      target_url: 'https://127.0.0.1:1/',
      events: ['lead.created'],
    });
    const listener = await listen(dealkeep.origin, key);
    await sendTestEvent(dealkeep.core, organization, { id });
    await api.post('/leads', { name: 'Real' });
    expect((await listener.heard(1)).map(({ data }) => data.name)).toEqual(['Real']);
  });

  test('chosen events only', async () => {
    const { api, key } = await business();
    const listener = await listen(dealkeep.origin, key, { events: 'lead.won,contact.created' });
    const company = (await api.post('/companies', { name: 'Company' })).data;
    await api.post('/contacts', { name: 'Contact', company_id: company.id });
    expect((await listener.heard(1)).map(({ type }) => type)).toEqual(['contact.created']);
  });

  test('only what the scopes of the key may read', async () => {
    const { organization, api } = await business();
    const { token } = await organization.createKey({ scopes: ['webhooks:manage', 'leads:read'] });
    const listener = await listen(dealkeep.origin, token);
    await api.post('/companies', { name: 'Company' });
    await api.post('/leads', { name: 'Lead' });
    expect((await listener.heard(1)).map(({ type }) => type)).toEqual(['lead.created']);
  });

  test('something at least every so often, so that a proxy keeps the line', async () => {
    const listener = await listen(dealkeep.origin, (await business()).key);
    const signs = () => listener.messages.filter(({ event }) => event === 'cursor').length;
    await listener.until(() => signs() >= 3);
  });
});

describe('an event that commits after a newer one', () => {
  test('comes when it commits, and neither twice', async () => {
    const { organization, api, key } = await business();
    const listener = await listen(dealkeep.origin, key);
    const held = Promise.withResolvers<void>();
    const written = Promise.withResolvers<void>();
    const transaction = dealkeep.sql.begin(async (tx) => {
      await tx`
        insert into events (organization_id, id, type, record_id, occurred_at, envelope)
        values (${organization.id}, 'evt_0', 'lead.created', gen_random_uuid(), now(), ${'{"id":"evt_0"}'})`;
      written.resolve();
      await held.promise;
    });
    await written.promise;
    const newer = (await api.post('/leads', { name: 'Newer' })).data;
    await listener.heard(1);
    const before = listener.cursor;
    // Some looks go by.
    await listener.until(() => listener.cursor !== before);
    held.resolve();
    await transaction;
    const heard = await listener.heard(2);
    expect(heard.map(({ id, data }) => data?.id ?? id)).toEqual([newer.id, 'evt_0']);
    await api.post('/leads', { name: 'Last' });
    expect((await listener.heard(3)).at(-1)?.data.name).toBe('Last');
  });

  test('comes to a listener who was away meanwhile, too', async () => {
    const { organization, api, key } = await business();
    const first = await listen(dealkeep.origin, key);
    const held = Promise.withResolvers<void>();
    const written = Promise.withResolvers<void>();
    const transaction = dealkeep.sql.begin(async (tx) => {
      await tx.savepoint(
        (inner) => inner`
        insert into events (organization_id, id, type, record_id, occurred_at, envelope)
        values (${organization.id}, 'evt_0', 'lead.created', gen_random_uuid(), now(), ${'{"id":"evt_0"}'})`,
      );
      written.resolve();
      await held.promise;
    });
    await written.promise;
    await api.post('/leads', { name: 'Newer' });
    await first.heard(1);
    const before = first.cursor;
    await first.until(() => first.cursor !== before);
    first.close();
    held.resolve();
    await transaction;
    const second = await listen(dealkeep.origin, key, { cursor: first.cursor });
    expect((await second.heard(1)).map(({ id }) => id)).toEqual(['evt_0']);
  });
});

describe('after an interruption', () => {
  test('of less than ten minutes nothing is missing, however much it is, and nothing comes twice (rule events 19)', async () => {
    const { api, key } = await business();
    const first = await listen(dealkeep.origin, key, { events: 'lead.created' });
    await api.post('/leads', { name: 'Before' });
    await first.heard(1);
    const { cursor } = first;
    await first.until(() => first.cursor !== cursor);
    first.close();
    const names = Array.from({ length: 120 }, (_, index) => `Lead ${index}`);
    const note = 'x'.repeat(20_000);
    for (let from = 0; from < names.length; from += 40) {
      const items = names.slice(from, from + 40).map((name) => ({ name, note }));
      expect((await api.post('/leads/batch', { operation: 'create', items })).status).toBe(200);
    }
    const second = await listen(dealkeep.origin, key, { events: 'lead.created', cursor: first.cursor });
    expect((await second.heard(120)).map(({ data }) => data.name)).toEqual(names);
    await api.post('/leads', { name: 'Now' });
    expect((await second.heard(121)).at(-1)?.data.name).toBe('Now');
  });

  test('of more than ten minutes it begins anew and says so (rule events 19)', async () => {
    const clock = new ManualClock();
    const { createOrganization, origin, as } = await startDealkeep({ worker: false, clock });
    const { key } = await createOrganization();
    const first = await listen(origin, key);
    first.close();
    await as(key).post('/leads', { name: 'Meanwhile' });
    clock.advance(600_001);
    const second = await listen(origin, key, { cursor: first.cursor });
    expect(JSON.parse(second.messages[0]?.data ?? '')).toMatchObject({ missed: true });
    expect(second.envelopes).toEqual([]);
  });

  test('a place of another organization or of nobody is refused', async () => {
    const [one, other] = [await business(), await business()];
    const { cursor = '' } = await listen(dealkeep.origin, one.key);
    for (const each of [cursor, `${cursor}A`, 'x', '1:1:']) {
      const refused = await listen(dealkeep.origin, other.key, { cursor: each });
      expect(await refusal(refused)).toBe('400 INVALID_CURSOR');
    }
  });
});
