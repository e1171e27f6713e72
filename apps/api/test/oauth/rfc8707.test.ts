/**
 * Each MUST of RFC 8707 (resource indicators) that applies to this server, by section, and what MCP demands of
 * audiences.
 */
import { mcpAddresses } from '@dealkeep/contract';
import { listConnections } from '@dealkeep/core/accounts';
import { sharedDealkeep } from '@dealkeep/testing';
import * as oauth from 'oauth4webapi';
import { describe, expect, test } from 'vitest';
import { consentingOwner } from './authorization-page.ts';
import { redirectUri, registerApp } from './connected-app.ts';

const dealkeep = await sharedDealkeep();
const { core } = dealkeep;
const organization = await dealkeep.createOrganization();
const app = await registerApp(dealkeep);
const owner = await consentingOwner(dealkeep, organization);
const api = `${core.origin}/api/v1/public`;
const mcp = `${core.origin}/mcp`;

/** Connects with these resources in the authorization request; answers the tokens. */
async function connectFor(...resources: string[]) {
  const { parameters, verifier } = await app.request();
  for (const resource of resources) parameters.append('resource', resource);
  const sentTo = await app.allow(parameters, { id: organization.ownerId, organization: organization.id });
  const code = new URL(sentTo).searchParams.get('code') ?? '';
  return {
    grant_type: 'authorization_code',
    code,
    code_verifier: verifier,
    redirect_uri: redirectUri,
  } as const;
}

const tokensFor = async (...resources: string[]) => (await app.post(await connectFor(...resources))).body;

/** What the API says to a token, and what the assistants' addresses would. */
async function reach(token: string | undefined) {
  const { outcome } = await dealkeep.as(token).get('/me');
  const caller = { authorization: `Bearer ${token}`, userAgent: undefined };
  const found = await core.credentials.find(caller, 'mcp').then(
    () => 'found',
    (error: Error) => Object(error).key,
  );
  return { api: outcome, mcp: found };
}

const refusedByApi = { api: '401 UNAUTHORIZED', mcp: 'found' };
const refusedByMcp = { api: '200', mcp: 'credential.resource' };

describe('2: the resource of a token', () => {
  test('a token that was asked for without a resource is for the API alone (rule oauth 20)', async () => {
    expect(await reach((await tokensFor()).access_token)).toEqual(refusedByMcp);
    expect(await reach((await tokensFor(api)).access_token)).toEqual(refusedByMcp);
  });

  test.each(mcpAddresses)('a token for %s is of no use to the API', async (address) => {
    expect(await reach((await tokensFor(core.origin + address)).access_token)).toEqual(refusedByApi);
  });

  test('scheme and host are compared without regard to case, a slash at the end is forgiven', async () => {
    const { access_token: token } = await tokensFor(
      `${mcp.replace('http://localhost', 'HTTP://LOCALHOST')}/`,
    );
    expect(await reach(token)).toEqual(refusedByApi);
  });

  test('several resources give a token for all of them (rule oauth 20)', async () => {
    const { access_token: token } = await tokensFor(api, mcp);
    expect(await reach(token)).toEqual({ api: '200', mcp: 'found' });
  });

  test('a key is for both', async () => {
    expect(await reach(organization.key)).toEqual({ api: '200', mcp: 'found' });
  });

  test('a token of another resource is refused with invalid_token and in words', async () => {
    const { access_token: token } = await tokensFor(mcp);
    const answer = await dealkeep.as(token).get('/leads');
    expect(answer.headers.get('www-authenticate')).toBe(
      `Bearer error="invalid_token", resource_metadata="${core.origin}/.well-known/oauth-protected-resource/api/v1/public"`,
    );
    expect(Object(answer.json).error.message).toContain('This access token is for another address');
  });
});

const foreign = [
  'https://other.example/mcp',
  `${core.origin}/mcp/unknown`,
  `${core.origin}/mcp/readonly/sales`,
  `${core.origin}/mcp/../mcp#part`,
  `${core.origin}/mcp?set=sales`,
  `${core.origin}.evil.example/mcp`,
  'http://user@localhost:3000/mcp',
  core.origin,
  'mcp',
  'javascript:alert(1)',
];

