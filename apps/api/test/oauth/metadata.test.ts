/**
 * What RFC 8414 (authorization server metadata), RFC 9728 (protected resource metadata) and RFC 6750 (bearer tokens)
 * demand.
 */
import { ManualClock, startDealkeep } from '@dealkeep/testing';
import * as oauth from 'oauth4webapi';
import { describe, expect, test } from 'vitest';
import { registerApp } from './connected-app.ts';

const clock = new ManualClock();
const dealkeep = await startDealkeep({ worker: false, clock });
const { core, origin } = dealkeep;
const organization = await dealkeep.createOrganization();
const app = await registerApp(dealkeep, { scopes: ['leads:read', 'webhooks:manage'] });
const metadata = `resource_metadata="${core.origin}/.well-known/oauth-protected-resource/api/v1/public"`;

const documentAt = async (path: string) => {
  const response = await fetch(`${origin}${path}`, { headers: { Origin: 'https://any.example' } });
  const body: Record<string, unknown> = JSON.parse(await response.text());
  return { status: response.status, headers: response.headers, body };
};

test('RFC 8414, 2 and 3: the authorization server describes itself (rule oauth 4)', async () => {
  const { status, headers, body } = await documentAt('/.well-known/oauth-authorization-server');
  expect([status, headers.get('content-type')]).toEqual([200, 'application/json']);
  expect(headers.get('access-control-allow-origin')).toBe('*');
  expect(body).toMatchObject({
    issuer: core.origin,
    authorization_endpoint: `${core.origin}/oauth/authorize`,
    token_endpoint: `${core.origin}/oauth/token`,
    revocation_endpoint: `${core.origin}/oauth/revoke`,
    response_types_supported: ['code'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'none'],
    revocation_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'none'],
    client_id_metadata_document_supported: true,
    code_challenge_methods_supported: ['S256'],
  });
  expect(body).not.toHaveProperty('registration_endpoint');
  expect(body['scopes_supported']).not.toContain('products:read');
  expect(Object.values(body)).not.toContainEqual([]);
});

test('RFC 9728, 2 and 3.3: the resource describes itself, at the address that its own is inserted into (rule oauth 4)', async () => {
  const { status, headers, body } = await documentAt('/.well-known/oauth-protected-resource/api/v1/public');
  expect([status, headers.get('content-type')]).toEqual([200, 'application/json']);
  expect(body).toMatchObject({
    resource: `${core.origin}/api/v1/public`,
    authorization_servers: [core.origin],
    bearer_methods_supported: ['header'],
  });
});

test('RFC 9728, 3: an application finds the authorization server from the resource', async () => {
  const resource = new URL(`${core.origin}/api/v1/public`);
  const found = await oauth.processResourceDiscoveryResponse(
    resource,
    await oauth.resourceDiscoveryRequest(resource, app.options),
  );
  expect(found.authorization_servers).toEqual([app.server.issuer]);
});

describe('RFC 6750, 3 and RFC 9728, 5.1: WWW-Authenticate', () => {
  const challengeOf = async (token: string | undefined, path = '/leads') => {
    const answer = await dealkeep.as(token).get(path);
    return [answer.outcome, answer.headers.get('www-authenticate')];
  };

  test('says no error where no token was sent', async () => {
    expect(await challengeOf(undefined)).toEqual(['401 UNAUTHORIZED', `Bearer ${metadata}`]);
  });

  test('says invalid_token of a token that is unknown, expired or revoked, as specified', async () => {
    const invalid = ['401 UNAUTHORIZED', `Bearer error="invalid_token", ${metadata}`];
    expect(await challengeOf('dk_oat_unknown')).toEqual(invalid);
    const expiring = await app.connect(organization);
    clock.advance(3_599_999);
    expect((await dealkeep.as(expiring.access_token).get('/leads')).status).toBe(200);
    clock.advance(1);
    expect(await challengeOf(expiring.access_token)).toEqual(invalid);
    const revoked = await app.connect(organization);
    await app.post({ token: revoked.refresh_token }, '/oauth/revoke');
    expect(await challengeOf(revoked.access_token)).toEqual(invalid);
    expect(await challengeOf(revoked.refresh_token)).toEqual(invalid);
  });

  test('says insufficient_scope with the scope that is missing', async () => {
    const { access_token: token } = await app.connect(organization);
    const missing = (scope: string) => [
      '403 FORBIDDEN',
      `Bearer error="insufficient_scope", scope="${scope}", ${metadata}`,
    ];
    expect(await challengeOf(token, '/tasks')).toEqual(missing('tasks:read'));
    const { token: key } = await organization.createKey({ scopes: ['leads:read'] });
    expect(await challengeOf(key, '/tasks')).toEqual(missing('tasks:read'));
    const target_url = 'http://127.0.0.1:4567/';
    const hook = await dealkeep.as(token).post('/webhooks', { target_url, event: 'task.moved' });
    expect([hook.outcome, hook.headers.get('www-authenticate')]).toEqual(missing('tasks:read'));
  });
});
