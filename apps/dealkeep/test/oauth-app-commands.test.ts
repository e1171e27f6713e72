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

test('an operator registers an application, sees it, and gives it a new secret', async () => {
  const addresses = 'https://zapier.com/cb,http://127.0.0.1/cb';
  const made = await json<AppSecret>(...create, addresses, ...scopes);
  expect(made).toEqual({ client_id: clientId, client_secret: expect.stringMatching(/^dk_ocs_\w{43}$/) });
  const list = await json('list');
  expect(list).toEqual([
    {
      client_id: made.client_id,
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
