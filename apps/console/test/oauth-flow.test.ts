import { createOAuthApp, disconnect, updateUser } from '@dealkeep/core/accounts';
import { Browser, ManualClock, ownerPassword, startDealkeep, type TestOrganization } from '@dealkeep/testing';
import * as oauth from 'oauth4webapi';
import { describe, expect, test } from 'vitest';

/** A connection as a person and an application make it: by the pages, and by a client that nobody here wrote. */
const clock = new ManualClock();
const dealkeep = await startDealkeep({ worker: false, clock });
const { core } = dealkeep;
const redirectUri = 'https://app.example/callback';
const options = {
  // The issuer is the origin that links are built from; the test's server listens elsewhere.
  [oauth.customFetch]: (url: string, init: object) => fetch(url.replace(core.origin, dealkeep.origin), init),
  [oauth.allowInsecureRequests]: true,
} as const;
const issuer = new URL(core.origin);
const server = await oauth.processDiscoveryResponse(
  issuer,
  await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...options }),
);
const app = await createOAuthApp(core, {
  name: 'Automation',
  redirectUris: [redirectUri],
  scopes: ['leads:read', 'tasks:read', 'webhooks:manage'],
});
const client: oauth.Client = { client_id: app.client_id };
const secret = app.client_secret;

/** Leads a browser from the application to the end of the flow, pressing this button of the consent page. */
async function connectIn(
  browser: Browser,
  { ownerEmail }: TestOrganization,
  { decision = 'allow', scope = 'leads:read webhooks:manage' } = {},
) {
  const verifier = oauth.generateRandomCodeVerifier();
  const state = oauth.generateRandomState();
  const address = new URL(server.authorization_endpoint ?? '');
  address.search = String(
    new URLSearchParams({
      response_type: 'code',
      client_id: client.client_id,
      redirect_uri: redirectUri,
      scope,
      state,
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    }),
  );
  let page = await browser.get(`${address.pathname}${address.search}`);
  if (page.location?.startsWith('/sign-in')) {
    const form = await browser.get(page.location);
    const done = await browser.submit(form, '/sign-in', { email: ownerEmail, password: ownerPassword });
    page = await browser.get(done.location ?? '');
  }
  if (page.status !== 200) return { verifier, state, sentTo: new URL(page.location ?? '') };
  const { location } = await browser.submit(page, '/oauth/authorize', { decision });
  return { verifier, state, sentTo: new URL(location ?? '') };
}

async function tokensOf(
  { verifier, state, sentTo }: Awaited<ReturnType<typeof connectIn>>,
  authentication = oauth.ClientSecretPost(secret),
) {
  const callback = oauth.validateAuthResponse(server, client, sentTo, state);
  const grant = [server, client, authentication, callback, redirectUri, verifier, options] as const;
  return oauth.processAuthorizationCodeResponse(
    server,
    client,
    await oauth.authorizationCodeGrantRequest(...grant),
  );
}

const refresh = async (token = '', authentication = oauth.ClientSecretPost(secret)) =>
  oauth.processRefreshTokenResponse(
    server,
    client,
    await oauth.refreshTokenGrantRequest(server, client, authentication, token, options),
  );

