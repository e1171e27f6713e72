/** Applications that describe themselves at their client_id (draft-ietf-oauth-client-id-metadata-document). */
import { createDocumentedApp, findOAuthApp } from '@dealkeep/core/accounts';
import { Problem, parseAllowedTargets } from '@dealkeep/core/foundations';
import { ManualClock, startAssistantHost, startDealkeep } from '@dealkeep/testing';
import { describe, expect, test } from 'vitest';
import { ask, consentingOwner } from './authorization-page.ts';
import { actAs } from './connected-app.ts';

const clock = new ManualClock();
const dealkeep = await startDealkeep({ worker: false, clock });
const { core } = dealkeep;
const organization = await dealkeep.createOrganization();
const host = await startAssistantHost();
const claude = 'https://claude.example/callback';

/** Registers a document at a path of its own, as the operator does. */
async function register(
  path: string,
  changes: Readonly<Record<string, unknown>> = {},
  headers: Readonly<Record<string, string>> = {},
) {
  host.serve(host.document(changes, path), headers, path);
  const made = await createDocumentedApp(core, { metadataUrl: host.address(path), scopes: undefined });
  return { ...made, app: await actAs(dealkeep, made) };
}

/** Why a registration was refused: the message about its address. */
async function refusal(address: string, reading: object = core): Promise<string> {
  const refused = await createDocumentedApp(
    { ...core, ...reading },
    { metadataUrl: address, scopes: undefined },
  ).catch((error: unknown) => error);
  if (!(refused instanceof Problem)) throw new Error(`It was not refused: ${JSON.stringify(refused)}`);
  return Object(refused.body('en').error.detail).fields[0].message;
}

const asks = () => host.requests.length;

describe('registering', () => {
  test('takes name and redirect addresses from the document; its address is the client_id (rule oauth 23)', async () => {
    const { client_id, name, redirect_uris } = await register('/good.json');
    expect({ client_id, name, redirect_uris }).toEqual({
      client_id: host.address('/good.json'),
      name: 'Claude',
      redirect_uris: [claude, 'http://localhost/callback', 'http://127.0.0.1/callback'],
    });
    const sent = host.requests.at(-1)?.headers;
    expect(sent).toMatchObject({ accept: 'application/json' });
    expect(Object.keys(sent ?? {}).sort()).toEqual(['accept', 'connection', 'host', 'user-agent']);
  });

  test('goes the whole way by a client that no one here wrote', async () => {
    const { app } = await register('/way.json');
    const { form } = await app.grant(organization, { redirect_uri: claude, resource: `${core.origin}/mcp` });
    const tokens = (await app.post(form)).body;
    const caller = { authorization: `Bearer ${tokens.access_token}`, userAgent: undefined };
    expect((await core.credentials.find(caller, 'mcp')).name).toBe('Claude');
  });

  test('again reads the document anew, and the operator’s scopes count', async () => {
    const { client_id } = await register('/again.json');
    host.serve(host.document({ client_name: 'Claude 2' }, '/again.json'), {}, '/again.json');
    await createDocumentedApp(core, { metadataUrl: client_id, scopes: ['leads:read'] });
    expect(await findOAuthApp(core.sql, client_id)).toMatchObject({
      name: 'Claude 2',
      scopes: ['leads:read'],
      kind: 'metadata_document',
      organizations: null,
    });
  });

  test('a client that prefers a signature and can do without is taken', async () => {
    const methods = {
      token_endpoint_auth_method: 'private_key_jwt',
      token_endpoint_auth_methods_supported: ['none', 'private_key_jwt'],
    };
    expect((await register('/chatgpt.json', { client_name: 'ChatGPT', ...methods })).name).toBe('ChatGPT');
  });

  test('of its redirect addresses those are taken that people can be sent back to', async () => {
    const redirect_uris = [
      'javascript:alert(1)',
      'cursor://callback',
      'https://user:x@claude.example/',
      'http://claude.example/',
      'https://claude.example/a#b',
      7,
      claude,
    ];
    expect((await register('/mixed.json', { redirect_uris })).redirect_uris).toEqual([claude]);
  });
});

const document = (changes: Readonly<Record<string, unknown>>) => ({ path: '/refused.json', changes });

