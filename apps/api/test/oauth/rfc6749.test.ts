/**
 * Each MUST and MUST NOT of RFC 6749 that applies to this server, by section. Those that do not:
 * - 2.1, 2.4, 3.1.2.2: public and unregistered clients; there are none, an operator registers every application.
 * - 3.1, 3.2, 3.1.2.1, 10.8, 10.9, 10.11 (TLS): ended in front of this process, by the proxy of the operator.
 * - 3.1.2.5, 10.15 in part: the page behind the redirect address is the application's.
 * - 4.2, 4.3, 4.4, 10.7, 10.16 (implicit, password and client credentials grants): not offered, see 3.1.1 and 5.2
 *   here.
 * - 8: no extensions are registered.
 */
import { createOAuthApp } from '@dealkeep/core/accounts';
import { OperatorError } from '@dealkeep/core/foundations';
import { ManualClock, startDealkeep } from '@dealkeep/testing';
import { describe, expect, test } from 'vitest';
import { ask, consentingOwner } from './authorization-page.ts';
import { redirectUri, registerApp } from './connected-app.ts';

const clock = new ManualClock();
const dealkeep = await startDealkeep({ worker: false, clock });
const { core, sql } = dealkeep;
const organization = await dealkeep.createOrganization();
const app = await registerApp(dealkeep);
const other = await registerApp(dealkeep);
const owner = await consentingOwner(dealkeep, organization);

