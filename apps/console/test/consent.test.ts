import { createOAuthApp, listConnections, updateOrganization } from '@dealkeep/core/accounts';
import { Browser, ownerPassword, sharedDealkeep } from '@dealkeep/testing';
import * as oauth from 'oauth4webapi';
import { describe, expect, test } from 'vitest';
import { signedInUser } from './signed-in-user.ts';

const dealkeep = await sharedDealkeep();
const { core } = dealkeep;
const organization = await dealkeep.createOrganization();
const redirectUri = 'https://app.example/callback?kept=1';
const app = await createOAuthApp(core, {
  name: 'Zapier <b>',
  redirectUris: [redirectUri],
  scopes: ['leads:read', 'leads:write', 'tasks:read'],
});
const verifier = oauth.generateRandomCodeVerifier();
const challenge = await oauth.calculatePKCECodeChallenge(verifier);

const good = {
  response_type: 'code',
  client_id: app.client_id,
  redirect_uri: redirectUri,
  code_challenge: challenge,
  code_challenge_method: 'S256',
  state: 'a b&c=ď',
};
const authorize = (changes: Record<string, string | undefined> = {}): string => {
  const all = Object.entries({ ...good, ...changes }).filter(
    (each): each is [string, string] => each[1] !== undefined,
  );
  return `/oauth/authorize?${new URLSearchParams(all)}`;
};