describe('a document is refused', () => {
  test.each([
    [
      'with another client_id',
      document({ client_id: 'https://other.example/client.json' }),
      'another client_id',
    ],
    [
      'with a client_id that differs in a slash',
      document({ client_id: `${host.address('/refused.json')}/` }),
      'another client_id',
    ],
    ['without a client_id', document({ client_id: undefined }), 'another client_id'],
    ['without a name', document({ client_name: undefined }), 'no client_name'],
    ['with a name of several lines', document({ client_name: 'Claude\nallow me' }), 'no client_name'],
    ['with a name that turns its direction', document({ client_name: '\u202eedualC' }), 'no client_name'],
    ['with a name that is longer than a line', document({ client_name: 'x'.repeat(256) }), 'no client_name'],
    ['without redirect addresses', document({ redirect_uris: undefined }), 'redirect_uris'],
    ['with javascript: alone', document({ redirect_uris: ['javascript:alert(1)'] }), 'redirect_uris'],
    ['with plain http alone', document({ redirect_uris: ['http://claude.example/'] }), 'redirect_uris'],
    [
      'that demands a key',
      document({ token_endpoint_auth_method: 'private_key_jwt' }),
      'token_endpoint_auth_method',
    ],
    [
      'that demands a secret',
      document({ token_endpoint_auth_method: 'client_secret_basic' }),
      'token_endpoint_auth_method',
    ],
    ['that holds a secret', document({ client_secret: 'x' }), 'token_endpoint_auth_method'],
  ])('%s', async (_what, { path, changes }, words) => {
    host.serve(host.document(changes, path), {}, path);
    expect(await refusal(host.address(path))).toContain(words);
    expect(await findOAuthApp(core.sql, host.address(path))).toBeUndefined();
  });

  test.each([
    ['a list', '[]', 'application/json', 'something else than a JSON document'],
    ['no JSON', '<html>', 'application/json', 'something else than a JSON document'],
    ['no UTF-8', Buffer.from([0x22, 0xff, 0x22]), 'application/json', 'something else than a JSON document'],
    ['another type', '{}', 'text/html', 'something else than a JSON document'],
    ['a huge text', Buffer.alloc(20 * 1024 * 1024, 0x20), 'application/json', 'longer than 16 KiB'],
  ])('that is %s', async (_what, body, type, words) => {
    const path = '/strange.json';
    host.serve((response) => response.writeHead(200, { 'content-type': type }).end(body), {}, path);
    expect(await refusal(host.address(path))).toContain(words);
  });

  test('that has no end', async () => {
    const path = '/endless.json';
    host.serve(
      (response) => {
        response.writeHead(200, { 'content-type': 'application/json' });
        const write = () => {
          if (!response.destroyed) response.write(' '.repeat(4096), () => setImmediate(write));
        };
        write();
      },
      {},
      path,
    );
    expect(await refusal(host.address(path))).toContain('longer than 16 KiB');
  });

  test('behind a redirect, which is not followed (rule oauth 23)', async () => {
    host.serve(host.document({}, '/target.json'), {}, '/target.json');
    host.serve(
      (response) => response.writeHead(302, { location: host.address('/target.json') }).end(),
      {},
      '/moved.json',
    );
    expect(await refusal(host.address('/moved.json'))).toContain('status 302');
    expect(host.requests.map(({ path }) => path)).not.toContain('/target.json');
  });
});