const works = async (token = '') => (await dealkeep.as(token).get('/leads')).status === 200;
const endpoint = `${dealkeep.origin}/oauth/token`;
const basic = (id: string, secret: string) =>
  `Basic ${Buffer.from(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`).toString('base64')}`;
const ownBasic = basic(app.client.client_id, app.secret);

/** A form for the token endpoint with exactly these parameters and headers. */
async function token(
  form: Readonly<Record<string, string>> | string,
  headers: Record<string, string> = {},
  address = endpoint,
) {
  const response = await fetch(address, {
    method: 'POST',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded', ...headers },
    body: String(new URLSearchParams(form)),
  });
  return { status: response.status, headers: response.headers, body: JSON.parse(await response.text()) };
}

describe('2 Client Registration', () => {
  test('2.3: a client_id alone authenticates nobody', async () => {
    const { form } = await app.grant(organization);
    const answer = await token({ ...form, client_id: app.client.client_id });
    expect([answer.status, answer.body.error]).toEqual([401, 'invalid_client']);
  });

  test('2.3: two authentication methods in one request are refused (rule oauth 9)', async () => {
    const { form } = await app.grant(organization);
    const both = { ...form, client_id: app.client.client_id, client_secret: app.secret };
    const answer = await token(both, { Authorization: ownBasic });
    expect([answer.status, answer.body.error]).toEqual([400, 'invalid_request']);
  });

  test('2.3.1: HTTP Basic is supported, its parts form-encoded', async () => {
    const { form } = await app.grant(organization);
    const escaped = app.client.client_id.replace('_', '%5F');
    const authorization = `Basic ${Buffer.from(`${escaped}:${app.secret}`).toString('base64')}`;
    expect((await token(form, { Authorization: authorization })).status).toBe(200);
  });

  test('2.3.1: credentials in the address of the request are not read', async () => {
    const { form } = await app.grant(organization);
    const query = new URLSearchParams({ client_id: app.client.client_id, client_secret: app.secret });
    const answer = await token(form, {}, `${endpoint}?${query}`);
    expect([answer.status, answer.body.error]).toEqual([401, 'invalid_client']);
  });
});

describe('3.1 Authorization Endpoint', () => {
  test('3.1: the person is identified first', async () => {
    const { parameters } = await app.request();
    const asked = await ask(dealkeep, parameters);
    expect([asked.status, asked.location]).toEqual([
      303,
      `/sign-in?${new URLSearchParams({ back: `/oauth/authorize?${parameters}` })}`,
    ]);
  });

  test.each(['authorization_endpoint', 'token_endpoint'] as const)(
    '3.1, 3.2: the %s has no fragment',
    (name) => {
      expect(app.server[name]).not.toContain('#');
    },
  );

  test('3.1: a parameter without a value counts as left out', async () => {
    const { parameters } = await app.request({ state: '', scope: '', response_type: '' });
    const { said } = await owner.open(parameters);
    expect([said.get('error'), said.has('state')]).toEqual(['invalid_request', false]);
    const { parameters: without } = await app.request({ state: '', scope: '', redirect_uri: '' });
    const allowed = await owner.decide(await owner.open(without), 'allow');
    expect(allowed.location?.startsWith(`${redirectUri}?`)).toBe(true);
    expect([allowed.said.has('code'), allowed.said.has('state')]).toEqual([true, false]);
  });

  test('3.1: an unknown parameter is ignored, also when it is repeated', async () => {
    const { parameters } = await app.request({ 'strange"': 'x' });
    parameters.append('audience', 'https://one.example');
    parameters.append('audience', 'https://two.example');
    expect((await owner.open(parameters)).status).toBe(200);
  });

  test.each(['response_type', 'scope', 'state', 'code_challenge', 'code_challenge_method'])(
    '3.1: %s is not taken twice',
    async (name) => {
      const { parameters } = await app.request({ scope: 'leads:read' });
      parameters.append(name, 'leads:read');
      const { said } = await owner.open(parameters);
      expect([said.get('error'), said.get('error_description')]).toEqual([
        'invalid_request',
        `The parameter ${name} is given more than once`,
      ]);
    },
  );

  test.each(['client_id', 'redirect_uri'])('3.1: %s twice sends nobody anywhere', async (name) => {
    const { parameters } = await app.request();
    parameters.append(name, 'https://evil.example');
    const answer = await ask(dealkeep, parameters);
    expect([answer.status, answer.location]).toEqual([400, undefined]);
    expect(answer.html).toContain('sent one thing twice');
  });

  test.each([
    ['', 'invalid_request'],
    ['token', 'unsupported_response_type'],
    ['code token', 'unsupported_response_type'],
    ['CODE', 'unsupported_response_type'],
  ])('3.1.1: the response_type %j is answered with %s', async (type, error) => {
    const { parameters } = await app.request({ response_type: type });
    expect((await owner.open(parameters)).said.get('error')).toBe(error);
  });

  test.each(['/callback', 'app.example/callback', 'https://app.example/callback#part', 'com.app:/callback'])(
    '3.1.2: the redirect address %s cannot be registered: it is to be absolute, without a fragment (rule oauth 2)',
    async (uri) => {
      const made = createOAuthApp(core, { name: 'x', redirectUris: [uri], scopes: ['leads:read'] });
      await expect(made).rejects.toThrow(OperatorError);
    },
  );

  test('3.1.2: a query of the redirect address is kept', async () => {
    const address = 'https://app.example/back?tenant=7&x=%20';
    const one = await registerApp(dealkeep, { redirectUris: [address] });
    const { parameters } = await one.request({ redirect_uri: address });
    const { location } = await owner.decide(await owner.open(parameters), 'allow');
    expect(location?.startsWith(`${address}&code=`)).toBe(true);
  });

  test('3.1.2.3: with several addresses registered, the request names one; with one, it may leave it out (rule oauth 2)', async () => {
    const several = await registerApp(dealkeep, { redirectUris: [redirectUri, `${redirectUri}/2`] });
    const { parameters } = await several.request({ redirect_uri: '' });
    expect((await ask(dealkeep, parameters)).status).toBe(400);
    const { parameters: single } = await app.request({ redirect_uri: '' });
    expect((await owner.open(single)).status).toBe(200);
  });

  test.each([
    `${redirectUri}/`,
    `${redirectUri}?x=1`,
    `${redirectUri}#x`,
    redirectUri.toUpperCase(),
    redirectUri.replace('app.', 'app.app.'),
    redirectUri.replace('https', 'http'),
    redirectUri.replace('/callback', '/x/../callback'),
    redirectUri.replace('/callback', '/%63allback'),
    redirectUri.replace('//', '//user@'),
    `${redirectUri}\\@evil.example`,
    `${redirectUri}\0`,
    'javascript:alert(1)',
    '//evil.example',
  ])(
    '3.1.2.3, 3.1.2.4: %j is none of the registered addresses; nobody is sent there, a page says why (rule oauth 6)',
    async (uri) => {
      const { parameters } = await app.request({ redirect_uri: uri });
      for (const answer of [await ask(dealkeep, parameters), await owner.open(parameters)]) {
        expect([answer.status, answer.location]).toEqual([400, undefined]);
        expect(answer.html).toContain('an address that it has not registered');
      }
    },
  );
});

