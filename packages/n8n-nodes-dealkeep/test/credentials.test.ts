import { expect, test } from 'vitest';
import { DealkeepApi } from '../credentials/DealkeepApi.credentials.ts';
import { DealkeepOAuth2Api } from '../credentials/DealkeepOAuth2Api.credentials.ts';
import manifest from '../package.json' with { type: 'json' };

// That n8n connects by them: real/credential.real.ts and real/oauth.real.ts.

test('there are three nodes and two credentials (rule n8n 1)', () => {
  const names = (files: readonly string[]) => files.map((file) => file.split('/').at(-1)?.split('.')[0]);
  expect(names(manifest.n8n.nodes)).toEqual(['Dealkeep', 'DealkeepPollTrigger', 'DealkeepTrigger']);
  expect(names(manifest.n8n.credentials)).toEqual(['DealkeepApi', 'DealkeepOAuth2Api']);
});

test('a key is put into requests by an expression, beside the base URL (rule n8n 1)', () => {
  const { name, properties, authenticate } = new DealkeepApi();
  expect(name).toBe('dealkeepApi');
  expect(properties.map((each) => each.name)).toEqual(['apiKey', 'baseUrl']);
  expect(authenticate.properties).toEqual({ headers: { Authorization: '=Bearer {{$credentials.apiKey}}' } });
});

test('OAuth is by PKCE with the secret in the body, at addresses of the base URL (rule n8n 1)', () => {
  const credential = new DealkeepOAuth2Api();
  expect([credential.name, credential.extends]).toEqual(['dealkeepOAuth2Api', ['oAuth2Api']]);
  const defaults = Object.fromEntries(credential.properties.map((each) => [each.name, each.default]));
  expect(defaults).toMatchObject({ grantType: 'pkce', authentication: 'body' });
  for (const name of ['authUrl', 'accessTokenUrl']) expect(defaults[name], name).toContain('baseUrl');
});
