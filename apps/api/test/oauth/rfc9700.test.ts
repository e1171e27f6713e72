/**
 * Each MUST and MUST NOT of RFC 9700 (best current practice) that applies to this server and is not among those of
 * RFC 6749, 7636 and 9207 already, by section. Those that do not:
 * - 2.1.2, 2.4, 4.3: the implicit and the password grant are not offered (RFC 6749, 3.1.1 and 5.2 here).
 * - 2.2.1, 2.2.2, 4.14.2 in part: there are no sender-constrained tokens; refresh tokens rotate instead.
 * - 2.6, 4.13 (TLS, headers of a proxy): the operator's proxy; `X-Forwarded-*` count only with `TRUST_PROXY`.
 * - 4.4.2, 4.5.3, 4.7.1 in part: what applications must check.
 * - 4.9, 4.10: there is one resource server, which is this one.
 * - 4.15: no access token stands for an application itself.
 * - 4.17: no response is sent by window messages.
 */
import { createOAuthApp } from '@dealkeep/core/accounts';
import { ManualClock, startDealkeep } from '@dealkeep/testing';
import { describe, expect, test } from 'vitest';
import { ask, consentingOwner } from './authorization-page.ts';
import { redirectUri, registerApp } from './connected-app.ts';

const clock = new ManualClock();
const dealkeep = await startDealkeep({ worker: false, clock });
const { core } = dealkeep;
const organization = await dealkeep.createOrganization();
const app = await registerApp(dealkeep);
const owner = await consentingOwner(dealkeep, organization);
const works = async (token = '') => (await dealkeep.as(token).get('/leads')).status === 200;

describe('2.1, 4.1.3: redirect addresses are compared to the letter', () => {
  test.each([
    'http://app.example/back',
    'ftp://app.example/',
    'https://user:x@app.example/',
    'https://app.example/*x y',
  ])('%s cannot be registered', async (uri) => {
    const made = createOAuthApp(core, { name: 'x', redirectUris: [uri], scopes: ['leads:read'] });
    await expect(made).rejects.toThrow(/^redirect_uri takes /);
  });

  test('a registered pattern is no pattern', async () => {
    const wild = await registerApp(dealkeep, { redirectUris: ['https://*.app.example/*'] });
    const { parameters } = await wild.request({ redirect_uri: 'https://evil.app.example/x' });
    expect((await ask(dealkeep, parameters)).location).toBeUndefined();
  });

  test.each([
    ['http://127.0.0.1:53124/cb', true],
    ['http://127.0.0.1/cb', true],
    ['http://[::1]:53124/cb', true],
    ['http://127.0.0.1:53124/other', false],
    ['http://127.0.0.1:53124/cb?x=1', false],
    ['http://127.0.0.1:53124/cb#x', false],
    ['https://127.0.0.1:53124/cb', false],
    ['http://localhost:53124/cb', false],
    ['http://127.0.0.2:53124/cb', false],
    ['http://127.1:53124/cb', false],
    ['http://0x7f000001:53124/cb', false],
    ['http://user@127.0.0.1:53124/cb', false],
    ['http://127.0.0.1:53124@evil.example/cb', false],
    ['http://127.0.0.1.evil.example:53124/cb', false],
    ['http://evil.example//127.0.0.1:53124/cb', false],
    ['http://127.0.0.1:99999/cb', false],
  ])(
    'the port of a loopback address is free, and nothing else (RFC 8252, 7.3): %s %s (rule oauth 2)',
    async (uri, taken) => {
      const native = await registerApp(dealkeep, {
        redirectUris: ['http://127.0.0.1:4000/cb', 'http://[::1]/cb'],
      });
      const { parameters } = await native.request({ redirect_uri: uri });
      const page = await owner.open(parameters);
      expect(page.status).toBe(taken ? 200 : 400);
      if (!taken) return;
      const { location } = await owner.decide(page, 'allow');
      expect(location?.startsWith(`${uri}?code=`)).toBe(true);
    },
  );
});

describe('2.1, 4.11: the authorization endpoint is no open redirector', () => {
  test('what is wrong with the application or its address is told to the person, not to an address', async () => {
    for (const changes of [{ client_id: 'x' }, { redirect_uri: 'https://evil.example/' }]) {
      const { parameters } = await app.request(changes);
      const { status, location, html } = await ask(dealkeep, parameters);
      expect([status, location]).toEqual([400, undefined]);
      expect(html).toContain('<h1>This connection cannot be made</h1>');
    }
  });

  test('an error leads nowhere but to the registered address', async () => {
    const { parameters } = await app.request({ scope: 'unknown' });
    expect((await owner.open(parameters)).location?.startsWith(`${redirectUri}?`)).toBe(true);
  });
});