describe('3.2 Token Endpoint', () => {
  test.each(['GET', 'PUT', 'DELETE', 'PATCH'])('3.2: %s is refused (rule oauth 14)', async (method) => {
    const { form } = await app.grant(organization);
    const all = new URLSearchParams({ ...form, client_id: app.client.client_id, client_secret: app.secret });
    const answer = await fetch(`${endpoint}?${all}`, { method });
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST']);
  });

  test('3.2: a parameter without a value counts as left out', async () => {
    const { form } = await app.grant(organization);
    const answer = await token(
      { ...form, client_id: '', client_secret: '', scope: '' },
      { Authorization: ownBasic },
    );
    expect(answer.status).toBe(200);
    const missing = await token({ ...form, code: '' }, { Authorization: ownBasic });
    expect(missing.body.error_description).toBe('The parameter code is missing');
  });

  test('3.2: an unknown parameter is ignored, also when it is repeated; a known one is not taken twice (rule oauth 9)', async () => {
    const { form } = await app.grant(organization);
    const unknown = `${new URLSearchParams(form)}&audience=a&audience=b`;
    expect((await token(unknown, { Authorization: ownBasic })).status).toBe(200);
    const { form: again } = await app.grant(organization);
    const twice = `${new URLSearchParams(again)}&code=other`;
    const answer = await token(twice, { Authorization: ownBasic });
    expect([answer.status, answer.body.error]).toEqual([400, 'invalid_request']);
  });

  test.each([
    ['an unknown client_id', { client_id: 'dkapp_unknown' }],
    ['a client_id with a NUL', { client_id: 'dkapp_\0' }],
    ['a wrong secret', { client_secret: 'dk_ocs_wrong' }],
    ['the secret of another application', { client_secret: other.secret }],
  ])('3.2.1: applications authenticate: %s is refused', async (_what, wrong) => {
    const { form } = await app.grant(organization);
    const own = { client_id: app.client.client_id, client_secret: app.secret };
    const answer = await token({ ...form, ...own, ...wrong });
    expect([answer.status, answer.body.error]).toEqual([401, 'invalid_client']);
    expect((await token({ ...form, ...own })).status).toBe(200);
  });
});

describe('3.3 Access Token Scope', () => {
  test('3.3: without a scope all that the application may have is asked for, and told (rule oauth 3)', async () => {
    const { form } = await app.grant(organization);
    expect((await app.post(form)).body).toMatchObject({ scope: 'leads:read leads:write webhooks:manage' });
  });

  test.each([[[]], [['products:read']], [['leads:read', 'nonsense']]])(
    '3.3: an application cannot be registered with the scopes %j',
    async (scopes) => {
      const made = createOAuthApp(core, { name: 'x', redirectUris: [redirectUri], scopes });
      await expect(made).rejects.toThrow(OperatorError);
    },
  );

  test.each(['Leads:Read', 'leads:read,leads:write', 'tasks:read', 'leads:read products:read'])(
    '3.3: the scope %j is refused: exact, separated by spaces, within what was registered (rule oauth 3)',
    async (scope) => {
      const { parameters } = await app.request({ scope });
      expect((await owner.open(parameters)).said.get('error')).toBe('invalid_scope');
    },
  );
});

