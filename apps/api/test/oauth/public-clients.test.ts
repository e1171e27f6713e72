/** Applications without a secret (RFC 6749, 2.1; RFC 8252): a program on a person's own machine. */
import { createOAuthApp, rotateOAuthAppSecret } from '@dealkeep/core/accounts';
import { OperatorError } from '@dealkeep/core/foundations';
import { ManualClock, sharedDealkeep, startDealkeep } from '@dealkeep/testing';
import * as oauth from 'oauth4webapi';
import { describe, expect, test } from 'vitest';
import { ask, consentingOwner } from './authorization-page.ts';
import { actAs, redirectUri, registerApp } from './connected-app.ts';

const clock = new ManualClock();
const dealkeep = await startDealkeep({ worker: false, clock, usualCeilings: true });
const { core } = dealkeep;
const organization = await dealkeep.createOrganization();
const registered = await createOAuthApp(core, {
  name: 'Assistant',
  redirectUris: [redirectUri, 'http://localhost/callback', 'http://127.0.0.1/callback'],
  scopes: ['leads:read', 'webhooks:manage'],
  isPublic: true,
});
const app = await actAs(dealkeep, registered);
const confidential = await registerApp(dealkeep);

const basic = (secret: string) =>
  `Basic ${Buffer.from(`${encodeURIComponent(registered.client_id)}:${secret}`).toString('base64')}`;

async function token(form: Readonly<Record<string, string>>, headers: Record<string, string> = {}) {
  const response = await fetch(`${dealkeep.origin}/oauth/token`, {
    method: 'POST',
    headers,
    body: new URLSearchParams(form),
  });
  return { status: response.status, body: Object(await response.json()) };
}

test('is registered without a secret, and can be given none', async () => {
  expect(registered).toEqual({ client_id: expect.stringMatching(/^dkapp_/) });
  await expect(rotateOAuthAppSecret(core.sql, registered.client_id)).rejects.toThrow(OperatorError);
});

test('goes the whole way with its client_id and PKCE alone, by a client that no one here wrote (rule oauth 22)', async () => {
  const tokens = await app.connect(organization);
  expect((await dealkeep.as(tokens.access_token).get('/leads')).status).toBe(200);
  const refreshed = await oauth.processRefreshTokenResponse(
    app.server,
    app.client,
    await oauth.refreshTokenGrantRequest(
      app.server,
      app.client,
      oauth.None(),
      tokens.refresh_token,
      app.options,
    ),
  );
  const revoked = await oauth.revocationRequest(
    app.server,
    app.client,
    oauth.None(),
    refreshed.refresh_token ?? '',
    app.options,
  );
  await oauth.processRevocationResponse(revoked);
  expect((await dealkeep.as(refreshed.access_token).get('/leads')).status).toBe(401);
});

describe('who asks at the token endpoint', () => {
  test('a secret of an application that has none is refused, in the body and by HTTP Basic', async () => {
    const { form } = await app.grant(organization);
    const own = { ...form, client_id: registered.client_id };
    expect((await token({ ...own, client_secret: 'dk_ocs_any' })).body.error).toBe('invalid_client');
    expect((await token(form, { Authorization: basic('dk_ocs_any') })).body.error).toBe('invalid_client');
    expect((await token(own)).status).toBe(200);
  });

  test('an application that has a secret needs it', async () => {
    const { form } = await confidential.grant(organization);
    const refused = await token({ ...form, client_id: confidential.client.client_id });
    expect([refused.status, refused.body.error]).toEqual([401, 'invalid_client']);
  });

  test('a code without its verifier is of no use', async () => {
    const { form } = await app.grant(organization);
    const own = { ...form, client_id: registered.client_id };
    expect((await token({ ...own, code_verifier: '' })).body.error).toBe('invalid_request');
    const other = oauth.generateRandomCodeVerifier();
    expect((await token({ ...own, code_verifier: other })).body.error).toBe('invalid_grant');
  });

  test('a code and a refresh token of another application are refused', async () => {
    const stranger = await actAs(
      dealkeep,
      await createOAuthApp(core, {
        name: 'Other',
        redirectUris: [redirectUri],
        scopes: ['leads:read'],
        isPublic: true,
      }),
    );
    const { form } = await app.grant(organization);
    expect((await stranger.post({ ...form, client_secret: '' })).body.error).toBe('invalid_grant');
    const tokens = await app.connect(organization);
    const refresh = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token };
    expect((await stranger.post(refresh)).body.error).toBe('invalid_grant');
    expect((await app.post(refresh)).status).toBe(200);
  });

  test('a code that comes a second time ends the connection', async () => {
    const { form } = await app.grant(organization);
    const first = await app.post(form);
    expect((await app.post(form)).body.error).toBe('invalid_grant');
    expect((await dealkeep.as(first.body.access_token).get('/leads')).status).toBe(401);
  });

  test('a refresh token is rotated, and one that is used again later ends the connection', async () => {
    const tokens = await app.connect(organization);
    const refresh = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token };
    const next = await app.post(refresh);
    expect(next.body.refresh_token).not.toBe(tokens.refresh_token);
    clock.advance(61_000);
    expect((await app.post(refresh)).body.error).toBe('invalid_grant');
    expect((await dealkeep.as(next.body.access_token).get('/leads')).status).toBe(401);
  });

  test('its refreshes are counted by connection: one that is used up leaves the others alone (rule rate-limits 7)', async () => {
    const busy = await app.connect(organization);
    const other = await app.connect(organization);
    clock.advance(60_000);
    const refresh = async (refresh_token: string) => {
      const { status, body } = await app.post({ grant_type: 'refresh_token', refresh_token });
      return { status, next: body.refresh_token ?? refresh_token };
    };
    let { next } = await refresh(busy.refresh_token);
    // Other processes have taken whatever else there was of the minute; this one holds no more than a lease.
    const [window] = await dealkeep.sql<{ ceiling: number }[]>`
      update rate_windows set taken = ceiling
      where minute = ${Math.floor(clock.now().getTime() / 60_000)} returning ceiling`;
    expect(window?.ceiling).toBe(120);
    let status = 200;
    for (let count = 0; count < 20 && status === 200; count += 1) ({ status, next } = await refresh(next));
    expect(status).toBe(429);
    expect((await app.post({ grant_type: 'refresh_token', refresh_token: other.refresh_token })).status).toBe(
      200,
    );
  });
});

