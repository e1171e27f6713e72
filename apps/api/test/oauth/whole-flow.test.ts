import { ManualClock, startDealkeep } from '@dealkeep/testing';
import * as oauth from 'oauth4webapi';
import { describe, expect, test } from 'vitest';
import { redirectUri, registerApp } from './connected-app.ts';

const clock = new ManualClock();
const dealkeep = await startDealkeep({ worker: false, clock });
const organization = await dealkeep.createOrganization();
const app = await registerApp(dealkeep);
const { server, client, secret, options } = app;

describe('an application by oauth4webapi', () => {
  test.each([
    ['client_secret_post', oauth.ClientSecretPost(secret)],
    ['client_secret_basic', oauth.ClientSecretBasic(secret)],
  ])('connects, calls, refreshes and revokes with %s', async (_method, authentication) => {
    const { parameters, verifier, state } = await app.request({ scope: 'leads:read webhooks:manage' });
    const sentTo = new URL(
      await app.allow(parameters, { id: organization.ownerId, organization: organization.id }),
    );
    expect(`${sentTo.origin}${sentTo.pathname}`).toBe(redirectUri);
    expect(sentTo.searchParams.get('iss')).toBe(dealkeep.core.origin);
    const callback = oauth.validateAuthResponse(server, client, sentTo, state);
    const grant = [server, client, authentication, callback, redirectUri, verifier, options] as const;
    const tokens = await oauth.processAuthorizationCodeResponse(
      server,
      client,
      await oauth.authorizationCodeGrantRequest(...grant),
    );
    expect(tokens).toMatchObject({
      token_type: 'bearer',
      expires_in: 3600,
      scope: 'leads:read webhooks:manage',
    });
    expect(tokens.access_token).toMatch(/^dk_oat_[0-9A-Za-z]{43}$/);
    expect(tokens.refresh_token).toMatch(/^dk_ort_[0-9A-Za-z]{43}$/);

    const { data: me } = await dealkeep.as(tokens.access_token).get('/me');
    expect(me).toMatchObject({
      auth: 'oauth',
      user: { id: organization.ownerId, name: 'Jana Horváthová', email: organization.ownerEmail },
      token: { name: 'Automation', scopes: ['leads:read', 'webhooks:manage'] },
    });

    const refreshed = await oauth.processRefreshTokenResponse(
      server,
      client,
      await oauth.refreshTokenGrantRequest(
        server,
        client,
        authentication,
        tokens.refresh_token ?? '',
        options,
      ),
    );
    expect(refreshed.access_token).not.toBe(tokens.access_token);
    expect(refreshed.refresh_token).not.toBe(tokens.refresh_token);
    expect((await dealkeep.as(refreshed.access_token).get('/leads')).status).toBe(200);

    await oauth.processRevocationResponse(
      await oauth.revocationRequest(server, client, authentication, refreshed.refresh_token ?? '', options),
    );
    expect((await dealkeep.as(refreshed.access_token).get('/leads')).outcome).toBe('401 UNAUTHORIZED');
  });

  test('finds the authorization server from the resource (RFC 9728)', async () => {
    const resource = new URL(`${dealkeep.core.origin}/api/v1/public`);
    const metadata = await oauth.processResourceDiscoveryResponse(
      resource,
      await oauth.resourceDiscoveryRequest(resource, options),
    );
    expect(metadata.authorization_servers).toEqual([dealkeep.core.origin]);
  });
});

test('an unknown, expired or revoked token is answered with the specified challenge', async () => {
  const { access_token: token } = await app.connect(organization);
  expect((await dealkeep.as(token).get('/leads')).status).toBe(200);
  clock.advance(3600_000);
  const expired = await dealkeep.as(token).get('/leads');
  expect(expired.outcome).toBe('401 UNAUTHORIZED');
  expect(expired.headers.get('www-authenticate')).toBe(
    'Bearer error="invalid_token", resource_metadata="http://localhost:3000/.well-known/oauth-protected-resource/api/v1/public"',
  );
});
