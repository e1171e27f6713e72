import { createApi, serve } from '@dealkeep/api';
import { createCore } from '@dealkeep/core';
import {
  createRole,
  disconnect,
  listConnections,
  revokeApiKey,
  updateOrganization,
  updateUser,
} from '@dealkeep/core/accounts';
import { growOlder, ManualClock, startDealkeep } from '@dealkeep/testing';
import { describe, expect, onTestFinished, test } from 'vitest';
import { addUser } from '../console-edits.ts';
import { registerApp } from '../oauth/connected-app.ts';
import { listen, refusal } from './listener.ts';

const streamTiming = { newsEvery: 20, checkEvery: 50 };
const dealkeep = await startDealkeep({ worker: false, streamTiming });
const { origin, createOrganization } = dealkeep;
/** For so long a process relies on what it knows of a key's scopes, and a little. */
const reliedOn = 1001;

describe('a stream is refused', () => {
  test('without a valid key', async () => {
    expect(await refusal(await listen(origin, 'dk_live_x'))).toBe('401 UNAUTHORIZED');
    expect(await refusal(await listen(origin, 'dk_test_x'))).toBe('401 WRONG_ENVIRONMENT');
  });

  test('without webhooks:manage, and for an event whose scope is missing (rule events 18)', async () => {
    const { createKey } = await createOrganization();
    const reader = await createKey({ scopes: ['leads:read'] });
    expect(await refusal(await listen(origin, reader.token))).toBe('403 FORBIDDEN');
    const manager = await createKey({ scopes: ['webhooks:manage', 'leads:read'] });
    expect(await refusal(await listen(origin, manager.token, { events: 'lead.won,order.paid' }))).toBe(
      '403 FORBIDDEN',
    );
  });

  test('to a legacy key', async () => {
    const { token } = await (await createOrganization()).createKey({ legacy: true });
    expect(await refusal(await listen(origin, token))).toBe('403 LEGACY_KEY_NOT_ALLOWED');
  });

  test('for an event that does not exist, and with a parameter that does not', async () => {
    const { key } = await createOrganization();
    expect(await refusal(await listen(origin, key, { events: 'lead.eaten' }))).toBe('422 UNKNOWN_EVENT');
    expect(await refusal(await listen(origin, key, { events: 'lead.won&x=1' }))).toBe(
      '400 UNSUPPORTED_FILTER',
    );
  });

  test('in the language of the caller', async () => {
    const { token } = await (await createOrganization()).createKey({ scopes: ['leads:read'] });
    const { response } = await listen(origin, token, { headers: { 'Accept-Language': 'sk' } });
    expect(await response.json()).toMatchObject({ error: { message: expect.stringMatching(/chýba/) } });
  });

  test('when the limit of requests is reached: opening one counts', async () => {
    const { slug, key } = await createOrganization();
    await updateOrganization(dealkeep.sql, slug, { requestsPerMinute: 2, orgRequestsPerMinute: 100 });
    const [first, second, third] = [
      await listen(origin, key),
      await listen(origin, key),
      await listen(origin, key),
    ];
    expect(first.response.headers.get('x-ratelimit-remaining')).toBe('1');
    expect(second.response.status).toBe(200);
    expect(await refusal(third)).toBe('429 RATE_LIMITED');
    expect(third.response.headers.get('retry-after')).toMatch(/^\d+$/);
  });
});

describe('an open stream is closed within seconds, and says why, when', () => {
  test('its key is revoked (rule events 20)', async () => {
    const { key, keyId } = await createOrganization();
    const listener = await listen(origin, key);
    await revokeApiKey(dealkeep.core, keyId);
    await listener.until(() => listener.closed);
    expect(listener.end?.error?.code).toBe('UNAUTHORIZED');
  });

  test('its key expires', async () => {
    const clock = new ManualClock();
    const own = await startDealkeep({ worker: false, clock, streamTiming });
    const { createKey } = await own.createOrganization();
    const { token } = await createKey({ expiresAt: '2026-10-01T08:05:00Z' });
    const listener = await listen(own.origin, token);
    clock.advance(300_000);
    await listener.until(() => listener.closed);
    expect(listener.end?.error?.code).toBe('UNAUTHORIZED');
  });

  test('the owner of the key is no longer active', async () => {
    const { key, ownerEmail } = await createOrganization();
    const listener = await listen(origin, key);
    await updateUser(dealkeep.core, ownerEmail, { active: false });
    await listener.until(() => listener.closed);
    expect(listener.end?.error?.code).toBe('TOKEN_OWNER_INACTIVE');
  });

  test('the subscription of the organization lapses', async () => {
    const { key, slug } = await createOrganization();
    const listener = await listen(origin, key);
    await updateOrganization(dealkeep.sql, slug, { subscription: 'lapsed' });
    await listener.until(() => listener.closed);
    expect(listener.end?.error?.code).toBe('PAYMENT_REQUIRED');
  });

  test('the key loses webhooks:manage or the scope of an event that was asked for', async () => {
    const { key, keyId } = await createOrganization();
    const listener = await listen(origin, key, { events: 'lead.won' });
    await dealkeep.sql`update api_keys set scopes = array['webhooks:manage'] where id = ${keyId}`;
    growOlder(reliedOn);
    await listener.until(() => listener.closed);
    expect(listener.end?.error?.code).toBe('FORBIDDEN');
  });
});

