import { ManualClock, startDealkeep } from '@dealkeep/testing';
import { expect, test } from 'vitest';
import { registerApp } from './connected-app.ts';

const clock = new ManualClock();
const dealkeep = await startDealkeep({ worker: false, clock });
const organization = await dealkeep.createOrganization();
const app = await registerApp(dealkeep);

const refresh = (token: string, more: Record<string, string> = {}) =>
  app.post({ grant_type: 'refresh_token', refresh_token: token, ...more });
const works = async (token = '') => (await dealkeep.as(token).get('/leads')).status === 200;
const invalidGrant = { status: 400, body: { error: 'invalid_grant' } };

test('a refresh token is rotated on every use, and the access tokens before stay until they expire (rule oauth 11)', async () => {
  const first = await app.connect(organization);
  const second = (await refresh(first.refresh_token)).body;
  const third = (await refresh(second.refresh_token ?? '')).body;
  expect(new Set([first, second, third].map((tokens) => tokens.refresh_token)).size).toBe(3);
  expect(await works(first.access_token)).toBe(true);
  expect(await works(third.access_token)).toBe(true);
});

test('within 60 s a client whose response was lost gets the very same answer again (rule oauth 12)', async () => {
  const { refresh_token: token } = await app.connect(organization);
  const answer = await refresh(token);
  clock.advance(60_000);
  const again = await refresh(token);
  expect(again.body).toEqual(answer.body);
  expect(await works(again.body.access_token)).toBe(true);
});

test('after 60 s a rotated token that comes again ends the connection with all its tokens and hooks (rule oauth 12)', async () => {
  const first = await app.connect(organization);
  const hook = await dealkeep.as(first.access_token).post('/webhooks', {
    target_url: 'http://127.0.0.1:4567/',
    event: 'lead.created',
  });
  expect(hook.status).toBe(201);
  const second = (await refresh(first.refresh_token)).body;
  clock.advance(60_001);
  expect(await refresh(first.refresh_token)).toMatchObject(invalidGrant);
  expect(await refresh(second.refresh_token ?? '')).toMatchObject(invalidGrant);
  expect(await works(second.access_token)).toBe(false);
  const [left] = await dealkeep.sql`select 1 from webhooks where id = ${hook.data.id}`;
  expect(left).toBeUndefined();
});

test('within 60 s too, when the successor is in use already', async () => {
  const first = await app.connect(organization);
  const second = (await refresh(first.refresh_token)).body;
  const third = (await refresh(second.refresh_token ?? '')).body;
  expect(await refresh(first.refresh_token)).toMatchObject(invalidGrant);
  expect(await works(third.access_token)).toBe(false);
});

test('twenty refreshes at once are one rotation', async () => {
  const { refresh_token: token } = await app.connect(organization);
  const answers = await Promise.all(Array.from({ length: 20 }, () => refresh(token)));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  expect(new Set(answers.map(({ body }) => body.refresh_token)).size).toBe(1);
});

test('of ten redemptions of one code at once, at most one is answered, and no token of it lives on', async () => {
  const { parameters, verifier } = await app.request();
  const person = { id: organization.ownerId, organization: organization.id };
  const code = new URL(await app.allow(parameters, person)).searchParams.get('code') ?? '';
  const form = {
    grant_type: 'authorization_code',
    code,
    code_verifier: verifier,
    redirect_uri: parameters.get('redirect_uri') ?? '',
  };
  const answers = await Promise.all(Array.from({ length: 10 }, () => app.post(form)));
  const granted = answers.filter(({ status }) => status === 200);
  expect(granted).toHaveLength(1);
  expect(await works(granted[0]?.body.access_token)).toBe(false);
});
