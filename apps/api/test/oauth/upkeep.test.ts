import { endIdleConnections, updateOrganization } from '@dealkeep/core/accounts';
import { removeOld } from '@dealkeep/core/installation';
import { ManualClock, startDealkeep, type TestOrganization } from '@dealkeep/testing';
import { expect, test } from 'vitest';
import { registerApp } from './connected-app.ts';

const clock = new ManualClock();
const dealkeep = await startDealkeep({ worker: false, clock });
const { core, sql } = dealkeep;
const app = await registerApp(dealkeep);
const day = 86_400_000;
const refresh = (refresh_token = '') => app.post({ grant_type: 'refresh_token', refresh_token });
const livingOf = async ({ id }: TestOrganization) =>
  (await sql`select 1 from oauth_connections where organization_id = ${id} and ended_at is null`).length;

test('a connection that is used every 180 days lives on; a day without more ends it, its tokens and hooks (rules oauth 17 and 18)', async () => {
  const organization = await dealkeep.createOrganization();
  let tokens: { access_token?: string; refresh_token?: string } = await app.connect(organization);
  for (let use = 0; use < 3; use += 1) {
    clock.advance(180 * day);
    await endIdleConnections(core);
    const refreshed = await refresh(tokens.refresh_token);
    expect(refreshed.status).toBe(200);
    tokens = refreshed.body;
  }
  const hook = { target_url: 'http://127.0.0.1:4567/', event: 'lead.created' };
  expect((await dealkeep.as(tokens.access_token).post('/webhooks', hook)).status).toBe(201);
  clock.advance(180 * day + 60_000);
  expect(await endIdleConnections(core)).toBe(1);
  expect(await livingOf(organization)).toBe(0);
  expect(await sql`select 1 from webhooks where organization_id = ${organization.id}`).toEqual([]);
  expect((await refresh(tokens.refresh_token)).body.error).toBe('invalid_grant');
  expect(await endIdleConnections(core)).toBe(0);
});

test('an idle connection is refused before the sweep comes, and has ended then', async () => {
  const organization = await dealkeep.createOrganization();
  const tokens = await app.connect(organization);
  clock.advance(180 * day + 1);
  expect((await refresh(tokens.refresh_token)).body.error).toBe('invalid_grant');
  expect(await livingOf(organization)).toBe(0);
});

test('any number of idle connections end in one sweep', async () => {
  const organization = await dealkeep.createOrganization();
  const long = new Date(clock.now().getTime() - 200 * day).toISOString();
  await sql`
    insert into oauth_connections (organization_id, id, client_id, user_id, scopes, created_at, last_used_at)
    select ${organization.id}, gen_random_uuid(), ${app.client.client_id}, ${organization.ownerId}, '{}', ${long}, ${long}
    from generate_series(1, 120)`;
  expect(await endIdleConnections(core)).toBe(120);
  expect(await livingOf(organization)).toBe(0);
});

test('what can no longer be used is removed; what still gives away a thief stays', async () => {
  const organization = await dealkeep.createOrganization();
  const { form } = await app.grant(organization);
  const tokens = (await app.post(form)).body;
  await app.grant(organization);
  await refresh(tokens.refresh_token);
  const count = async (table: string) => {
    const rows = await sql`select 1 from ${sql(table)} where organization_id = ${organization.id}`;
    return rows.length;
  };
  const answers = async () =>
    (
      await sql`select 1 from oauth_refresh_tokens where organization_id = ${organization.id} and answer is not null`
    ).length;
  expect([await count('oauth_access_tokens'), await count('oauth_codes'), await answers()]).toEqual([
    2, 2, 1,
  ]);
  clock.advance(61_000);
  await removeOld(core);
  expect(await answers()).toBe(0);
  clock.advance(3_600_000);
  await removeOld(core);
  expect(await count('oauth_access_tokens')).toBe(0);
  clock.advance(2 * day);
  await removeOld(core);
  expect(await count('oauth_codes')).toBe(1);
  expect((await app.post(form)).body.error).toBe('invalid_grant');
  expect(await livingOf(organization)).toBe(0);
  await removeOld(core);
  expect(await count('oauth_codes')).toBe(0);
});

test('a lapsed subscription is 402 for a token as for a key, and ends nothing', async () => {
  const organization = await dealkeep.createOrganization();
  const tokens = await app.connect(organization);
  const api = dealkeep.as(tokens.access_token);
  await updateOrganization(sql, organization.slug, { subscription: 'lapsed' });
  expect((await api.get('/leads')).outcome).toBe('402 PAYMENT_REQUIRED');
  expect((await refresh(tokens.refresh_token)).status).toBe(200);
  await updateOrganization(sql, organization.slug, { subscription: 'active' });
  expect((await api.get('/leads')).status).toBe(200);
});

test('requests and idempotency keys count for the connection, whichever of its tokens they come with', async () => {
  const organization = await dealkeep.createOrganization({ usualRateLimits: true });
  const first = await app.connect(organization);
  const second = await app.connect(organization);
  const next = (await refresh(first.refresh_token)).body;
  const left = async (token = '') =>
    Number((await dealkeep.as(token).get('/me')).headers.get('x-ratelimit-remaining'));
  const before = await left(first.access_token);
  expect(await left(next.access_token)).toBeLessThan(before);
  expect(await left(second.access_token)).toBeGreaterThanOrEqual(before);

  const post = (token = '') =>
    dealkeep.as(token).post('/leads', { name: 'x' }, { 'Idempotency-Key': 'same' });
  const made = (await post(first.access_token)).data.id;
  expect((await post(next.access_token)).data.id).toBe(made);
  expect((await post(second.access_token)).data.id).not.toBe(made);
});

test('an exchanged refresh token is kept for as long as its reuse gives away a thief, and no longer (rule oauth 27)', async () => {
  const organization = await dealkeep.createOrganization();
  const first = await app.connect(organization);
  const tokens = async () =>
    (await sql`select 1 from oauth_refresh_tokens where organization_id = ${organization.id}`).length;
  let latest: string | undefined = first.refresh_token;
  for (let month = 0; month < 7; month += 1) {
    latest = (await refresh(latest)).body.refresh_token;
    clock.advance(30 * day);
  }
  expect(await tokens()).toBe(8);
  clock.advance(1);
  await removeOld(core, { only: ['refreshTokens'] });
  expect(await tokens(), 'what was exchanged within 180 days, and the one to use').toBe(6);
  // The first says nothing of anybody any more; one that is kept ends the connection.
  expect((await refresh(first.refresh_token)).status).toBe(400);
  expect(await livingOf(organization)).toBe(1);
  const kept = latest;
  latest = (await refresh(latest)).body.refresh_token;
  clock.advance(179 * day);
  await removeOld(core, { only: ['refreshTokens'] });
  expect((await refresh(kept)).status).toBe(400);
  expect(await livingOf(organization)).toBe(0);
});