describe('the authorization endpoint', () => {
  test('asks for sign-in and comes back to the request', async () => {
    const browser = new Browser(dealkeep);
    const sent = await browser.get(authorize());
    expect(sent.location).toMatch(/^\/sign-in\?back=%2Foauth%2Fauthorize/);
    const form = await browser.get(sent.location ?? '');
    const fields = { email: organization.ownerEmail, password: ownerPassword };
    const back = await browser.submit(form, '/sign-in', fields);
    expect(back.location).toBe(authorize());
  });

  test('names the application, the organization and each scope in plain words (rule oauth 7)', async () => {
    const browser = new Browser(dealkeep);
    await browser.signIn(organization);
    const { html } = await browser.get(authorize());
    expect(html).toContain('Zapier &lt;b&gt;');
    expect(html).toContain('Test organization');
    for (const words of ['See leads', 'Create, change, move and archive leads', 'See tasks and projects']) {
      expect(html).toContain(words);
    }
    expect(html.indexOf('>Allow<')).toBeLessThan(html.indexOf('>Deny<'));
  });

  test('says what the role of the person cannot back (rule oauth 7)', async () => {
    const permissions = 'leads.view=all,leads.edit=assigned,leads.create=assigned';
    const { browser } = await signedInUser(dealkeep, organization, { permissions });
    const { html } = await browser.get(authorize());
    expect(html).toContain('which lacks Tasks: see');
    expect(html).toContain('Leads: change, Leads: create only for records assigned to you');
  });

  test('Allow leads back with a code, the state as it came, and the issuer', async () => {
    const browser = new Browser(dealkeep);
    await browser.signIn(organization);
    const page = await browser.get(authorize());
    const { status, location = '' } = await browser.submit(page, '/oauth/authorize', { decision: 'allow' });
    expect(status).toBe(303);
    expect(location.startsWith(`${redirectUri}&`)).toBe(true);
    const answer = new URL(location).searchParams;
    expect([answer.get('state'), answer.get('iss')]).toEqual([good.state, core.origin]);
    const token = await fetch(`${dealkeep.origin}/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        code: answer.get('code') ?? '',
        code_verifier: verifier,
        redirect_uri: redirectUri,
        client_id: app.client_id,
        client_secret: app.client_secret,
      }),
    });
    expect(token.status).toBe(200);
  });

  test('Deny leads back with access_denied (rule oauth 7)', async () => {
    const browser = new Browser(dealkeep);
    await browser.signIn(organization);
    const page = await browser.get(authorize());
    const { location = '' } = await browser.submit(page, '/oauth/authorize', { decision: 'deny' });
    const answer = new URL(location).searchParams;
    expect([answer.get('error'), answer.get('state'), answer.get('code')]).toEqual([
      'access_denied',
      good.state,
      null,
    ]);
  });

  test('can be gone through with another account', async () => {
    const browser = new Browser(dealkeep);
    await browser.signIn(organization);
    const page = await browser.get(authorize());
    expect(page.html).toContain(`You are signed in as Jana Horváthová (${organization.ownerEmail})`);
    expect(page.html).toContain('Use another account');
    const sent = await browser.submit(page, '/sign-out', {});
    const other = await dealkeep.createOrganization();
    const form = await browser.get(sent.location ?? '');
    const fields = { email: other.ownerEmail, password: ownerPassword };
    const back = await browser.submit(form, '/sign-in', fields);
    expect(back.location).toBe(authorize());
    expect((await browser.get(authorize())).html).toContain(other.ownerEmail);
  });

  test('says in words that a lapsed organization connects nothing, before and after Allow', async () => {
    const lapsing = await dealkeep.createOrganization();
    const browser = new Browser(dealkeep);
    await browser.signIn(lapsing);
    const page = await browser.get(authorize());
    await updateOrganization(core.sql, lapsing.slug, { subscription: 'lapsed' });
    const allowed = await browser.submit(page, '/oauth/authorize', { decision: 'allow' });
    for (const refused of [allowed, await browser.get(authorize())]) {
      expect([refused.status, refused.location]).toEqual([400, undefined]);
      expect(refused.html).toContain('The subscription of Test organization is not active');
    }
    const denied = await browser.submit(page, '/oauth/authorize', { decision: 'deny' });
    expect(denied.location).toContain('error=access_denied');
  });

  test('a page from before signing in as somebody else is refused in words', async () => {
    const browser = new Browser(dealkeep);
    await browser.signIn(organization);
    const page = await browser.get(authorize());
    await browser.submit(await browser.get('/'), '/sign-out', {});
    await browser.signIn(await dealkeep.createOrganization());
    const refused = await browser.submit(page, '/oauth/authorize', { decision: 'allow' });
    expect([refused.status, refused.location]).toEqual([403, undefined]);
    expect(refused.html).toContain('<h1>This form is no longer valid</h1>');
    expect(refused.html).toContain('Go back, reload the page and try again.');
  });

  test('Allow pressed twice gives two codes, and a connection only to the one that is redeemed (rule oauth 7)', async () => {
    const own = await dealkeep.createOrganization();
    const browser = new Browser(dealkeep);
    await browser.signIn(own);
    const page = await browser.get(authorize());
    const press = () => browser.submit(page, '/oauth/authorize', { decision: 'allow' });
    const codes = (await Promise.all([press(), press()])).map(({ location = '' }) =>
      new URL(location).searchParams.get('code'),
    );
    expect(new Set(codes).size).toBe(2);
    expect(await listConnections(core.sql, { organization: own.id })).toEqual([]);
  });

  test('can stand in a window that the application opened, and keeps its tie to that one', async () => {
    const browser = new Browser(dealkeep);
    const sent = await browser.get(authorize());
    const form = await browser.get(sent.location ?? '');
    await browser.signIn(organization);
    const page = await browser.get(authorize());
    const allowed = await browser.submit(page, '/oauth/authorize', { decision: 'allow' });
    for (const { headers } of [sent, form, page, allowed]) {
      expect(headers.get('cross-origin-opener-policy')).toBeNull();
    }
    expect((await browser.get('/')).headers.get('cross-origin-opener-policy')).toBe('same-origin');
  });

  test.each([
    ['https://app.example/callback', 'https://app.example'],
    ['http://127.0.0.1:4000/cb', 'http://127.0.0.1:4000'],
    ['http://[::1]:4000/cb', 'http:'],
  ])('lets its form be answered by a redirect to %s, and to no other site', async (redirect_uri, source) => {
    const registered = await createOAuthApp(core, {
      name: 'App',
      redirectUris: [redirect_uri],
      scopes: ['leads:read', 'leads:write', 'tasks:read'],
    });
    const browser = new Browser(dealkeep);
    await browser.signIn(organization);
    const page = await browser.get(authorize({ redirect_uri, client_id: registered.client_id }));
    expect(page.headers.get('content-security-policy')).toContain(`form-action 'self' ${source};`);
  });

  test('speaks Slovak, and its language can be changed without losing the request', async () => {
    const browser = new Browser(dealkeep);
    await browser.signIn(organization);
    const slovak = await browser.get(`${authorize()}&language=sk`);
    expect(slovak.html).toContain('<html lang="sk">');
    expect(slovak.html.indexOf('>Povoliť<')).toBeLessThan(slovak.html.indexOf('>Odmietnuť<'));
    const { location = '' } = await browser.submit(slovak, '/oauth/authorize', { decision: 'deny' });
    expect(new URL(location).searchParams.get('state')).toBe(good.state);
    const refused = await browser.get(authorize({ client_id: 'dkapp_unknown' }));
    expect(refused.html).toContain('Toto pripojenie sa nedá vytvoriť');
  });

  test('consent given for one request cannot be changed into consent for another', async () => {
    const browser = new Browser(dealkeep);
    await browser.signIn(organization);
    const page = await browser.get(authorize());
    const request = new URLSearchParams({ ...good, redirect_uri: 'https://evil.example/' }).toString();
    const refused = await browser.submit(page, '/oauth/authorize', { decision: 'allow', request });
    expect([refused.status, refused.location]).toEqual([400, undefined]);
  });

  test.each([
    ['an unknown application', { client_id: 'dkapp_unknown' }],
    ['an address that is not registered', { redirect_uri: 'https://app.example/other' }],
    ['an address that only begins like a registered one', { redirect_uri: `${redirectUri}&more=1` }],
    ['an address in another case', { redirect_uri: redirectUri.replace('callback', 'Callback') }],
  ])('sends nobody anywhere for %s, before it asks for sign-in', async (_what, changes) => {
    const { status, location } = await new Browser(dealkeep).get(authorize(changes));
    expect([status, location]).toEqual([400, undefined]);
  });

  test.each([
    ['response_type missing', { response_type: undefined }, 'invalid_request'],
    ['response_type token', { response_type: 'token' }, 'unsupported_response_type'],
    ['code_challenge missing', { code_challenge: undefined }, 'invalid_request'],
    ['code_challenge_method missing', { code_challenge_method: undefined }, 'invalid_request'],
    ['code_challenge_method plain', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['a code_challenge that is no SHA-256', { code_challenge: 'short' }, 'invalid_request'],
    ['a scope that the application may not have', { scope: 'invoices:read' }, 'invalid_scope'],
    ['a scope that does not exist', { scope: 'all "of" it' }, 'invalid_scope'],
  ])('tells the application of %s, before it asks the person', async (_what, changes, error) => {
    const browser = new Browser(dealkeep);
    await browser.signIn(organization);
    const { status, location = '' } = await browser.get(authorize(changes));
    expect(status).toBe(303);
    expect(location.startsWith(redirectUri)).toBe(true);
    const answer = new URL(location).searchParams;
    expect([answer.get('error'), answer.get('state'), answer.get('iss')]).toEqual([
      error,
      good.state,
      core.origin,
    ]);
  });

  test('a request that is wrong goes on to its application from the page that says so, by signing in', async () => {
    const browser = new Browser(dealkeep);
    const page = await browser.get(`${authorize({ scope: 'everything' })}&language=sk`);
    expect([page.status, page.location]).toEqual([400, undefined]);
    expect(page.html).toContain('Povedzte jej autorom');
    const [, link = ''] = /<p><a href="([^"]*)">Prihlásiť sa<\/a>/.exec(page.html) ?? [];
    const form = await browser.get(link.replaceAll('&amp;', '&'));
    const fields = { email: organization.ownerEmail, password: ownerPassword };
    const back = await browser.submit(form, '/sign-in', fields);
    const { location = '' } = await browser.get(back.location ?? '');
    expect(location.startsWith(redirectUri)).toBe(true);
    expect(new URL(location).searchParams.get('error')).toBe('invalid_scope');
  });

  test('takes no parameter twice (RFC 6749, 3.1)', async () => {
    const browser = new Browser(dealkeep);
    await browser.signIn(organization);
    const twice = await browser.get(`${authorize()}&scope=leads:read&scope=tasks:read`);
    expect(new URL(twice.location ?? '').searchParams.get('error')).toBe('invalid_request');
    const address = await new Browser(dealkeep).get(`${authorize()}&redirect_uri=https://evil.example`);
    expect([address.status, address.location]).toEqual([400, undefined]);
  });
});