describe('an address is refused, and nothing is fetched', () => {
  test.each([
    'http://127.0.0.1/client.json',
    'https://127.0.0.1',
    'https://127.0.0.1/',
    'https://user@127.0.0.1/client.json',
    'https://127.0.0.1/client.json?x=1',
    'https://127.0.0.1/client.json#x',
    'https://127.0.0.1/a/../client.json',
    'https://127.1/client.json',
    'HTTPS://127.0.0.1/client.json',
    'https://127.0.0.1:443/client.json',
    'https://127.0.0.1\\client.json',
    "https://127.0.0.1/a'b.json",
    'https://127.0.0.1/$(id).json',
    'https://127.0.0.1/a b.json',
    'https://127.0.0.1/ä.json',
    'javascript:alert(1)',
    'file:///etc/passwd',
    `https://127.0.0.1/${'x'.repeat(500)}`,
    '',
  ])('%s', async (address) => {
    const before = asks();
    expect(await refusal(address)).toContain('This must be an https address with a path');
    expect(asks()).toBe(before);
  });

  test.each([
    'https://127.0.0.1/client.json',
    'https://10.0.0.1/client.json',
    'https://169.254.169.254/latest/meta-data',
    'https://[::1]/client.json',
    'https://localhost/client.json',
  ])('%s, as it is none of the internet’s', async (address) => {
    const reading = { allowedTargets: parseAllowedTargets('') };
    expect(await refusal(address, reading)).toContain('does not lead to the public internet');
  });

  test('a name that leads to a private address', async () => {
    const before = asks();
    const reading = {
      allowedTargets: parseAllowedTargets(''),
      resolve: async () => [{ address: '127.0.0.1' }],
    };
    const address = host.address('/good.json').replace('127.0.0.1', 'claude.example');
    expect(await refusal(address, reading)).toContain('does not lead to the public internet');
    expect(asks()).toBe(before);
  });
});

describe('the document is read again', () => {
  /** Opens the consent page; answers its status. */
  async function open(address: string, redirectUri = claude): Promise<number> {
    const app = await actAs(dealkeep, { client_id: address });
    const owner = await consentingOwner(dealkeep, organization);
    const { parameters } = await app.request({ redirect_uri: redirectUri });
    return (await owner.open(parameters)).status;
  }

  test.each([
    ['max-age', { 'cache-control': 'public, max-age=600' }, 600],
    ['Expires', { date: 'Thu, 01 Oct 2026 08:00:00 GMT', expires: 'Thu, 01 Oct 2026 08:20:00 GMT' }, 1200],
    ['nothing', {}, 3600],
    ['no-store, yet not at every request', { 'cache-control': 'no-store' }, 300],
    ['max-age=0, likewise', { 'cache-control': 'max-age=0' }, 300],
    ['a year, at most a day', { 'cache-control': 'max-age=31536000' }, 86_400],
  ])('as its headers say: %s', async (what, headers, seconds) => {
    const path = `/fresh-${what.replaceAll(/\W/g, '')}.json`;
    const { client_id } = await register(path, {}, headers);
    const count = () => host.requests.filter((request) => request.path === path).length;
    clock.advance(seconds * 1000 - 1);
    expect([await open(client_id), count()]).toEqual([200, 1]);
    clock.advance(1);
    expect([await open(client_id), count()]).toEqual([200, 2]);
    expect([await open(client_id), count()]).toEqual([200, 2]);
  });

  test('what changed in it is followed: name and redirect addresses (rule oauth 24)', async () => {
    const path = '/changed.json';
    const { client_id } = await register(path);
    host.serve(
      host.document({ client_name: 'Claude 3', redirect_uris: ['https://new.example/cb'] }, path),
      {},
      path,
    );
    expect(await open(client_id)).toBe(200);
    clock.advance(3_600_000);
    expect(await open(client_id)).toBe(400);
    expect(await open(client_id, 'https://new.example/cb')).toBe(200);
    expect((await findOAuthApp(core.sql, client_id))?.name).toBe('Claude 3');
  });

  test('a code that was given before it changed is still exchanged at the address that it was sent to', async () => {
    const path = '/between.json';
    const { client_id, app } = await register(path);
    const { form } = await app.grant(organization, { redirect_uri: claude });
    host.serve(host.document({ redirect_uris: ['https://new.example/cb'] }, path), {}, path);
    clock.advance(3_600_000 - 30_000);
    const late = await app.grant(organization, { redirect_uri: claude });
    clock.advance(30_000);
    expect(await open(client_id)).toBe(400);
    expect((await app.post({ ...late.form, redirect_uri: 'https://new.example/cb' })).body.error).toBe(
      'invalid_grant',
    );
    expect((await app.post(late.form)).status).toBe(200);
    expect((await app.post(form)).body.error).toBe('invalid_grant');
  });

  test.each([
    ['a fault', 503],
    ['a refusal', 403],
  ])(
    '%s of its server keeps the last good one for seven days, and is tried once a minute',
    async (_what, status) => {
      const path = `/trouble-${status}.json`;
      const { client_id } = await register(path);
      host.serve((response) => response.writeHead(status).end(), {}, path);
      const count = () => host.requests.filter((request) => request.path === path).length;
      clock.advance(3_600_000);
      expect([await open(client_id), await open(client_id), count()]).toEqual([200, 200, 2]);
      clock.advance(60_000);
      expect([await open(client_id), count()]).toEqual([200, 3]);
      clock.advance(7 * 86_400_000);
      expect(await open(client_id)).toBe(400);
      host.serve(host.document({}, path), {}, path);
      clock.advance(60_000);
      expect(await open(client_id)).toBe(200);
    },
  );

  test.each([
    ['withdrawn', (path: string) => host.serve((response) => response.writeHead(404).end(), {}, path)],
    [
      'one that demands a secret now',
      (path: string) =>
        host.serve(host.document({ token_endpoint_auth_method: 'private_key_jwt' }, path), {}, path),
    ],
    [
      'one of another client now',
      (path: string) =>
        host.serve(host.document({ client_id: 'https://evil.example/client.json' }, path), {}, path),
    ],
  ])('a document that is %s counts no longer at once; connections go on', async (what, change) => {
    const path = `/gone-${what.replaceAll(/\W/g, '')}.json`;
    const { client_id, app } = await register(path);
    const tokens = (await app.post((await app.grant(organization, { redirect_uri: claude })).form)).body;
    change(path);
    clock.advance(3_590_000);
    const refreshed = await app.post({
      grant_type: 'refresh_token',
      refresh_token: tokens.refresh_token ?? '',
    });
    clock.advance(10_000);
    const { parameters } = await app.request({ redirect_uri: claude });
    const page = await ask(dealkeep, parameters);
    expect([page.status, page.location]).toEqual([400, undefined]);
    expect(page.html).toContain(`describes itself at ${client_id}`);
    expect((await dealkeep.as(refreshed.body.access_token).get('/leads')).status).toBe(200);
  });

  test('of many who come at once, one reads it', async () => {
    const path = '/at-once.json';
    const { client_id } = await register(path);
    clock.advance(3_600_000);
    const { parameters } = await (await actAs(dealkeep, { client_id })).request({ redirect_uri: claude });
    const pages = await Promise.all(Array.from({ length: 20 }, () => ask(dealkeep, parameters)));
    expect(new Set(pages.map(({ status }) => status))).toEqual(new Set([303]));
    expect(host.requests.filter((request) => request.path === path)).toHaveLength(2);
  });
});

