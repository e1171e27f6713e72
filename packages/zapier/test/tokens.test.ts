import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { oauth2 } from '../src/index.ts';
import { builtIntegration } from './platform/built-integration.ts';
import { failureOf } from './platform/failure.ts';
import { passPauses } from './platform/passing-clock.ts';
import { startInProcess } from './platform/platform.ts';
import { type ScriptedAnswer, type ScriptedApi, startScriptedApi } from './platform/scripted-api.ts';

/** A token endpoint in trouble; what the real one answers stands in promises/day. */
const platform = await startInProcess(builtIntegration(oauth2), { reports: true });
passPauses();
const apis: ScriptedApi[] = [];
afterAll(() => Promise.all([platform.close(), ...apis.map((api) => api.close())]));

const granted: ScriptedAnswer = {
  status: 200,
  body: { access_token: 'dk_oat_new', refresh_token: 'dk_ort_new', token_type: 'Bearer', expires_in: 3600 },
};
const busy: ScriptedAnswer = { status: 503, headers: { 'Retry-After': '1' }, body: { error: 'busy' } };

const limited = (seconds: string): ScriptedAnswer => ({
  status: 429,
  headers: { 'Retry-After': seconds },
  body: { error: 'temporarily_unavailable', error_description: 'Too many requests' },
});

async function against(...answers: [ScriptedAnswer, ...ScriptedAnswer[]]): Promise<ScriptedApi> {
  const api = await startScriptedApi(answers);
  apis.push(api);
  Object.assign(platform.environment, {
    BASE_URL: api.baseUrl,
    CLIENT_ID: 'dkapp_zapier',
    CLIENT_SECRET: 'very secret & odd',
  });
  return api;
}

const code = {
  code: 'dk_oac_code',
  code_verifier: 'v'.repeat(43),
  redirect_uri: 'https://zapier.com/back?x=1',
};
const redeem = () => platform.run('authentication.oauth2Config.getAccessToken', { inputData: code });
const refresh = () =>
  platform.run('authentication.oauth2Config.refreshAccessToken', {
    authData: { access_token: 'dk_oat_old', refresh_token: 'dk_ort_old' },
  });
const bodies = ({ seen }: ScriptedApi) =>
  seen.map(({ body }) => Object.fromEntries(new URLSearchParams(String(body))));
const client = { client_id: 'dkapp_zapier', client_secret: 'very secret & odd' };