test('a stream of all events goes on with what is left when the key loses a scope', async () => {
  const { key, keyId, createKey } = await createOrganization();
  const writer = dealkeep.as((await createKey()).token);
  const listener = await listen(origin, key);
  await dealkeep.sql`update api_keys set scopes = array['webhooks:manage', 'leads:read'] where id = ${keyId}`;
  growOlder(reliedOn);
  // Until the key is checked again, companies come too.
  for (let round = 1, companies = 1; companies > 0; round += 1) {
    await writer.post('/companies', { name: `Company ${round}` });
    await writer.post('/leads', { name: `Lead ${round}` });
    await listener.until(() => listener.events.some(({ data }) => data.name === `Lead ${round}`));
    companies = listener.events.filter(({ data }) => data.name === `Company ${round}`).length;
  }
});

describe('a stream of a connection', () => {
  async function person(permissions: string) {
    const app = await registerApp(dealkeep, { scopes: ['leads:read', 'tasks:read', 'webhooks:manage'] });
    const organization = await createOrganization();
    const { slug } = organization;
    const email = `eva@${slug}.example`;
    await createRole(dealkeep.core, { organization: slug, name: 'Sales', permissions });
    const user = await addUser({ dealkeep, organization }, 'Eva', { email, role: 'Sales' });
    const { access_token: token } = await app.connect(organization, { user });
    return { organization, token };
  }

  test('is refused for an event that the role cannot read', async () => {
    const { token } = await person('leads.view=all,tasks.view=assigned');
    expect((await listen(origin, token, { events: 'lead.won' })).response.status).toBe(200);
    expect(await refusal(await listen(origin, token, { events: 'lead.won,task.moved' }))).toBe(
      '403 ROLE_SCOPE_LIMITED',
    );
  });

  test('of all events carries those that the role can read', async () => {
    const { token } = await person('leads.view=all');
    const listener = await listen(origin, token);
    await listener.until(() => listener.messages.length > 0);
    const { events } = JSON.parse(listener.messages[0]?.data ?? '');
    expect(events).toContain('lead.won');
    expect(events.filter((type: string) => !type.startsWith('lead.'))).toEqual([]);
  });

  test('ends with the connection, and when the role loses the permission', async () => {
    const { organization, token } = await person('leads.view=all');
    const [one, other] = [
      await listen(origin, token, { events: 'lead.won' }),
      await person('leads.view=all'),
    ];
    const second = await listen(origin, other.token, { events: 'lead.won' });
    const [connection] = await listConnections(dealkeep.sql, { organization: organization.id });
    await disconnect(dealkeep.core, { organization: organization.id, id: connection?.id ?? '' });
    await dealkeep.sql`update roles set permissions = '{}' where organization_id = ${other.organization.id}`;
    await one.until(() => one.closed);
    await second.until(() => second.closed);
    expect(one.end?.error?.code).toBe('UNAUTHORIZED');
    expect(second.end?.error?.code).toBe('ROLE_PERMISSION_MISSING');
  });
});

describe('a key has at most three streams', () => {
  /** Another API process on the same database. */
  async function anotherProcess(): Promise<string> {
    const core = createCore(dealkeep.core);
    const server = await serve(createApi({ core }), { port: 0, host: '127.0.0.1' });
    onTestFinished(async () => {
      await Promise.all([server.stop(1000), core.eventStreams.stop()]);
    });
    return `http://127.0.0.1:${server.port}`;
  }

  test('over all processes; another key has its own (rule events 20)', async () => {
    const { key, createKey } = await createOrganization();
    const other = await anotherProcess();
    for (const each of [origin, other, origin]) expect((await listen(each, key)).response.status).toBe(200);
    for (const each of [origin, other])
      expect(await refusal(await listen(each, key))).toBe('409 LIMIT_EXCEEDED');
    expect((await listen(other, (await createKey()).token)).response.status).toBe(200);
  });

  test('also when all are opened at once', async () => {
    const { key } = await createOrganization();
    const other = await anotherProcess();
    const listeners = await Promise.all(
      Array.from({ length: 10 }, (_, index) => listen(index % 2 ? origin : other, key)),
    );
    expect(listeners.filter(({ response }) => response.ok).length).toBe(3);
  });

  test('one that ends makes room at once', async () => {
    const { key } = await createOrganization();
    const [first] = [await listen(origin, key), await listen(origin, key), await listen(origin, key)];
    first.close();
    await expect.poll(async () => (await listen(origin, key)).response.status).toBe(200);
  });
});
