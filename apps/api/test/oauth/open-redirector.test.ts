/**
 * RFC 9700, 4.11.2: any organization can register an address, so people of other organizations are not redirected to
 * it.
 */
import { updateOrganization } from '@dealkeep/core/accounts';
import { sharedDealkeep } from '@dealkeep/testing';
import { describe, expect, test } from 'vitest';
import { type AuthorizationAnswer, ask, consentingOwner } from './authorization-page.ts';
import { type ConnectedApp, redirectUri, registerApp } from './connected-app.ts';

const dealkeep = await sharedDealkeep();
const { core, sql } = dealkeep;
const [organization, elsewhere] = [await dealkeep.createOrganization(), await dealkeep.createOrganization()];
const [owner, stranger] = [
  await consentingOwner(dealkeep, organization),
  await consentingOwner(dealkeep, elsewhere),
];
const app = await registeredByOrganization();

/** As an owner registers it, for their organization alone. */
async function registeredByOrganization(): Promise<ConnectedApp> {
  const registered = await registerApp(dealkeep);
  const { client_id: id } = registered.client;
  await sql`update oauth_apps set everywhere = false where client_id = ${id}`;
  await sql`
    insert into oauth_app_organizations (organization_id, client_id, user_id, created_at)
    values (${organization.id}, ${id}, ${organization.ownerId}, now())`;
  return registered;
}

/** The answer is a page of ours, and leads nowhere by itself. */
function expectPage({ status, location, headers, html }: AuthorizationAnswer, words: string): void {
  expect([status, location]).toEqual([400, undefined]);
  expect(headers.get('refresh')).toBeNull();
  expect(html).not.toContain('http-equiv');
  expect(html.replaceAll(/href="[^"]*"/g, ''), 'the address of the application').not.toContain(redirectUri);
  expect(html).toContain(words);
}

const wrong: readonly [string, Readonly<Record<string, string>>, string][] = [
  ['no response_type', { response_type: '' }, 'invalid_request'],
  ['another response_type', { response_type: 'token' }, 'unsupported_response_type'],
  ['no PKCE', { code_challenge: '' }, 'invalid_request'],
  ['plain PKCE', { code_challenge_method: 'plain' }, 'invalid_request'],
  ['a bad challenge', { code_challenge: 'short' }, 'invalid_request'],
  ['a scope that is unknown', { scope: 'everything' }, 'invalid_scope'],
  ['a scope that it may not have', { scope: 'invoices:read' }, 'invalid_scope'],
  ['a resource of others', { resource: 'https://evil.example/' }, 'invalid_target'],
  ['an error and prompt=none', { scope: 'everything', prompt: 'none' }, 'invalid_scope'],
];
const repeated = ['response_type', 'scope', 'state', 'code_challenge', 'code_challenge_method'];

describe.each([
  ...wrong.map(([what, changes, error]) => ({ what, error, changes, twice: [] as string[] })),
  ...repeated.map((name) => ({
    what: `${name} twice`,
    error: 'invalid_request',
    changes: {},
    twice: [name],
  })),
])('a request with $what', ({ changes, twice, error }) => {
  const request = async (): Promise<URLSearchParams> => {
    const { parameters } = await app.request({ scope: 'leads:read', ...changes });
    for (const name of twice) parameters.append(name, 'leads:read');
    return parameters;
  };

  test('signed out: a page says what is wrong, and leads to signing in (rule oauth 26)', async () => {
    const parameters = await request();
    const page = await ask(dealkeep, parameters);
    expectPage(page, `<pre>${error}: `);
    const back = new URLSearchParams({ back: `/oauth/authorize?${parameters}` });
    expect(page.html.replaceAll('&amp;', '&')).toContain(`href="/sign-in?${back}"`);
  });

  test('signed in elsewhere: a page says that it is not registered there (rule oauth 26)', async () => {
    expectPage(await stranger.open(await request()), 'registered for other organizations');
  });

  test('signed in where it is registered: the application is told (rule oauth 6)', async () => {
    const parameters = await request();
    const { status, location, said } = await owner.open(parameters);
    expect([status, said.get('error'), said.get('iss')]).toEqual([303, error, core.origin]);
    expect(location?.startsWith(`${redirectUri}?`)).toBe(true);
    expect(said.get('state')).toBe(twice.includes('state') ? null : parameters.get('state'));
  });

  test('sent as a form to that page: the same for each (rule oauth 26)', async () => {
    const decide = async (who: typeof owner, decision: 'allow' | 'deny') => {
      const good = await registerApp(dealkeep);
      const page = await who.open((await good.request()).parameters);
      const html = page.html.replace(
        /name="request" value="[^"]*"/,
        `name="request" value="${String(await request()).replaceAll('&', '&amp;')}"`,
      );
      return who.decide({ ...page, html }, decision);
    };
    for (const decision of ['allow', 'deny'] as const) {
      expectPage(await decide(stranger, decision), 'registered for other organizations');
      expect((await decide(owner, decision)).said.get('error')).toBe(error);
    }
  });
});

test.each([{ prompt: 'none' }, {}])(
  'a good request with %j asks whoever is signed out to sign in, and nobody of elsewhere (rule oauth 26)',
  async (changes) => {
    const { parameters } = await app.request(changes);
    const { status, location } = await ask(dealkeep, parameters);
    expect([status, location?.split('?')[0]]).toEqual([303, '/sign-in']);
    expectPage(await stranger.open(parameters), 'registered for other organizations');
    const page = await owner.open(parameters);
    expect([page.status, page.location]).toEqual([200, undefined]);
  },
);

test('Deny leads back only where the application still is open to the person (rule oauth 26)', async () => {
  const closing = await registeredByOrganization();
  const page = await owner.open((await closing.request()).parameters);
  expect((await owner.decide(page, 'deny')).said.get('error')).toBe('access_denied');
  await sql`delete from oauth_app_organizations where client_id = ${closing.client.client_id}`;
  for (const decision of ['deny', 'allow'] as const) {
    expectPage(await owner.decide(page, decision), 'registered for other organizations');
  }
});

test('in an organization whose subscription has lapsed errors and Deny still reach the application (rule oauth 26)', async () => {
  const lapsing = await dealkeep.createOrganization();
  const person = await consentingOwner(dealkeep, lapsing);
  const everybodys = await registerApp(dealkeep);
  const page = await person.open((await everybodys.request()).parameters);
  await updateOrganization(sql, lapsing.slug, { subscription: 'lapsed' });
  expect((await person.decide(page, 'deny')).said.get('error')).toBe('access_denied');
  const { parameters } = await everybodys.request({ scope: 'everything' });
  expect((await person.open(parameters)).said.get('error')).toBe('invalid_scope');
});