test('a code goes to the token endpoint with its verifier and the client credentials, in the form alone', async () => {
  const api = await against(granted);
  expect(await redeem()).toEqual({ access_token: 'dk_oat_new', refresh_token: 'dk_ort_new' });
  expect(bodies(api)).toEqual([{ grant_type: 'authorization_code', ...code, ...client }]);
  const [request] = api.seen;
  expect(request).toMatchObject({
    method: 'POST',
    path: '/oauth/token',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
  expect(request?.headers).not.toHaveProperty('authorization');
});

test('a refresh token goes there alone, and both new tokens are kept', async () => {
  const api = await against(granted);
  expect(await refresh()).toEqual({ access_token: 'dk_oat_new', refresh_token: 'dk_ort_new' });
  expect(bodies(api)).toEqual([{ grant_type: 'refresh_token', refresh_token: 'dk_ort_old', ...client }]);
});

describe('a refresh is tried again with the same token', () => {
  test.each<[string, ScriptedAnswer]>([
    ['when the answer was lost', 'hang up'],
    ['when the service is busy', busy],
    ['when the application sent too many requests', limited('1')],
    ['when a gateway gives up', { status: 502, body: '<html>Bad gateway</html>' }],
  ])('%s', async (_, trouble) => {
    const api = await against(trouble, granted);
    expect(await refresh()).toMatchObject({ refresh_token: 'dk_ort_new' });
    expect(bodies(api).map((body) => body['refresh_token'])).toEqual(['dk_ort_old', 'dk_ort_old']);
  });
});

describe('a code is sent again (rule zapier 4)', () => {
  test.each<[string, ScriptedAnswer]>([
    ['when the service says that it was busy', busy],
    ['when the service says that the application sent too many requests', limited('1')],
  ])('%s', async (_, trouble) => {
    const api = await against(trouble, granted);
    expect(await redeem()).toMatchObject({ access_token: 'dk_oat_new' });
    expect(api.seen).toHaveLength(2);
  });

  test.each<[string, ScriptedAnswer]>([
    ['the answer was lost', 'hang up'],
    ['a gateway gave up', { status: 502, body: '<html>Bad gateway</html>' }],
  ])('never when %s, because it would count as stolen', async (_, trouble) => {
    const api = await against(trouble, granted);
    await failureOf(redeem());
    expect(api.seen).toHaveLength(1);
  });
});

test('a wait that is longer than the run is left to Zapier, as long as the service asks for', async () => {
  const api = await against(limited('50'));
  for (const run of [redeem, refresh]) {
    expect(await failureOf(run())).toEqual({
      name: 'ThrottledError',
      message: 'Dealkeep cannot connect the account. Try again in a while.',
      delay: 50,
    });
  }
  expect(api.seen).toHaveLength(2);
});

describe('says what to do', () => {
  test('when the refresh token has ended (rule zapier 4)', async () => {
    await against({ status: 400, body: { error: 'invalid_grant', error_description: 'It has ended' } });
    expect(await failureOf(refresh())).toMatchObject({
      name: 'ExpiredAuthError',
      message: 'This connection has ended. Reconnect the account.',
    });
  });

  test('when the registration of the integration is not valid any more, which no refresh mends', async () => {
    await against({ status: 401, body: { error: 'invalid_client', error_description: 'Wrong' } });
    for (const run of [redeem, refresh]) {
      expect(await failureOf(run())).toMatchObject({
        name: 'AppError',
        message:
          'Dealkeep does not accept this integration: its client ID or secret is not valid. Its publisher can set them anew.',
      });
    }
  });

  test.each<[string, ScriptedAnswer]>([
    ['a page', { status: 200, body: '<html>Hello</html>' }],
    ['tokens that are none', { status: 200, body: { access_token: 7 } }],
    ['another error', { status: 400, body: { error: 'invalid_request', error_description: 'Odd' } }],
  ])('when %s comes back', async (_, answer) => {
    await against(answer);
    expect(await failureOf(redeem())).toMatchObject({
      name: 'AppError',
      message: 'Dealkeep cannot connect the account. Try again in a while.',
    });
  });

  test('when the endpoint sends on to another host, which hears nothing', async () => {
    const other = await against(granted);
    await against({ status: 307, headers: { Location: `${new URL(other.baseUrl).origin}/oauth/token` } });
    expect((await failureOf(refresh())).message).toMatch(/sends requests on to another address/);
    expect(other.seen).toEqual([]);
  });
});

describe('an integration whose environment is not complete says so, whatever is run (rule zapier 1)', () => {
  beforeEach(() => against(granted));

  test.each(['CLIENT_ID', 'CLIENT_SECRET', 'BASE_URL'])('%s', async (name) => {
    platform.environment[name] = '';
    await expect(redeem()).rejects.toThrow(`The integration is not set up: ${name} is missing`);
  });

  test('an address without encryption', async () => {
    platform.environment['BASE_URL'] = 'http://crm.example.com/api/v1/public';
    const test = platform.run('authentication.test', { authData: { access_token: 'dk_oat_x' } });
    await expect(test).rejects.toThrow('BASE_URL is not an https address');
  });
});

test('an access that has ended is refreshed, even where it ends while the account is tested (rule zapier 4)', async () => {
  await against({ status: 401, body: { error: { code: 'UNAUTHORIZED', message: 'It has expired.' } } });
  const test = platform.run('authentication.test', { authData: { access_token: 'dk_oat_x' } });
  expect(await failureOf(test)).toMatchObject({
    name: 'RefreshAuthError',
    message: 'The access of this connection has ended. Reconnect the account if this stays so.',
  });
});

test('a connection is labelled by its person or its key, and by the organization (rule zapier 3)', async () => {
  const organization = { name: 'Tatra Studio' };
  const token = { name: 'Automation' };
  const label = (me: object) => platform.run('authentication.connectionLabel', { inputData: me });
  expect(await label({ organization, token, user: { name: 'Jana Horváthová' } })).toBe(
    'Jana Horváthová @ Tatra Studio',
  );
  expect(await label({ organization, token, user: null })).toBe('Automation @ Tatra Studio');
});

test('neither tokens nor the code nor the secret are reported, only what happened (rule zapier 14)', async () => {
  const secrets = ['dk_oat_Qw7Zt1', 'dk_ort_Lm4Xc8', 'dk_oac_Pf2Vn6', 'dk_oat_Hj5Bd3', 'dk_ort_Ky9Rs0'].map(
    (start) => start.padEnd(50, 'x7Y'),
  );
  const [access_token, refresh_token, code, ...old] = secrets;
  await against({ status: 200, body: { access_token, refresh_token } });
  const secret = 'Zc3Ru8Tq'.repeat(6);
  platform.environment['CLIENT_SECRET'] = secret;
  const verifier = 'Nb6Ws1Gx'.repeat(6);
  const inputData = { code, code_verifier: verifier, redirect_uri: 'https://zapier.com/back' };
  const authData = { access_token: old[0], refresh_token: old[1] };
  await platform.run('authentication.oauth2Config.getAccessToken', { inputData });
  await platform.run('authentication.oauth2Config.refreshAccessToken', { authData });
  const told = platform.log.text();
  expect(told).toContain('grant_type=refresh_token');
  for (const hidden of [...secrets, secret, verifier]) expect(told).not.toContain(hidden);
});
