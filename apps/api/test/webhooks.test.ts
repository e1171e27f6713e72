import { eventTypes, type Scope } from '@dealkeep/contract';
import { updateOrganization } from '@dealkeep/core/accounts';
import { sharedDealkeep, startDealkeep } from '@dealkeep/testing';
import { openBusiness } from '@dealkeep/testing/business';
import { describe, expect, test } from 'vitest';

const dealkeep = await sharedDealkeep();
/** Allows no private target, as an installation does unless told otherwise. */
const strict = await startDealkeep({ worker: false, allowedTargets: '' });

const target_url = 'http://127.0.0.1:4567/hook?x=1';

describe('subscribe', () => {
  test('by a list of events (rules hooks 2, hooks 3 and deliveries 3)', async () => {
    const { api } = await openBusiness(dealkeep);
    const hook = await api.post('/webhooks', {
      target_url,
      events: ['lead.won', 'lead.created'],
      name: ' Mine ',
    });
    expect(hook.status).toBe(201);
    expect(hook.headers.get('cache-control')).toBe('no-store');
    expect(hook.data).toEqual({
      id: expect.any(String),
      target_url,
      events: ['lead.won', 'lead.created'],
      name: 'Mine',
      created_at: expect.stringMatching(/\.\d{3}Z$/),
      secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
    });
    const { secret: _, ...shown } = hook.data;
    expect((await api.get(`/webhooks/${hook.data.id}`)).data).toEqual(shown);
    expect((await api.get('/webhooks')).page).toEqual({ data: [shown], next_cursor: null, has_more: false });
  });

  test('by a single event; unnamed it is called after the key and the first event (rules hooks 1 and 3)', async () => {
    const { organization } = await openBusiness(dealkeep);
    const api = dealkeep.as((await organization.createKey({ name: 'Zapier' })).token);
    const one = (await api.post('/webhooks', { target_url, event: 'contact.updated' })).data;
    expect(one).toMatchObject({ events: ['contact.updated'], name: 'Zapier: contact.updated' });
    const two = (await api.post('/webhooks', { target_url, events: ['lead.lost', 'lead.won'], name: null }))
      .data;
    expect(two.name).toBe('Zapier: lead.lost');
    expect(two.secret).not.toBe(one.secret);
  });

  test('null stands for the one that is absent', async () => {
    const { api } = await openBusiness(dealkeep);
    expect((await api.post('/webhooks', { target_url, event: 'lead.won', events: null })).outcome).toBe(
      '201',
    );
    expect((await api.post('/webhooks', { target_url, event: null, events: ['lead.won'] })).outcome).toBe(
      '201',
    );
  });

  test('to every event of the catalog at once', async () => {
    const { api } = await openBusiness(dealkeep);
    expect((await api.post('/webhooks', { target_url, events: eventTypes })).data.events).toEqual(eventTypes);
  });

  test.each([
    ['both', { event: 'lead.won', events: ['lead.lost'] }, { event: 'either' }],
    ['none', {}, { events: 'required' }],
    ['none but null', { event: null, events: null }, { events: 'required' }],
    ['an empty list', { events: [] }, { events: 'too_few' }],
    ['duplicates', { events: ['lead.won', 'lead.lost', 'lead.won'] }, { 'events[2]': 'duplicate' }],
    ['an empty name', { event: 'lead.won', name: '  ' }, { name: 'empty' }],
    ['a secret of its own', { event: 'lead.won', secret: 'whsec_x' }, { secret: 'unknown' }],
  ])('to %s is refused (rule hooks 1)', async (_, body, fields) => {
    const { api } = await openBusiness(dealkeep);
    expect((await api.post('/webhooks', { target_url, ...body })).fields).toEqual(fields);
    expect((await api.get('/webhooks')).page.data).toEqual([]);
  });

  test.each([
    [['lead.created', 'lead.exploded'], 'lead.exploded'],
    [['invoice.deleted'], 'invoice.deleted'],
    [['*'], '*'],
    [['LEAD.CREATED'], 'LEAD.CREATED'],
    [[' lead.created'], ' lead.created'],
    [[''], ''],
    [['__proto__'], '__proto__'],
    [['toString'], 'toString'],
  ])('to %j: there is no such event (rules hooks 1 and errors 4)', async (events, event) => {
    const { api } = await openBusiness(dealkeep);
    const refused = await api.post('/webhooks', { target_url, events });
    expect(refused.outcome).toBe('422 UNKNOWN_EVENT');
    expect(refused.error.detail).toEqual({ event });
    expect(refused.error.message).toContain('GET /webhooks/events');
    expect((await api.post('/webhooks', { target_url, event })).outcome).toBe('422 UNKNOWN_EVENT');
    expect((await api.get('/webhooks')).page.data).toEqual([]);
  });

  test.each([
    [['leads:read'], ['lead.created'], '201'],
    [['leads:read'], ['lead.created', 'company.created'], '403 FORBIDDEN'],
    [['companies:read'], ['company.created', 'contact.updated'], '201'],
    [['companies:read'], ['lead.won'], '403 FORBIDDEN'],
    [['leads:write', 'companies:write'], ['contact.created'], '403 FORBIDDEN'],
  ] satisfies [Scope[], string[], string][])(
    'with %j to %j: %s (rule hooks 4)',
    async (scopes, events, outcome) => {
      const { organization } = await openBusiness(dealkeep);
      const key = await organization.createKey({ scopes: ['webhooks:manage', ...scopes] });
      const api = dealkeep.as(key.token);
      expect((await api.post('/webhooks', { target_url, events })).outcome).toBe(outcome);
      expect((await api.get('/webhooks')).page.data).toHaveLength(outcome === '201' ? 1 : 0);
    },
  );
});