describe('2.1.1, 4.8: PKCE cannot be left out or downgraded', () => {
  test('a code is not redeemed as if its request had held no challenge', async () => {
    const { form } = await app.grant(organization);
    expect((await app.post({ ...form, code_verifier: '' })).status).toBe(400);
    const { parameters } = await app.request({ code_challenge: '', code_challenge_method: '' });
    expect((await owner.open(parameters)).said.get('error')).toBe('invalid_request');
  });

  test('the metadata say so', () => {
    expect(app.server.code_challenge_methods_supported).toEqual(['S256']);
  });

  test('a code that was injected into the session of somebody else is not redeemed (4.5)', async () => {
    const [victim, attacker] = [await app.grant(organization), await app.grant(organization)];
    const injected = { ...attacker.form, code: victim.code };
    expect((await app.post(injected)).body.error).toBe('invalid_grant');
  });
});

describe('2.2.2, 4.14.2: refresh tokens', () => {
  test('are rotated; one that comes again after the grace ends the grant', async () => {
    const first = await app.connect(organization);
    const refresh = (refresh_token = '') => app.post({ grant_type: 'refresh_token', refresh_token });
    const second = (await refresh(first.refresh_token)).body;
    clock.advance(60_001);
    expect((await refresh(first.refresh_token)).body.error).toBe('invalid_grant');
    expect(await works(second.access_token)).toBe(false);
    expect((await refresh(second.refresh_token)).body.error).toBe('invalid_grant');
  });

  test('stay within the scope that the person agreed to', async () => {
    const tokens = await app.connect(organization, { scopes: ['leads:read'] });
    const form = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token };
    expect((await app.post({ ...form, scope: 'leads:read leads:write' })).body.error).toBe('invalid_scope');
  });

  test('expire when the application is not used', async () => {
    const tokens = await app.connect(organization);
    await dealkeep.sql`update oauth_connections set last_used_at = last_used_at - interval '180 days 1 second'`;
    const form = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token };
    expect((await app.post(form)).body.error).toBe('invalid_grant');
  });
});

describe('4.2, 4.3.2: codes and tokens leak through no page and no address', () => {
  test('no page of the consent is kept or told to another site', async () => {
    const { parameters } = await app.request();
    const page = await owner.open(parameters);
    const allowed = await owner.decide(page, 'allow');
    for (const { headers } of [await ask(dealkeep, parameters), page, allowed]) {
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('referrer-policy')).toBe('same-origin');
    }
  });

  test('the page loads nothing from elsewhere', async () => {
    const { parameters } = await app.request();
    const { html } = await owner.open(parameters);
    expect([...html.matchAll(/(?:src|href)="([^"]*)"/g)].filter(([, to]) => !/^[/?]/.test(to ?? ''))).toEqual(
      [],
    );
  });

  test('a token in the address is none, and no code is redeemed by GET', async () => {
    const tokens = await app.connect(organization);
    const query = new URLSearchParams({ access_token: tokens.access_token });
    const answer = await fetch(`${dealkeep.baseUrl}/leads?${query}`);
    expect(answer.status).toBe(401);
  });
});

test('4.12: redirects are 303, so that no browser repeats a form elsewhere', async () => {
  const { parameters } = await app.request();
  const page = await owner.open(parameters);
  expect((await owner.decide(page, 'allow')).status).toBe(303);
  expect((await owner.decide(page, 'deny')).status).toBe(303);
  const { parameters: bad } = await app.request({ scope: 'unknown' });
  expect((await owner.open(bad)).status).toBe(303);
});

test('2.6: no other site may call the authorization endpoint by script', async () => {
  const { parameters } = await app.request();
  const from = { Origin: 'https://app.example' };
  const { headers } = await ask(dealkeep, parameters, { headers: from });
  expect(headers.get('access-control-allow-origin')).toBeNull();
  const asked = { ...from, 'Access-Control-Request-Method': 'GET' };
  const preflight = await ask(dealkeep, parameters, { method: 'OPTIONS', headers: asked });
  expect(preflight.headers.get('access-control-allow-origin')).toBeNull();
});

test('4.16: the consent page cannot be framed, with any browser', async () => {
  const { parameters } = await app.request();
  const { headers } = await owner.open(parameters);
  expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
  expect(headers.get('x-frame-options')).toBe('DENY');
});