describe('where people are sent back to', () => {
  test.each([
    ['http://localhost:58135/callback', true],
    ['http://127.0.0.1:58135/callback', true],
    ['http://localhost/callback', true],
    ['http://localhost:58135/other', false],
    ['http://localhost:58135/callback?x=1', false],
    ['https://localhost:58135/callback', false],
    ['http://localhost.evil.example:58135/callback', false],
    ['http://user@localhost:58135/callback', false],
    ['http://LOCALHOST:58135/callback', false],
    ['http://[::1]:58135/callback', false],
    ['javascript:alert(1)', false],
    ['//evil.example/callback', false],
  ])('%s: %s', async (address, isTaken) => {
    const owner = await consentingOwner(dealkeep, organization);
    const { parameters } = await app.request({ redirect_uri: address });
    const page = await owner.open(parameters);
    expect([page.status, page.location]).toEqual([isTaken ? 200 : 400, undefined]);
  });

  test('the port of localhost stays fixed for an application that has a secret', async () => {
    const one = await registerApp(dealkeep, { redirectUris: ['http://localhost/callback'] });
    const { parameters } = await one.request({ redirect_uri: 'http://localhost:58135/callback' });
    expect((await ask(dealkeep, parameters)).status).toBe(400);
  });

  test('a code is of no use with another port than it was sent to', async () => {
    const { form } = await app.grant(organization, { redirect_uri: 'http://localhost:58135/callback' });
    const other = await app.post({ ...form, redirect_uri: 'http://localhost:58136/callback' });
    expect(other.body.error).toBe('invalid_grant');
    expect((await app.post(form)).status).toBe(200);
  });
});

describe('scopes', () => {
  test('it asks for whatever the metadata list, and gets what it may have of that (rule oauth 3)', async () => {
    const response = await fetch(`${dealkeep.origin}/.well-known/oauth-protected-resource/mcp`);
    const { scopes_supported: all } = Object(await response.json());
    const { form } = await app.grant(organization, { scope: `${all.join(' ')} offline_access` });
    const answer = await token({ ...form, client_id: registered.client_id });
    expect(answer.body.scope.split(' ').sort()).toEqual(['leads:read', 'webhooks:manage']);
  });

  test('nothing of what it asks for is invalid_scope', async () => {
    const owner = await consentingOwner(dealkeep, organization);
    const { parameters } = await app.request({ scope: 'invoices:read' });
    expect((await owner.open(parameters)).said.get('error')).toBe('invalid_scope');
  });
});

test('an application with a secret is still refused a scope that it may not have', async () => {
  const shared = await sharedDealkeep();
  const one = await registerApp(shared);
  const owner = await consentingOwner(shared, await shared.createOrganization());
  const { parameters } = await one.request({ scope: 'leads:read invoices:read' });
  expect((await owner.open(parameters)).said.get('error')).toBe('invalid_scope');
});
