/** Assistants that sign in with the account of a person, as the protocol's own client does it. */
import { createApi, serve } from '@dealkeep/api';
import { createConsole } from '@dealkeep/console';
import { createDocumentedApp, createOAuthApp } from '@dealkeep/core/accounts';
import { createMcp } from '@dealkeep/mcp';
import {
  Browser,
  freePort,
  startAssistantHost,
  startDealkeep,
  type TestOrganization,
} from '@dealkeep/testing';
import {
  Client,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  type StoredOAuthTokens,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client';
import { afterAll, expect, test } from 'vitest';

const dealkeep = await startDealkeep({ worker: false });
const organization = await dealkeep.createOrganization();
// An installation whose public address is the one that it listens at.
const port = Number(await freePort());
const core = { ...dealkeep.core, origin: `http://127.0.0.1:${port}` };
const server = await serve(
  createApi({ core, elsewhere: createConsole({ core }), assistants: createMcp(core, 'test') }),
  { port, host: '127.0.0.1' },
);
afterAll(() => server.stop(1000));
const host = await startAssistantHost();
const redirectUrl = 'http://localhost:58135/callback';

/** An assistant on somebody's machine: it remembers what it was given, and its user sees a browser. */
class Assistant implements OAuthClientProvider {
  readonly redirectUrl = redirectUrl;
  readonly clientMetadata = { client_name: 'Claude', redirect_uris: [redirectUrl] };
  readonly clientMetadataUrl?: string;
  readonly #clientId: string | undefined;
  sentTo: URL | undefined;
  saved: StoredOAuthTokens | undefined;
  #verifier = '';
  #discovered: OAuthDiscoveryState | undefined;

  constructor(client: { metadataUrl: string } | { clientId: string }) {
    if ('metadataUrl' in client) this.clientMetadataUrl = client.metadataUrl;
    else this.#clientId = client.clientId;
  }

  clientInformation() {
    const id = this.clientMetadataUrl ?? this.#clientId;
    return id === undefined ? undefined : { client_id: id };
  }
  tokens() {
    return this.saved;
  }
  saveTokens(tokens: StoredOAuthTokens) {
    this.saved = tokens;
  }
  redirectToAuthorization(address: URL) {
    this.sentTo = address;
  }
  saveCodeVerifier(verifier: string) {
    this.#verifier = verifier;
  }
  codeVerifier() {
    return this.#verifier;
  }
  saveDiscoveryState(state: OAuthDiscoveryState) {
    this.#discovered = state;
  }
  discoveryState() {
    return this.#discovered;
  }
}

const open = (assistant: Assistant, path: string) => {
  const client = new Client(
    { name: 'assistant', version: '1' },
    { versionNegotiation: { mode: { pin: '2026-07-28' } } },
  );
  const transport = new StreamableHTTPClientTransport(new URL(core.origin + path), {
    authProvider: assistant,
  });
  return { client, transport };
};

/** Connects as a person would: the first try sends them to the consent page, where they allow it. */
async function connect(
  assistant: Assistant,
  { path = '/mcp', who = organization }: { path?: string; who?: TestOrganization } = {},
) {
  const first = open(assistant, path);
  await expect(first.client.connect(first.transport)).rejects.toThrow(UnauthorizedError);
  const { pathname, search, searchParams } = assistant.sentTo ?? new URL(core.origin);
  const browser = new Browser(core);
  await browser.signIn(who);
  const page = await browser.get(pathname + search);
  if (page.status !== 200) return { page, resource: searchParams.get('resource') };
  const { location = '' } = await browser.submit(page, '/oauth/authorize', { decision: 'allow' });
  await first.transport.finishAuth(new URL(location).searchParams);
  const { client, transport } = open(assistant, path);
  await client.connect(transport);
  return { page, client, resource: searchParams.get('resource') };
}

test.each(['/mcp', '/mcp/sales', '/mcp/work/readonly'])(
  'a registered assistant connects to %s by its document alone, and uses its tools',
  async (path) => {
    host.serve(host.document());
    await createDocumentedApp(core, { metadataUrl: host.address(), scopes: undefined });
    const assistant = new Assistant({ metadataUrl: host.address() });
    const { page, client, resource } = await connect(assistant, { path });
    expect(resource).toBe(core.origin + path);
    expect(page.html).toContain(`Claude (${new URL(host.address()).host}) asks for access`);
    const { tools = [] } = (await client?.listTools()) ?? {};
    expect(tools.length).toBeGreaterThan(0);
    await client?.close();
  },
);

test('a public client that the operator registered connects, and refreshes by itself', async () => {
  const { client_id: clientId } = await createOAuthApp(core, {
    name: 'My assistant',
    redirectUris: ['http://localhost/callback'],
    scopes: ['leads:read'],
    isPublic: true,
  });
  const assistant = new Assistant({ clientId });
  const { client } = await connect(assistant);
  const { tools = [] } = (await client?.listTools()) ?? {};
  expect(tools.map(({ name }) => name)).toContain('get_lead');
  expect(tools.map(({ name }) => name)).not.toContain('create_lead');
  const before = assistant.saved?.refresh_token;
  await dealkeep.sql`update oauth_access_tokens set expires_at = '2000-01-01'`;
  expect((await client?.listTools())?.tools).toHaveLength(tools.length);
  expect(assistant.saved?.refresh_token).not.toBe(before);
  await client?.close();
});

test('one that nobody registered gets as far as the page that says whom to ask', async () => {
  const metadataUrl = 'https://assistant.example/oauth/client.json';
  const { page, client } = await connect(new Assistant({ metadataUrl }));
  expect([page.status, client]).toEqual([400, undefined]);
  expect(page.html).toContain(`npx dealkeep oauth-apps create --metadata-url ${metadataUrl}`);
});

test('a token for the API is refused with the metadata of the very address', async () => {
  const connectedApp = await createOAuthApp(core, {
    name: 'Sync',
    redirectUris: ['http://localhost/callback'],
    scopes: ['leads:read'],
    isPublic: true,
  });
  const assistant = new Assistant({ clientId: connectedApp.client_id });
  await connect(assistant, { path: '/mcp/sales' });
  const send = (path: string, token: string) =>
    fetch(core.origin + path, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }),
    });
  const token = assistant.saved?.access_token ?? '';
  expect((await send('/mcp/work', token)).status).not.toBe(401);
  const api = await fetch(`${core.origin}/api/v1/public/leads`, {
    headers: { authorization: `Bearer ${token}` },
  });
  expect(api.status).toBe(401);
  await dealkeep.sql`update oauth_access_tokens set resources = '{api}'`;
  const refused = await send('/mcp/sales', token);
  expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([
    401,
    `Bearer error="invalid_token", resource_metadata="${core.origin}/.well-known/oauth-protected-resource/mcp/sales"`,
  ]);
});