describe('whoever is not registered gets no further', () => {
  test('its address is shown with what to ask for, and not fetched (rule oauth 25)', async () => {
    const before = asks();
    const address = host.address('/stranger.json');
    const { parameters } = await (await actAs(dealkeep, { client_id: address })).request();
    const page = await ask(dealkeep, parameters);
    expect([page.status, page.location, asks()]).toEqual([400, undefined, before]);
    expect(page.html).toContain(`npx dealkeep oauth-apps create --metadata-url ${address}`);
    expect(page.html).toContain('Register an assistant');
  });

  test.each([
    'https://evil.example/$(reboot)',
    'https://evil.example/`id`',
    'https://evil.example/";id"',
    'https://evil.example/a b',
    'https://evil.example/<script>alert(1)</script>',
    'javascript:alert(1)',
    'dkapp_unknown',
  ])('%s is no address of a document: no command is shown', async (client_id) => {
    const page = await ask(dealkeep, new URLSearchParams({ client_id }));
    expect(page.status).toBe(400);
    // The link to the other language carries the question along, in an address.
    const shown = page.html.slice(page.html.indexOf('<main>'), page.html.indexOf('</main>'));
    expect(shown).toContain('is not registered with this service');
    expect(shown).not.toMatch(/--metadata-url|evil\.example|<script/);
  });

  test('nobody registers by the network', async () => {
    for (const path of ['/oauth/register', '/register']) {
      const response = await fetch(dealkeep.origin + path, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(host.document()),
        redirect: 'manual',
      });
      expect([303, 403, 404]).toContain(response.status);
    }
    expect(await findOAuthApp(core.sql, host.address())).toBeUndefined();
  });
});