describe('4.1 Authorization Code Grant', () => {
  test.each(['plain', 'a b+c&d=e#f%20"<>\\ď😀\r\nLocation: https://evil.example'])(
    '4.1.2, 4.1.2.1: the state %j comes back as it was, with a code and with an error',
    async (state) => {
      const { parameters } = await app.request({ state });
      const page = await owner.open(parameters);
      for (const decision of ['allow', 'deny'] as const) {
        const answer = await owner.decide(page, decision);
        expect(answer.said.get('state')).toBe(state);
        expect(answer.headers.get('location')).not.toMatch(/[\r\n]/);
      }
    },
  );

  test('4.1.2: a code is refused after its minute (rule oauth 8)', async () => {
    const { form } = await app.grant(organization);
    clock.advance(60_000);
    expect((await app.post(form)).body.error).toBe('invalid_grant');
  });

  test('4.1.2: a code that is used again is refused, and what came of it is revoked (rule oauth 8)', async () => {
    const { form } = await app.grant(organization);
    const first = (await app.post(form)).body;
    expect((await app.post(form)).body.error).toBe('invalid_grant');
    expect(await works(first.access_token)).toBe(false);
    const refresh = { grant_type: 'refresh_token', refresh_token: first.refresh_token ?? '' };
    expect((await app.post(refresh)).body.error).toBe('invalid_grant');
  });

  test('4.1.2.1: nobody is sent back to an application that is not known', async () => {
    for (const client_id of ['', 'dkapp_unknown', 'dkapp_\0', "' or 1=1"]) {
      const { parameters } = await app.request({ client_id });
      const answer = await ask(dealkeep, parameters);
      expect([answer.status, answer.location]).toEqual([400, undefined]);
      expect(answer.html).toContain('is not registered with this service');
    }
  });

  test.each([
    { scope: 'x"y\\z\r\nď' },
    { response_type: '"\\' },
    { code_challenge: 'ď"' },
    { code_challenge_method: '"' },
  ])('4.1.2.1, 5.2: a description holds no other characters than it may: %j', async (changes) => {
    const { parameters } = await app.request(changes);
    expect((await owner.open(parameters)).said.get('error_description')).toMatch(
      /^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/,
    );
  });

  test('4.1.3: a code belongs to the application that it was given to', async () => {
    const { form } = await app.grant(organization);
    expect((await other.post(form)).body.error).toBe('invalid_grant');
    expect((await app.post(form)).status).toBe(200);
  });

  test.each([
    ['another address', { redirect_uri: `${redirectUri}/2` }],
    ['none, though one was given', { redirect_uri: '' }],
  ])('4.1.3: a code is not redeemed with %s', async (_what, changes) => {
    const { form } = await app.grant(organization);
    const answer = await app.post({ ...form, ...changes });
    expect([answer.status, answer.body.error]).toEqual([400, 'invalid_grant']);
  });

  test('4.1.3: without an address only where none was given', async () => {
    const { form } = await app.grant(organization, { redirect_uri: '' });
    expect((await app.post(form)).status).toBe(200);
  });
});

describe('5 Issuing an Access Token', () => {
  test('5.1: tokens come as JSON that nobody keeps (rules oauth 10 and 14)', async () => {
    const { form } = await app.grant(organization);
    const { status, headers, body } = await token(form, { Authorization: ownBasic });
    expect(status).toBe(200);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('pragma')).toBe('no-cache');
    expect(headers.get('content-type')).toMatch(/^application\/json/);
    expect(body).toEqual({
      access_token: expect.stringMatching(/^dk_oat_/),
      token_type: 'Bearer',
      expires_in: 3600,
      refresh_token: expect.stringMatching(/^dk_ort_/),
      scope: 'leads:read leads:write webhooks:manage',
    });
  });

  test.each([
    'Basic',
    'Basic ',
    'Basic !!!',
    `Basic ${Buffer.from('x').toString('base64')}`,
    'Bearer x',
    ownBasic.slice(0, -8),
  ])(
    '5.2: failed authentication by header is 401 with a challenge: %s (rule oauth 14)',
    async (authorization) => {
      const { form } = await app.grant(organization);
      const answer = await token(form, { Authorization: authorization });
      expect([answer.status, answer.body.error]).toEqual([401, 'invalid_client']);
      expect(answer.headers.get('www-authenticate')).toMatch(/^Basic realm="/);
      expect(answer.headers.get('cache-control')).toBe('no-store');
    },
  );

  test.each([
    [{ grant_type: '' }, 'invalid_request'],
    [{ grant_type: 'password', username: 'x', password: 'x' }, 'unsupported_grant_type'],
    [{ grant_type: 'client_credentials' }, 'unsupported_grant_type'],
    [{ code: 'dk_oac_unknown' }, 'invalid_grant'],
    [{ grant_type: 'refresh_token', refresh_token: 'dk_ort_unknown' }, 'invalid_grant'],
    [{ grant_type: 'refresh_token' }, 'invalid_request'],
  ])('5.2: %j is answered 400 as JSON that nobody keeps: %s', async (changes, error) => {
    const { form } = await app.grant(organization);
    const answer = await token({ ...form, ...changes }, { Authorization: ownBasic });
    expect([answer.status, answer.body.error]).toEqual([400, error]);
    expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
    expect(answer.headers.get('cache-control')).toBe('no-store');
  });
});

