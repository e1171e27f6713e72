/**
 * Each MUST and MUST NOT of RFC 7009 (revocation) that applies to this server, by section. Those that do not:
 * - 2 (TLS): ended in front of this process, by the proxy of the operator.
 * - 2.3: cross-origin requests and JSONP are not offered; applications keep a secret, and so have a server.
 */
import { sharedDealkeep } from '@dealkeep/testing';
import { expect, test } from 'vitest';
import { registerApp } from './connected-app.ts';

const dealkeep = await sharedDealkeep();
const organization = await dealkeep.createOrganization();
const app = await registerApp(dealkeep);
const other = await registerApp(dealkeep);
const path = '/oauth/revoke';

const works = async (token = '') => (await dealkeep.as(token).get('/leads')).status === 200;
const refresh = async (token: string) =>
  (await app.post({ grant_type: 'refresh_token', refresh_token: token })).status === 200;

test('2: a refresh token is revoked at once, with every access token and hook of its grant (rule oauth 13)', async () => {
  const tokens = await app.connect(organization);
  const target_url = 'http://127.0.0.1:4567/';
  const api = dealkeep.as(tokens.access_token);
  const hook = (await api.post('/webhooks', { target_url, event: 'lead.created' })).data;
  expect((await app.post({ token: tokens.refresh_token }, path)).status).toBe(200);
  expect([await works(tokens.access_token), await refresh(tokens.refresh_token)]).toEqual([false, false]);
  expect(await dealkeep.sql`select 1 from webhooks where id = ${hook.id}`).toEqual([]);
});

test('2: an access token is revoked alone (rule oauth 13)', async () => {
  const tokens = await app.connect(organization);
  expect((await app.post({ token: tokens.access_token }, path)).status).toBe(200);
  expect([await works(tokens.access_token), await refresh(tokens.refresh_token)]).toEqual([false, true]);
});

test('2.1: a refresh token that was rotated already still revokes its grant', async () => {
  const tokens = await app.connect(organization);
  const rotated = (await app.post({ grant_type: 'refresh_token', refresh_token: tokens.refresh_token })).body;
  expect((await app.post({ token: tokens.refresh_token }, path)).status).toBe(200);
  expect(await works(rotated.access_token)).toBe(false);
});

test.each([
  ['nobody', { client_id: '', client_secret: '' }],
  ['an application without its secret', { client_secret: '' }],
  ['an application with a wrong secret', { client_secret: 'wrong' }],
])('2.1: applications authenticate; %s is refused and nothing revoked', async (_what, wrong) => {
  const tokens = await app.connect(organization);
  const answer = await app.post({ token: tokens.refresh_token, ...wrong }, path);
  expect([answer.status, answer.body.error]).toEqual([401, 'invalid_client']);
  expect(answer.headers.get('www-authenticate')).toMatch(/^Basic /);
  expect(await works(tokens.access_token)).toBe(true);
});

test('2.1: a token of another application is refused, and goes on (rule oauth 13)', async () => {
  const tokens = await app.connect(organization);
  for (const token of [tokens.access_token, tokens.refresh_token]) {
    const answer = await other.post({ token }, path);
    expect([answer.status, answer.body.error]).toEqual([400, 'invalid_grant']);
  }
  expect([await works(tokens.access_token), await refresh(tokens.refresh_token)]).toEqual([true, true]);
});

test.each(['access_token', 'refresh_token', 'anything'])(
  '2.1: a token is found whatever its hint says: %s',
  async (token_type_hint) => {
    const tokens = await app.connect(organization);
    await app.post({ token: tokens.refresh_token, token_type_hint }, path);
    expect(await works(tokens.access_token)).toBe(false);
  },
);

test('2.2: a token that is unknown or was revoked before is a success (rule oauth 13)', async () => {
  const { refresh_token: token } = await app.connect(organization);
  const once = await app.post({ token }, path);
  const twice = await app.post({ token }, path);
  const unknown = await app.post({ token: 'dk_ort_unknown' }, path);
  expect([once.status, twice.status, unknown.status]).toEqual([200, 200, 200]);
});

test('2.2.1: a request without a token is invalid_request', async () => {
  const answer = await app.post({}, path);
  expect([answer.status, answer.body.error]).toEqual([400, 'invalid_request']);
});