describe('an application, by oauth4webapi and the real pages', () => {
  test.each([
    ['client_secret_post', oauth.ClientSecretPost(secret)],
    ['client_secret_basic', oauth.ClientSecretBasic(secret)],
  ])('is connected, calls, refreshes and revokes with %s', async (_method, authentication) => {
    const organization = await dealkeep.createOrganization();
    const tokens = await tokensOf(await connectIn(new Browser(dealkeep), organization), authentication);
    expect(tokens).toMatchObject({ expires_in: 3600, scope: 'leads:read webhooks:manage' });
    const { data: me } = await dealkeep.as(tokens.access_token).get('/me');
    expect(me).toEqual({
      organization: {
        id: organization.id,
        name: 'Test organization',
        slug: organization.slug,
        currency: 'EUR',
        time_zone: 'Europe/Bratislava',
        country_code: 'SK',
      },
      token: {
        id: expect.any(String),
        name: 'Automation',
        scopes: ['leads:read', 'webhooks:manage'],
        expires_at: new Date(clock.now().getTime() + 3_600_000).toISOString(),
      },
      api_version: '2026-10-01',
      limits: expect.any(Object),
      auth: 'oauth',
      user: { id: organization.ownerId, name: 'Jana Horváthová', email: organization.ownerEmail },
    });
    expect((await dealkeep.as(organization.key).get('/me')).data).not.toHaveProperty('user');

    const next = await refresh(tokens.refresh_token, authentication);
    const api = dealkeep.as(next.access_token);
    expect((await api.get('/leads')).status).toBe(200);
    await oauth.processRevocationResponse(
      await oauth.revocationRequest(server, client, authentication, next.refresh_token ?? '', options),
    );
    expect((await api.get('/leads')).outcome).toBe('401 UNAUTHORIZED');
    await expect(refresh(next.refresh_token, authentication)).rejects.toMatchObject({
      error: 'invalid_grant',
    });
  });

  test('is told that the person did not agree', async () => {
    const organization = await dealkeep.createOrganization();
    const denied = await connectIn(new Browser(dealkeep), organization, { decision: 'deny' });
    expect(denied.sentTo.searchParams.has('code')).toBe(false);
    await expect(tokensOf(denied)).rejects.toMatchObject({
      error: 'access_denied',
      error_description: 'The person did not agree',
    });
  });

  test('is told of its own mistake without the person, who is signed in, being asked', async () => {
    const organization = await dealkeep.createOrganization();
    const browser = new Browser(dealkeep);
    await browser.signIn(organization);
    const wrong = await connectIn(browser, organization, { scope: 'invoices:read' });
    await expect(tokensOf(wrong)).rejects.toMatchObject({ error: 'invalid_scope' });
  });

  test('finds out when an answer is of another request, or of another server', async () => {
    const answer = await connectIn(new Browser(dealkeep), await dealkeep.createOrganization());
    await expect(tokensOf({ ...answer, state: oauth.generateRandomState() })).rejects.toThrow(/state/);
    const elsewhere = new URL(answer.sentTo);
    elsewhere.searchParams.set('iss', 'https://evil.example');
    await expect(tokensOf({ ...answer, sentTo: elsewhere })).rejects.toThrow(/iss/);
    expect((await tokensOf(answer)).access_token).toMatch(/^dk_oat_/);
  });

  test('is a connection of its own each time, which the console shows and ends alone, its hooks with it', async () => {
    const organization = await dealkeep.createOrganization();
    const browser = new Browser(dealkeep);
    const [first, second] = [
      await tokensOf(await connectIn(browser, organization)),
      await tokensOf(await connectIn(browser, organization)),
    ];
    const api = dealkeep.as(first.access_token);
    const target_url = 'http://127.0.0.1:4567/';
    const hook = (await api.post('/webhooks', { target_url, event: 'lead.created' })).data;
    const { id } = (await api.get('/me')).data.token;
    const path = `/integrations/apps/${id}/disconnect`;
    const asked = await browser.get(path);
    expect(asked.html).toContain('127.0.0.1:4567');
    await browser.submit(asked, path, {});
    expect((await api.get('/leads')).outcome).toBe('401 UNAUTHORIZED');
    expect(await dealkeep.sql`select 1 from webhooks where id = ${hook.id}`).toEqual([]);
    await expect(refresh(first.refresh_token)).rejects.toMatchObject({ error: 'invalid_grant' });
    expect((await dealkeep.as(second.access_token).get('/leads')).status).toBe(200);
    expect((await browser.submit(asked, path, {})).status).toBe(404);
  });

  test('is no API key: it is not among them and not counted with them (rule oauth 16)', async () => {
    const organization = await dealkeep.createOrganization();
    const browser = new Browser(dealkeep);
    await tokensOf(await connectIn(browser, organization));
    expect((await browser.get('/integrations/keys')).html).not.toContain('Automation');
    expect(
      await dealkeep.sql`select 1 from api_keys where organization_id = ${organization.id}`,
    ).toHaveLength(1);
  });
});

describe('a person who left', () => {
  test('is asked for the password again when the session ended while the page was open', async () => {
    const organization = await dealkeep.createOrganization();
    const browser = new Browser(dealkeep);
    await browser.signIn(organization);
    const parameters = new URLSearchParams({
      response_type: 'code',
      client_id: client.client_id,
      state: 'x',
      code_challenge: 'A'.repeat(43),
      code_challenge_method: 'S256',
    });
    const page = await browser.get(`/oauth/authorize?${parameters}`);
    clock.advance(13 * 3_600_000);
    const sent = await browser.submit(page, '/oauth/authorize', { decision: 'allow' });
    expect(sent.location).toBe(`/sign-in?${new URLSearchParams({ back: `/oauth/authorize?${parameters}` })}`);
    const form = await browser.get(sent.location ?? '');
    const fields = { email: organization.ownerEmail, password: ownerPassword };
    const back = await browser.submit(form, '/sign-in', fields);
    expect((await browser.get(back.location ?? '')).html).toContain('Connect Automation?');
  });

  test('is no longer acted for, and connects nothing any more', async () => {
    const organization = await dealkeep.createOrganization();
    const browser = new Browser(dealkeep);
    const tokens = await tokensOf(await connectIn(browser, organization));
    const waiting = await connectIn(browser, organization);
    await updateUser(core, organization.ownerEmail, { active: false });
    expect((await dealkeep.as(tokens.access_token).get('/me')).outcome).toBe('401 UNAUTHORIZED');
    await expect(tokensOf(waiting)).rejects.toMatchObject({ error: 'invalid_grant' });
  });
});

test('a connection of another organization cannot be ended', async () => {
  const [own, other] = [await dealkeep.createOrganization(), await dealkeep.createOrganization()];
  const tokens = await tokensOf(await connectIn(new Browser(dealkeep), own));
  const { id } = (await dealkeep.as(tokens.access_token).get('/me')).data.token;
  await expect(disconnect(core, { organization: other.id, id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  expect((await dealkeep.as(tokens.access_token).get('/me')).status).toBe(200);
});