describe('the target (rules hooks 11, hooks 12 and errors 4)', () => {
  test.each([
    ['nonsense', 'WEBHOOK_URL_INVALID'],
    ['', 'WEBHOOK_URL_INVALID'],
    ['https://', 'WEBHOOK_URL_INVALID'],
    ['https:// x.example/', 'WEBHOOK_URL_INVALID'],
    ['//x.example/hook', 'WEBHOOK_URL_INVALID'],
    ['ftp://93.184.216.34/', 'WEBHOOK_URL_INVALID'],
    ['javascript:alert(1)', 'WEBHOOK_URL_INVALID'],
    ['http://93.184.216.34/hook', 'WEBHOOK_URL_INVALID'],
    ['https://user:secret@93.184.216.34/', 'WEBHOOK_URL_INVALID'],
    ['https://93.184.216.34:22/', 'WEBHOOK_URL_INVALID'],
    ['https://93.184.216.34:99999/', 'WEBHOOK_URL_INVALID'],
    [`https://93.184.216.34/${'x'.repeat(2048)}`, 'WEBHOOK_URL_INVALID'],
    ['https://no-such-host.invalid/hook', 'WEBHOOK_URL_INVALID'],
    ['https://127.0.0.1/hook', 'WEBHOOK_URL_BLOCKED'],
    ['https://localhost/hook', 'WEBHOOK_URL_BLOCKED'],
    ['https://10.1.2.3/', 'WEBHOOK_URL_BLOCKED'],
    ['https://192.168.0.1/', 'WEBHOOK_URL_BLOCKED'],
    ['https://172.16.0.1:8443/', 'WEBHOOK_URL_BLOCKED'],
    ['https://169.254.169.254/latest/meta-data', 'WEBHOOK_URL_BLOCKED'],
    ['https://0.0.0.0/', 'WEBHOOK_URL_BLOCKED'],
    ['https://2130706433/', 'WEBHOOK_URL_BLOCKED'],
    ['https://0x7f.1/', 'WEBHOOK_URL_BLOCKED'],
    ['https://[::1]/', 'WEBHOOK_URL_BLOCKED'],
    ['https://[::ffff:10.0.0.1]/', 'WEBHOOK_URL_BLOCKED'],
    ['https://[fe80::1]/', 'WEBHOOK_URL_BLOCKED'],
    ['https://224.0.0.1/', 'WEBHOOK_URL_BLOCKED'],
  ])('%s', async (url, code) => {
    const { api } = await openBusiness(strict);
    const refused = await api.post('/webhooks', { target_url: url, event: 'lead.created' });
    expect(refused.outcome).toBe(`422 ${code}`);
    expect(refused.error.message).toContain('target_url');
    expect(refused.error.detail).toEqual({ field: 'target_url' });
    expect((await api.get('/webhooks')).page.data).toEqual([]);
  });

  test('that is public and https is taken, with a port from 1024 up and 2048 characters', async () => {
    const { api } = await openBusiness(strict);
    const long = 'https://93.184.216.34:8443/';
    for (const url of ['https://93.184.216.34/', long, long + 'x'.repeat(2048 - long.length)]) {
      expect((await api.post('/webhooks', { target_url: url, event: 'lead.created' })).data.target_url).toBe(
        url,
      );
    }
  });

  test('that the operator allows may be private and plain http (rule hooks 14)', async () => {
    const { api } = await openBusiness(dealkeep);
    for (const url of ['http://127.0.0.1:80/', 'http://localhost:4567/', 'https://127.0.0.1:22/']) {
      expect((await api.post('/webhooks', { target_url: url, event: 'lead.created' })).outcome).toBe('201');
    }
  });
});