describe('2: invalid_target', () => {
  test.each(foreign)(
    '%s is refused at the authorization endpoint, before the person is asked',
    async (resource) => {
      const { parameters, state } = await app.request({ resource });
      const { status, location = '', said } = await owner.open(parameters);
      expect([status, said.get('error'), said.get('state')]).toEqual([303, 'invalid_target', state]);
      expect(location.startsWith(redirectUri)).toBe(true);
    },
  );

  test.each(foreign)(
    '%s is refused at the token endpoint, and the code is not spent (rule oauth 20)',
    async (resource) => {
      const form = await connectFor(mcp);
      const refused = await app.post({ ...form, resource });
      expect([refused.status, refused.body.error]).toEqual([400, 'invalid_target']);
      expect((await app.post({ ...form, resource: mcp })).status).toBe(200);
    },
  );

  test('one unknown resource among known ones is refused', async () => {
    const { parameters } = await app.request({ resource: mcp });
    parameters.append('resource', 'https://other.example/');
    expect((await owner.open(parameters)).said.get('error')).toBe('invalid_target');
  });
});

describe('2.2: the token endpoint gives what was agreed to, or less', () => {
  test('a code for one resource gives no token for another', async () => {
    const refused = await app.post({ ...(await connectFor(api)), resource: mcp });
    expect(refused.body).toMatchObject({ error: 'invalid_target' });
    const without = await app.post({ ...(await connectFor()), resource: mcp });
    expect(without.body).toMatchObject({ error: 'invalid_target' });
  });

  test('a refresh token stays with its resource', async () => {
    const tokens = await tokensFor(mcp);
    const refresh = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token ?? '' };
    expect((await app.post({ ...refresh, resource: api })).body).toMatchObject({ error: 'invalid_target' });
    const next = await app.post({ ...refresh, resource: `${mcp}/sales` });
    expect(await reach(next.body.access_token)).toEqual(refusedByApi);
    const last = await app.post({ ...refresh, refresh_token: next.body.refresh_token ?? '' });
    expect(await reach(last.body.access_token)).toEqual(refusedByApi);
  });

  test('an access token can be for fewer resources than its connection', async () => {
    const first = (await app.post({ ...(await connectFor(api, mcp)), resource: mcp })).body;
    expect(await reach(first.access_token)).toEqual(refusedByApi);
    const refresh = { grant_type: 'refresh_token', refresh_token: first.refresh_token ?? '' };
    expect(await reach((await app.post({ ...refresh, resource: api })).body.access_token)).toEqual(
      refusedByMcp,
    );
  });
});

test('what the person sees and allows is what is bound, though the form carries the request', async () => {
  const own = await dealkeep.createOrganization();
  const person = await consentingOwner(dealkeep, own);
  const { parameters, verifier } = await app.request({ resource: mcp });
  const { said } = await person.decide(await person.open(parameters), 'allow');
  const answer = await app.post({
    grant_type: 'authorization_code',
    code: said.get('code') ?? '',
    code_verifier: verifier,
    redirect_uri: redirectUri,
  });
  expect(await reach(answer.body.access_token)).toEqual(refusedByApi);
  expect(await listConnections(core.sql, { organization: own.id })).toHaveLength(1);
});

describe('RFC 9728, 3.1 and 3.3: every address of the assistants describes itself (rule oauth 21)', () => {
  test.each(mcpAddresses)('%s', async (address) => {
    const resource = new URL(core.origin + address);
    const response = await oauth.resourceDiscoveryRequest(resource, app.options);
    const found = await oauth.processResourceDiscoveryResponse(resource, response);
    expect(found).toMatchObject({ resource: resource.href, authorization_servers: [core.origin] });
  });

  test('any web page may read it', async () => {
    const path = '/.well-known/oauth-protected-resource/mcp/sales';
    const response = await fetch(dealkeep.origin + path, { headers: { Origin: 'https://any.example' } });
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
  });

  test('one for reading asks for nothing that writes', async () => {
    const scopesOf = async (address: string): Promise<string[]> => {
      const response = await fetch(`${dealkeep.origin}/.well-known/oauth-protected-resource${address}`);
      return Object(await response.json()).scopes_supported;
    };
    expect(await scopesOf('/mcp/sales')).toContain('leads:write');
    const reading = await scopesOf('/mcp/sales/readonly');
    expect(reading).toContain('leads:read');
    expect(reading.filter((scope) => !scope.endsWith(':read'))).toEqual([]);
  });

  test('an address that is none is not described', async () => {
    const response = await fetch(`${dealkeep.origin}/.well-known/oauth-protected-resource/mcp/unknown`);
    expect(response.status).toBe(404);
  });
});