describe('6 Refreshing an Access Token', () => {
  test('6, 10.4: a refresh token belongs to the application that it was given to', async () => {
    const tokens = await app.connect(organization);
    const form = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token };
    expect((await other.post(form)).body.error).toBe('invalid_grant');
    expect((await app.post(form)).status).toBe(200);
  });

  test('6: applications authenticate to refresh', async () => {
    const tokens = await app.connect(organization);
    const form = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token };
    expect((await token({ ...form, client_id: app.client.client_id })).status).toBe(401);
  });

  test('6: a scope that was not granted is refused; a narrowed refresh narrows the access token alone (rule oauth 11)', async () => {
    const tokens = await app.connect(organization, { scopes: ['leads:read', 'webhooks:manage'] });
    const refresh = (refresh_token = '', scope = '') =>
      app.post({ grant_type: 'refresh_token', refresh_token, scope });
    expect((await refresh(tokens.refresh_token, 'leads:write')).body.error).toBe('invalid_scope');
    const narrowed = await refresh(tokens.refresh_token, 'leads:read');
    expect(narrowed.body).toMatchObject({ scope: 'leads:read' });
    const whole = await refresh(narrowed.body.refresh_token);
    expect(whole.body).toMatchObject({ scope: 'leads:read webhooks:manage' });
  });
});

describe('10 Security Considerations', () => {
  test('10.2: a request is never allowed by itself, however often it was before', async () => {
    const { parameters } = await app.request();
    await owner.decide(await owner.open(parameters), 'allow');
    const again = await owner.open(parameters);
    expect([again.status, again.location]).toEqual([200, undefined]);
  });

  test('10.3, 10.10: tokens and codes hold 256 random bits, and only their hashes are stored', async () => {
    const { code } = await app.grant(organization);
    const tokens = await app.connect(organization);
    for (const secret of [code, tokens.access_token, tokens.refresh_token, app.secret]) {
      expect(secret).toMatch(/^dk_[a-z]+_[0-9A-Za-z]{43}$/);
    }
    for (const table of ['oauth_apps', 'oauth_codes', 'oauth_access_tokens', 'oauth_refresh_tokens']) {
      const rows = await sql`select t::text as row from ${sql(table)} t`;
      const stored = rows.map(({ row }) => row).join('\n');
      for (const secret of [code, tokens.access_token, tokens.refresh_token, app.secret]) {
        expect(stored).not.toContain(secret.slice(7));
      }
    }
  });

  test.each([
    ['without the token of the session', {}],
    ['with a wrong one', { csrf_token: 'x' }],
  ])('10.12: consent that another site sends %s is none', async (_what, fields) => {
    const { parameters } = await app.request();
    const before = await sql`select 1 from oauth_codes`;
    const answer = await owner.forge({ decision: 'allow', request: String(parameters), ...fields });
    expect([answer.status, answer.location]).toEqual([403, undefined]);
    expect(await sql`select 1 from oauth_codes`).toHaveLength(before.length);
  });

  test('10.13: the consent page stands in no frame', async () => {
    const { parameters } = await app.request();
    const { headers } = await owner.open(parameters);
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(headers.get('x-frame-options')).toBe('DENY');
  });

  test('10.14: what a request brings never becomes markup', async () => {
    const script = '"><script>alert(1)</script>';
    const { parameters } = await app.request({ state: script, unknown: script });
    expect((await owner.open(parameters)).html).not.toContain('<script>alert');
    const { parameters: bad } = await app.request({ client_id: script, redirect_uri: script });
    expect((await ask(dealkeep, bad)).html).not.toContain('<script>alert');
  });
});
