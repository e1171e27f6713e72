import { allScopes, type Scope } from '@dealkeep/contract';
import { updateOrganization } from '@dealkeep/core/accounts';
import { connectedUser, sharedDealkeep } from '@dealkeep/testing';
import { openBusiness } from '@dealkeep/testing/business';
import { describe, expect, test } from 'vitest';
import { addCustomField, addPipeline, addTag, addUser } from './console-edits.ts';

const dealkeep = await sharedDealkeep();

describe('GET /me', () => {
  test('says whose data the key reaches (rules me 2 and 3)', async () => {
    const { api, organization } = await openBusiness(dealkeep, { usualRateLimits: true });
    expect((await api.get('/me')).data).toEqual({
      organization: {
        id: organization.id,
        name: 'Test organization',
        slug: organization.slug,
        currency: 'EUR',
        time_zone: 'Europe/Bratislava',
        country_code: 'SK',
      },
      token: { id: organization.keyId, name: 'Test key', scopes: allScopes, expires_at: null },
      api_version: '2026-10-01',
      limits: { requests_per_minute: 120, org_requests_per_minute: 600 },
      auth: 'api_key',
    });
  });

  test('needs no scope, and shows the few that a key has and when it expires (rules me 1 and 2)', async () => {
    const { organization } = await openBusiness(dealkeep);
    const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
    const key = await organization.createKey({ scopes: ['products:read'], name: 'Small', expiresAt });
    const { token } = (await dealkeep.as(key.token).get('/me')).data;
    expect(token).toEqual({ id: key.id, name: 'Small', scopes: ['products:read'], expires_at: expiresAt });
  });

  test('of a connection also tells the person who connected it (rule me 3)', async () => {
    const organization = await dealkeep.createOrganization();
    const { id, email, token } = await connectedUser(dealkeep, organization, 'leads.view=all');
    const { auth, user } = (await dealkeep.as(token).get('/me')).data;
    expect({ auth, user }).toEqual({ auth: 'oauth', user: { id, name: 'Eva', email } });
  });

  test('shows the limits of this organization, and the headers follow (rule me 4)', async () => {
    const { api, organization } = await openBusiness(dealkeep);
    await updateOrganization(dealkeep.sql, organization.slug, {
      requestsPerMinute: 77,
      orgRequestsPerMinute: 900,
    });
    const me = await api.get('/me');
    expect(me.data.limits).toEqual({ requests_per_minute: 77, org_requests_per_minute: 900 });
    expect(me.headers.get('x-ratelimit-limit')).toBe('77');
  });
});

describe('lookups', () => {
  test('users: the active ones (rule lookups 3)', async () => {
    const { api, organization } = await openBusiness(dealkeep);
    const marek = await addUser({ dealkeep, organization }, 'Marek Kováč', {
      email: `marek@${organization.slug}.sk`,
    });
    await addUser({ dealkeep, organization }, 'Former', { active: false });
    expect((await api.get('/users', { sort: 'name' })).page).toEqual({
      data: [
        { id: organization.ownerId, name: 'Jana Horváthová', email: organization.ownerEmail },
        { id: marek, name: 'Marek Kováč', email: `marek@${organization.slug}.sk` },
      ],
      next_cursor: null,
      has_more: false,
    });
  });

  test('pipelines: with their stages in order (rule lookups 4)', async () => {
    const { api, organization } = await openBusiness(dealkeep);
    const strict = await addPipeline(
      { dealkeep, organization },
      'Partners',
      { Zebra: 'open', Alpha: 'won', Middle: 'lost' },
      { requireLostReason: true },
    );
    const [partners, sales] = (await api.get('/pipelines', { sort: 'name' })).page.data;
    expect(partners).toEqual({
      id: strict.id,
      name: 'Partners',
      is_default: false,
      require_lost_reason: true,
      stages: [
        { id: strict.stages['Zebra'], name: 'Zebra', color: null, kind: 'open', probability: 0 },
        { id: strict.stages['Alpha'], name: 'Alpha', color: null, kind: 'won', probability: 100 },
        { id: strict.stages['Middle'], name: 'Middle', color: null, kind: 'lost', probability: 0 },
      ],
    });
    expect(sales).toMatchObject({ name: 'Sales', is_default: true, require_lost_reason: false });
    expect(sales?.stages.map(({ name, kind }) => `${name} ${kind}`)).toEqual([
      'New open',
      'Contacted open',
      'Proposal sent open',
      'Negotiation open',
      'Won won',
      'Lost lost',
    ]);
  });

  test('tags and custom fields (rule lookups 4)', async () => {
    const { api, organization } = await openBusiness(dealkeep);
    const tag = await addTag({ dealkeep, organization }, 'VIP', { table: 'leads', ids: [] });
    await addCustomField({ dealkeep, organization }, 'Segment');
    expect((await api.get('/tags')).page.data).toEqual([{ id: tag, name: 'VIP', color: '#2f7a5b' }]);
    expect((await api.get('/custom-fields')).page.data).toEqual([
      {
        id: expect.any(String),
        name: 'Segment',
        description: 'What it is for',
        required: false,
        type: 'text',
        kind: 'text',
        choices: [],
        group: { id: expect.any(String), name: 'Segment group' },
      },
    ]);
  });

  test('lead origins and lost reasons exist from the start (rule lookups 4)', async () => {
    const { api } = await openBusiness(dealkeep);
    const origins = (await api.get('/lead-origins')).page.data;
    const reasons = (await api.get('/lost-reasons')).page.data;
    expect(origins.map(({ name }) => name)).toContain('Web form');
    expect(reasons.map(({ name }) => name)).toContain('Price');
    expect(Object.keys(origins[0] ?? {})).toEqual(['id', 'name']);
  });

  test.each([
    ['/users', 'users:read'],
    ['/pipelines', 'leads:read'],
    ['/lead-origins', 'leads:read'],
    ['/lost-reasons', 'leads:read'],
    ['/tags', 'companies:read'],
    ['/custom-fields', 'companies:read'],
  ] satisfies [string, Scope][])('%s needs %s (rule lookups 1)', async (path, scope) => {
    const { organization } = await openBusiness(dealkeep);
    const [enough, others] = await Promise.all([
      organization.createKey({ scopes: [scope] }),
      organization.createKey({ scopes: allScopes.filter((each) => each !== scope) }),
    ]);
    expect((await dealkeep.as(enough.token).get(path)).outcome).toBe('200');
    expect((await dealkeep.as(others.token).get(path)).outcome).toBe('403 FORBIDDEN');
  });
});

test('what the console edits is seen by the very next request', async () => {
  const { api, organization } = await openBusiness(dealkeep);
  const place = { dealkeep, organization };
  const lead = (await api.post('/leads', { owner_id: organization.ownerId })).data;
  for (const name of ['Eva', 'Jana']) {
    await dealkeep.sql`update memberships set name = ${name} where id = ${organization.ownerId}`;
    await dealkeep.sql`update organizations set directory_version = directory_version + 1 where id = ${organization.id}`;
    expect((await api.get(`/leads/${lead.id}`)).data.owner?.name).toBe(name);
    expect((await api.get('/leads')).page.data[0]?.owner?.name).toBe(name);
  }
  const newcomer = await addUser(place, 'Newcomer');
  expect((await api.patch(`/leads/${lead.id}`, { owner_id: newcomer })).data.owner?.name).toBe('Newcomer');
});
