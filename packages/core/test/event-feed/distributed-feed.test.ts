import { eventTypes } from '@dealkeep/contract';
import { severalServers } from '@dealkeep/core/foundations';
import { eventually, startDealkeep } from '@dealkeep/testing';
import { expect, test } from 'vitest';
import { currentPlace, readPage } from '../../src/delivering/event-streams/read-page.ts';

// Where records are distributed, what is open is asked by itself, before events are read. Both statements are such
// as any database takes, so that they are tried, and judged (`npm run check:statements`), on this one.
const dealkeep = await startDealkeep({ worker: false, placement: severalServers });

async function open() {
  const organization = await dealkeep.createOrganization();
  const api = dealkeep.as(organization.key);
  const typesTold = async (): Promise<string[]> =>
    (await api.get('/events')).page.data.map(({ type }) => String(type));
  /** A transaction that has an older number than what is written meanwhile. */
  const whileOpen = (work: () => Promise<void>): Promise<unknown> =>
    dealkeep.sql.begin(async (tx) => {
      await tx`
        insert into events (organization_id, id, type, record_id, occurred_at, envelope)
        values (${organization.id}, 'evt_older', 'lead.created', gen_random_uuid(), now(), ${JSON.stringify({
          id: 'evt_older',
          type: 'lead.created',
          timestamp: '2026-10-01T08:00:00.000Z',
          api_version: '2026-10-01',
          organization: { id: organization.id, slug: organization.slug },
          test: false,
          data: {},
        })})`;
      await work();
    });
  return { organization, api, typesTold, whileOpen };
}

test('the feed tells nothing that an open transaction may still come before, and everything once it has ended (rule events 22)', async () => {
  const { api, typesTold, whileOpen } = await open();
  await whileOpen(async () => {
    await api.post('/companies', { name: 'Tatra' });
    expect(await typesTold()).toEqual([]);
  });
  expect(await typesTold()).toEqual(['lead.created', 'company.created']);
});

test('who waits is told of it, and not before', async () => {
  const { api, whileOpen } = await open();
  const listen = () => api.get('/events', { wait: 20 });
  let answer: ReturnType<typeof listen> | undefined;
  await whileOpen(async () => {
    await api.post('/companies', { name: 'Tatra' });
    answer = listen();
    await eventually(() => expect(dealkeep.core.waitingReaders.count).toBe(1));
  });
  expect((await answer)?.page.data.map(({ type }) => type)).toEqual(['lead.created', 'company.created']);
});

test('a stream goes on behind what it could see, with what was open then', async () => {
  const { organization, api, whileOpen } = await open();
  const { sql, placement } = dealkeep.core;
  const source = { sql, placement };
  const asked = { organization: organization.id, types: eventTypes, now: new Date() };
  const start = await currentPlace(source);
  let place = start;
  await whileOpen(async () => {
    await api.post('/companies', { name: 'Tatra' });
    const page = await readPage(source, { ...asked, place: start });
    expect(page.envelopes.map((each) => JSON.parse(each).type)).toEqual(['company.created']);
    const end = await readPage(source, { ...asked, place: page.next });
    expect(end.envelopes).toEqual([]);
    place = end.next;
  });
  const { envelopes } = await readPage(source, { ...asked, place });
  expect(envelopes.map((each) => JSON.parse(each).type)).toEqual(['lead.created']);
});
