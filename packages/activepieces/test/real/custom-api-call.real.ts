import { sharedDealkeep } from '@dealkeep/testing';
import { describe, expect, test } from 'vitest';
import { connectionTo, runAction, type Values } from './engine.ts';
import { piece } from './platform.ts';
import { startScriptedApi } from './scripted-api.ts';
import { messageOf, newWorld } from './world.ts';

const root = '/api/v1/public';
const ok = { status: 200, body: { data: {} } };

const call = (baseUrl: string, url: string, more: Values = {}, key = 'dk_live_x') =>
  runAction('custom_api_call', connectionTo(baseUrl, key), {
    url: { url },
    method: 'GET',
    headers: {},
    queryParams: {},
    ...more,
  });

describe('a call of the API that no action makes (rule activepieces 10)', () => {
  test('is sent to a path below the API root, or to the whole address', async () => {
    const { baseUrl, seen } = await startScriptedApi([ok]);
    await call(baseUrl, '/leads?limit=1', { queryParams: { q: 'city bike' } });
    await call(baseUrl, 'leads');
    await call(baseUrl, `${baseUrl}${root}/leads`, { headers: { authorization: 'none', 'X-Own': '1' } });
    expect(seen.map(({ path }) => path)).toEqual([
      `${root}/leads?limit=1&q=city+bike`,
      `${root}/leads`,
      `${root}/leads`,
    ]);
    expect(seen.map(({ headers }) => headers['authorization'])).toEqual(Array(3).fill('Bearer dk_live_x'));
    expect(seen[2]?.headers['x-own']).toBe('1');
  });

  test.each<[string, (own: URL, other: URL) => string]>([
    ['another host', (_, other) => `${other.origin}${root}/leads`],
    ['another host without a scheme', (_, other) => `//${other.host}${root}/leads`],
    [
      'the own host as a name before another',
      (own, other) => `http://${own.host}@${other.host}${root}/leads`,
    ],
    ['the own address before another', (own, other) => `${own.origin}@${other.host}${root}/leads`],
    ['backslashes', (_, other) => `\\\\${other.host}${root}/leads`],
    ['a backslash in the host', (own, other) => `http://${other.host}\\@${own.host}${root}/leads`],
    ['a scheme without slashes', (_, other) => `http:${other.host}${root}/leads`],
    ['capitals', (_, other) => `HTTP://${other.host}${root}/leads`],
    ['a line break', (_, other) => `ht\ntp://${other.host}${root}/leads`],
    ['the own host without encryption', (own) => `ftp://${own.host}${root}/leads`],
    ['another port', (own) => `http://${own.hostname}:1${root}/leads`],
    ['another path of the own host', (own) => `${own.origin}/console`],
    ['a path that only begins like the root', (own) => `${own.origin}${root}-other/leads`],
    ['steps up', () => '/../../console'],
    ['steps up in code', () => '/%2e%2e/%2E%2e/console'],
    ['slashes in code', () => '/..%2f..%2fconsole'],
    ['backslashes in code', () => '/..%5C..%5Cconsole'],
    ['code in code', () => '/%252e%252e/console'],
    ['a name and a password', (own) => `http://a:b@${own.host}${root}/leads`],
    ['no web address', () => 'javascript:alert(1)'],
  ])('sends no key to %s', async (_, addressOf) => {
    const [own, other] = [await startScriptedApi([ok]), await startScriptedApi([ok])];
    const address = addressOf(new URL(own.baseUrl), new URL(other.baseUrl));
    expect(await messageOf(call(own.baseUrl, address))).toBe(
      `URL: The key of this connection is only sent to addresses below ${own.baseUrl}${root}. Write a path such as /leads, or use the HTTP step of the platform without the key for other addresses.`,
    );
    expect([...own.seen, ...other.seen]).toEqual([]);
  });

  test('follows no redirect, whatever a flow of before has chosen', async () => {
    const other = await startScriptedApi([ok]);
    const Location = `${other.baseUrl}${root}/leads`;
    const { baseUrl, seen } = await startScriptedApi([{ status: 302, headers: { Location } }]);
    expect(await messageOf(call(baseUrl, '/leads', { followRedirects: true }))).toMatch(
      / sends requests on to another address\. /,
    );
    expect(seen).toHaveLength(1);
    expect(other.seen).toEqual([]);
    expect(piece.getAction('custom_api_call')?.props).not.toHaveProperty('followRedirects');
  });

  test('writes with a JSON body, and tells refusals', async () => {
    const { auth } = await newWorld(await sharedDealkeep());
    const { base_url: baseUrl, api_key: key } = auth.props;
    const post = (data: unknown, more: Values = {}) =>
      call(baseUrl, '/companies', { method: 'POST', body_type: 'json', body: { data }, ...more }, key);
    expect(await post({ name: 'Tatra' })).toMatchObject({ status: 201, body: { data: { name: 'Tatra' } } });
    expect(await messageOf(post({}))).toMatch(/^422: /);
    expect(await post({}, { failsafe: true })).toMatchObject({ response: { status: 422 } });
    expect(await messageOf(call('http://127.0.0.1:9', '/leads'))).toMatch(
      /^127\.0\.0\.1:9 did not answer\. /,
    );
    expect(process.env['NODE_TLS_REJECT_UNAUTHORIZED']).toBeUndefined();
  });
});