describe('a hook', () => {
  test('is seen and deleted by the key that made it, and by no other (rules hooks 6 and 7)', async () => {
    const { api, organization } = await openBusiness(dealkeep);
    const other = dealkeep.as((await organization.createKey()).token);
    const { id } = (await api.post('/webhooks', { target_url, event: 'lead.created' })).data;
    expect((await other.get('/webhooks')).page.data).toEqual([]);
    expect((await other.get(`/webhooks/${id}`)).outcome).toBe('404 NOT_FOUND');
    expect((await other.delete(`/webhooks/${id}`)).outcome).toBe('404 NOT_FOUND');
    const gone = await api.delete(`/webhooks/${id}`);
    expect([gone.status, gone.text]).toEqual([204, '']);
    expect(gone.headers.get('content-type')).toBeNull();
    expect((await api.get(`/webhooks/${id}`)).outcome).toBe('404 NOT_FOUND');
    expect((await api.delete(`/webhooks/${id}`)).outcome).toBe('404 NOT_FOUND');
  });

  test('made by hand, or unknown, is 404 (rule hooks 6)', async () => {
    const { api, organization } = await openBusiness(dealkeep);
    const byHand = '01985f6e-2c41-7d3a-9b52-4f0c8a7e1d63';
    await dealkeep.sql`
      insert into webhooks (organization_id, id, name, target_url, events, secret, created_at)
      values (${organization.id}, ${byHand}, 'By hand', ${target_url}, ${['lead.created']}, 'x', now())`;
    expect((await api.get('/webhooks')).page.data).toEqual([]);
    for (const id of [byHand, '01985f6e-2c41-7d3a-9b52-4f0c8a7e1d64', 'nonsense', 'event']) {
      expect((await api.get(`/webhooks/${id}`)).outcome).toBe('404 NOT_FOUND');
      expect((await api.delete(`/webhooks/${id}`)).outcome).toBe('404 NOT_FOUND');
    }
    expect(await dealkeep.sql`select from webhooks where id = ${byHand}`).toHaveLength(1);
  });

  test('that is newer stands first in the list', async () => {
    const { api } = await openBusiness(dealkeep);
    const made: string[] = [];
    for (const event of eventTypes.slice(0, 5))
      made.push((await api.post('/webhooks', { target_url, event })).data.id);
    expect((await api.get('/webhooks')).page.data.map(({ id }) => id)).toEqual(made.toReversed());
  });
});

describe('the maximum', () => {
  test('is 50 per organization, however many ask at once, and hand-made ones count (rule hooks 5)', async () => {
    const { api, organization } = await openBusiness(dealkeep);
    const other = dealkeep.as((await organization.createKey()).token);
    await dealkeep.sql`
      insert into webhooks (organization_id, id, target_url, events, secret, created_at)
      select ${organization.id}, gen_random_uuid(), ${target_url}, ${['lead.created']}, 'x', now()
      from generate_series(1, 42)`;
    const subscribe = (client: typeof api) => client.post('/webhooks', { target_url, event: 'lead.created' });
    const answers = await Promise.all(
      Array.from({ length: 14 }, (_, index) => subscribe(index % 2 === 0 ? api : other)),
    );
    const refused = answers.filter(({ status }) => status !== 201);
    expect(refused.map(({ outcome }) => outcome)).toEqual(Array(6).fill('409 LIMIT_EXCEEDED'));
    expect(refused[0]?.error.message).toContain('50');
    expect(await dealkeep.sql`select from webhooks where organization_id = ${organization.id}`).toHaveLength(
      50,
    );
    const [made] = answers.filter(({ status }, index) => status === 201 && index % 2 === 0);
    await api.delete(`/webhooks/${made?.data.id}`);
    expect((await subscribe(other)).outcome).toBe('201');
  });

  test('can be another (rule hooks 5)', async () => {
    const { api, organization } = await openBusiness(dealkeep);
    await updateOrganization(dealkeep.sql, organization.slug, { maxWebhooks: 1 });
    expect((await api.post('/webhooks', { target_url, event: 'lead.created' })).outcome).toBe('201');
    const refused = await api.post('/webhooks', { target_url, event: 'lead.won' });
    expect(refused.outcome).toBe('409 LIMIT_EXCEEDED');
    expect(refused.error.message).toContain('1');
  });
});
