import { oauthScopes } from '@dealkeep/contract';
import { startAssistantHost } from '@dealkeep/testing';
import { beforeAll, expect, test } from 'vitest';
import { dealkeep, oneLine, ownDatabase, result } from './program.ts';

let variables: Record<string, string> = {};

beforeAll(async () => {
  variables = await ownDatabase();
});

interface AppSecret {
  client_id: string;
  client_secret: string;
}
const json = <Result = unknown>(...args: string[]) => result<Result>(['oauth-apps', ...args], variables);
const create = ['create', '--name', 'Zapier', '--redirect-uri'];
const scopes = ['--scopes', 'leads:read, leads:write'];
const clientId = expect.stringMatching(/^dkapp_[0-9A-Za-z]{43}$/);

test('an operator registers an application, sees it, and gives it a new secret (rules oauth 1 and operator 29)', async () => {
  const addresses = 'https://zapier.com/cb,http://127.0.0.1/cb';
  const made = await json<AppSecret>(...create, addresses, ...scopes);
  expect(made).toEqual({ client_id: clientId, client_secret: expect.stringMatching(/^dk_ocs_\w{43}$/) });
  const list = await json('list');
  expect(list).toEqual([
    {
      client_id: made.client_id,
      kind: 'confidential',
      organizations: null,
      name: 'Zapier',
      redirect_uris: ['https://zapier.com/cb', 'http://127.0.0.1/cb'],
      scopes: ['leads:read', 'leads:write'],
      created_at: expect.stringMatching(/^\d{4}-.*Z$/),
    },
  ]);
  expect(JSON.stringify(list)).not.toContain(made.client_secret);
  const rotated = await json<AppSecret>('rotate-secret', made.client_id);
  expect(rotated.client_id).toBe(made.client_id);
  expect(rotated.client_secret).not.toBe(made.client_secret);
});

test.each([
  ['an address', ['http://zapier.com/cb', ...scopes], 'takes an https address'],
  ['a scope', ['https://zapier.com/cb', '--scopes', 'products:read'], 'OAuth knows no scope "products:read"'],
])('%s that is not possible is refused in one line', async (_what, args, words) => {
  const refused = await dealkeep(['oauth-apps', ...create, ...args], variables);
  expect(refused.code).toBe(1);
  expect(refused.stderr).toMatch(oneLine);
  expect(refused.stderr).toContain(words);
});

test('a new secret for an application that does not exist is refused', async () => {
  const unknown = await dealkeep(['oauth-apps', 'rotate-secret', 'dkapp_unknown'], variables);
  expect(unknown.code).toBe(1);
  expect(unknown.stderr).toMatch(oneLine);
  expect(unknown.stderr).toContain('There is no application with the id dkapp_unknown');
});

test('an application is removed: it stands in the list no more, and one that is not there is refused', async () => {
  const made = await json<AppSecret>(...create, 'https://zapier.com/cb', ...scopes);
  expect(await json('remove', made.client_id)).toEqual({
    client_id: made.client_id,
    name: 'Zapier',
    connections: 0,
  });
  const list = await json<{ client_id: string }[]>('list');
  expect(list.map((app) => app.client_id)).not.toContain(made.client_id);
  const again = await dealkeep(['oauth-apps', 'remove', made.client_id], variables);
  expect([again.code, again.stderr]).toEqual([1, expect.stringMatching(oneLine)]);
  expect(again.stderr).toContain(`There is no application with the id ${made.client_id}`);
});

test('a public application gets no secret, may ask for everything unless it is told, and can be given no secret', async () => {
  const addresses = 'http://localhost/callback,http://127.0.0.1/callback';
  const made = await json<AppSecret>(
    'create',
    '--name',
    'Assistant',
    '--redirect-uri',
    addresses,
    '--public',
  );
  expect(made).toEqual({ client_id: clientId });
  const list = await json<{ client_id: string }[]>('list');
  expect(list.find((app) => app.client_id === made.client_id)).toMatchObject({
    kind: 'public',
    scopes: oauthScopes,
  });
  const refused = await dealkeep(['oauth-apps', 'rotate-secret', made.client_id], variables);
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringMatching(oneLine)]);
  expect(refused.stderr).toContain('is a public application, which has no secret');
});

test('an assistant is registered by its document, and listed with what it says', async () => {
  const host = await startAssistantHost();
  host.serve(host.document());
  const own = { ...variables, WEBHOOK_ALLOWED_TARGETS: '127.0.0.1' };
  const made = await result<{ client_id: string }>(
    ['oauth-apps', 'create', '--metadata-url', host.address(), '--scopes', 'leads:read'],
    own,
  );
  expect(made).toMatchObject({ client_id: host.address(), name: 'Claude', scopes: ['leads:read'] });
  const list = await json<{ client_id: string }[]>('list');
  expect(list.find((app) => app.client_id === host.address())).toMatchObject({
    kind: 'metadata_document',
    name: 'Claude',
    organizations: null,
  });
});

const metadataUrl = 'https://127.0.0.1/client.json';
test.each([
  [
    'a document of a private address',
    ['--metadata-url', metadataUrl],
    '--metadata-url: This address does not lead to the public internet',
  ],
  [
    'an address without https',
    ['--metadata-url', 'http://assistant.example/a'],
    '--metadata-url: This must be an https address',
  ],
  [
    'a name beside a document',
    ['--metadata-url', metadataUrl, '--name', 'x'],
    '--name stands in the document',
  ],
  ['neither name nor document', ['--public'], '--name or --metadata-url must be given'],
  ['no redirect address', ['--name', 'x', '--public'], '--redirect-uri must be given'],
  [
    'a secret without scopes',
    ['--name', 'x', '--redirect-uri', 'https://a.example/'],
    '--scopes must be given',
  ],
])('%s is refused in one line', async (_what, args, words) => {
  const refused = await dealkeep(['oauth-apps', 'create', ...args], variables);
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringMatching(oneLine)]);
  expect(refused.stderr).toContain(words);
});
