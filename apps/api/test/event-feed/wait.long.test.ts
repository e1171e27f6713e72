import { revokeApiKey } from '@dealkeep/core/accounts';
import { connectedUser, eventually, startDealkeep } from '@dealkeep/testing';
import { openBusiness } from '@dealkeep/testing/business';
import { describe, expect, test } from 'vitest';

const dealkeep = await startDealkeep({ worker: false });
type Api = ReturnType<typeof dealkeep.as>;

const waitFor = async (api: Api, query: Record<string, string> = {}, wait = 20) =>
  api.get('/events', { ...query, wait });

/** Whether so many readers wait in this process. */
const waiting = (count: number) => eventually(() => expect(dealkeep.core.waitingReaders.count).toBe(count));

const insertEvent = (organization: string, id: string, type = 'lead.created') => dealkeep.sql`
  insert into events (organization_id, id, type, record_id, occurred_at, envelope)
  values (${organization}, ${id}, ${type}, gen_random_uuid(), now(), ${JSON.stringify({
    id,
    type,
    timestamp: '2026-10-01T08:00:00.000Z',
    api_version: '2026-10-01',
    organization: { id: organization, slug: 'x' },
    test: false,
    data: {},
  })})`;

// Shorter than the wait, so that an answer that came by its end fails.
const patience = 15_000;

describe('a reader who waits', () => {
  test(
    'is answered as soon as there is an event',
    async () => {
      const { api } = await openBusiness(dealkeep);
      const answer = waitFor(api);
      await waiting(1);
      await api.post('/companies', { name: 'Tatra' });
      expect((await answer).page.data.map(({ type }) => type)).toEqual(['company.created']);
    },
    patience,
  );

  test(
    'is answered at once when there is one already',
    async () => {
      const { api } = await openBusiness(dealkeep);
      await api.post('/companies', { name: 'Tatra' });
      expect((await waitFor(api)).page.data).toHaveLength(1);
    },
    patience,
  );

  test(
    'is told of what another process writes, too',
    async () => {
      const { api, organization } = await openBusiness(dealkeep);
      const answer = waitFor(api);
      await waiting(1);
      await insertEvent(organization.id, 'evt_other');
      expect((await answer).page.data.map(({ id }) => id)).toEqual(['evt_other']);
    },
    patience,
  );

  test(
    'is not woken for good by an event that it has not asked for',
    async () => {
      const { api, organization } = await openBusiness(dealkeep);
      const answer = waitFor(api, { types: 'task.created' });
      await waiting(1);
      await insertEvent(organization.id, 'evt_1');
      await insertEvent(organization.id, 'evt_2', 'task.created');
      const { page } = await answer;
      expect(page.data.map(({ id }) => id)).toEqual(['evt_2']);
    },
    patience,
  );

  test('gets an empty page with a cursor when nothing happens', async () => {
    const { api } = await openBusiness(dealkeep);
    const { page } = await waitFor(api, {}, 1);
    expect(page).toEqual({ data: [], next_cursor: expect.any(String), has_more: false });
    await api.post('/companies', { name: 'Tatra' });
    expect((await waitFor(api, { cursor: page.next_cursor ?? '' })).page.data).toHaveLength(1);
  });

  test(
    'is told nothing once its key is revoked',
    async () => {
      const { organization, api } = await openBusiness(dealkeep);
      const key = await organization.createKey();
      const answer = waitFor(dealkeep.as(key.token));
      await waiting(1);
      await revokeApiKey(dealkeep.core, key.id);
      await api.post('/companies', { name: 'Tatra' });
      expect((await answer).outcome).toBe('401 UNAUTHORIZED');
    },
    patience,
  );

  test(
    'is told nothing that its role may not read any more',
    async () => {
      const { organization, api } = await openBusiness(dealkeep);
      const user = await connectedUser(dealkeep, organization, 'leads.view=all,companies.view=all');
      const answer = waitFor(dealkeep.as(user.token));
      await waiting(1);
      await user.permit({ 'leads.view': 'all' });
      await api.post('/leads', { name: 'Bikes', company: { name: 'Tatra' } });
      expect((await answer).page.data.map(({ type }) => type)).toEqual(['lead.created']);
    },
    patience,
  );

  test(
    'counts as one request, and holds no connection of the database',
    async () => {
      const { api, organization } = await openBusiness(dealkeep);
      // More than the process has connections.
      const answers = Array.from({ length: 40 }, () => waitFor(api));
      await waiting(40);
      const busy = await dealkeep.sql`
        select from pg_stat_activity
        where datname = current_database() and application_name = 'dealkeep' and state like 'idle in transaction%'`;
      expect(busy).toEqual([]);
      await insertEvent(organization.id, 'evt_all');
      for (const answer of answers) expect((await answer).page.data).toHaveLength(1);
    },
    patience,
  );
});

test(
  'a process that is told to stop answers everybody who waits by an empty page, at once',
  async () => {
    const own = await startDealkeep({ worker: false });
    const api = own.as((await own.createOrganization()).key);
    const answers = [waitFor(api), waitFor(api, { types: 'lead.won' })];
    await eventually(() => expect(own.core.waitingReaders.count).toBe(2));
    own.core.waitingReaders.stop();
    for (const answer of answers) {
      expect((await answer).page).toEqual({ data: [], next_cursor: expect.any(String), has_more: false });
    }
    expect((await waitFor(api)).page.data).toEqual([]);
  },
  patience,
);
