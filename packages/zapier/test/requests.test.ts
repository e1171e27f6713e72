import { afterAll, describe, expect, test } from 'vitest';
import manifest from '../package.json' with { type: 'json' };
import { apiKey } from '../src/index.ts';
import { builtIntegration } from './platform/built-integration.ts';
import { passPauses } from './platform/passing-clock.ts';
import { startInProcess } from './platform/platform.ts';
import { type ScriptedAnswer, type ScriptedApi, startScriptedApi } from './platform/scripted-api.ts';

const key = 'dk_live_aVerySecretKeyThatNobodyMayEverSee0123456';
const company = { id: '01985f6e-2c41-7f21-a6d4-93b07c5e8812', name: 'Tatra' };
const created: ScriptedAnswer = { status: 201, body: { data: company } };
const error = (
  status: number,
  code: string,
  message: string,
  detail?: unknown,
  headers = {},
): ScriptedAnswer => ({
  status,
  headers,
  body: { error: { code, message, detail } },
});

const platform = await startInProcess(builtIntegration(apiKey));
const { pauses } = passPauses();
const apis: ScriptedApi[] = [];
afterAll(async () => {
  await Promise.all([platform.close(), ...apis.map((api) => api.close())]);
});

/** Runs "Create Company" against an API that answers as scripted. */
async function createCompany(
  answers: readonly [ScriptedAnswer, ...ScriptedAnswer[]],
  inputData: Record<string, unknown> = { name: 'Tatra', email: 'info@tatra.example' },
) {
  const api = await startScriptedApi(answers);
  apis.push(api);
  const run = platform.run('creates.create_company.operation.perform', {
    authData: { base_url: api.baseUrl, api_key: key },
    inputData,
    meta: {},
  });
  const outcome = await run.then(
    (result) => ({ result, error: undefined }),
    (thrown: unknown) => ({
      result: undefined,
      error: thrown instanceof Error ? thrown : new Error(String(thrown)),
    }),
  );
  return { ...outcome, seen: api.seen };
}

const keysUsed = (seen: readonly { headers: Readonly<Record<string, string>> }[]) =>
  new Set(seen.map(({ headers }) => headers['idempotency-key']));

describe('a failure that passes is tried again with the same Idempotency-Key (rule connectors 13)', () => {
  test.each<[string, ScriptedAnswer]>([
    ['a server error', error(500, 'INTERNAL_ERROR', 'Something went wrong.')],
    ['a bad gateway', { status: 502, body: '<html>Bad gateway</html>' }],
    ['a broken connection', 'hang up'],
    ['a key that is still in use', error(409, 'IDEMPOTENCY_IN_PROGRESS', 'Still running.')],
  ])('%s', async (_, trouble) => {
    const before = pauses.length;
    const { result, seen } = await createCompany([trouble, trouble, created]);
    expect(result).toMatchObject(company);
    expect(seen).toHaveLength(3);
    const [first = 0, second = 0, ...others] = pauses.slice(before);
    expect([first >= 500, second >= 1000, others]).toEqual([true, true, []]);
    expect(keysUsed(seen).size).toBe(1);
  });

  test('two runs of a step use two keys', async () => {
    const one = await createCompany([created]);
    const other = await createCompany([created]);
    expect(keysUsed([...one.seen, ...other.seen]).size).toBe(2);
  });
});

describe('an answer that is no success', () => {
  test.each<[string, ScriptedAnswer, string, string]>([
    [
      '401 asks to reconnect (rule zapier 4)',
      error(401, 'UNAUTHORIZED', 'The API key is not valid.'),
      'ExpiredAuthError',
      'The API key is not valid. Reconnect the account with a valid API key.',
    ],
    [
      '402 says what to do (rule connectors 11)',
      error(402, 'PAYMENT_REQUIRED', 'The subscription is not active. Renew it to go on.'),
      'AppError',
      'The subscription is not active. Renew it to go on.',
    ],
    [
      '403 says what to do (rule connectors 11)',
      error(403, 'FORBIDDEN', 'The API key lacks the scope companies:write.'),
      'AppError',
      'The API key lacks the scope companies:write.',
    ],
    [
      'a conflict stops the step without an alarm (rule zapier 14)',
      error(409, 'CONFLICT', 'The lead is archived and cannot be changed.'),
      'HaltedError',
      'The lead is archived and cannot be changed.',
    ],
    [
      '422 names the failing fields by their labels (rule connectors 11)',
      error(422, 'VALIDATION_ERROR', 'Some fields are not valid.', {
        fields: [
          { path: 'email', code: 'invalid_email', message: 'This is not an e-mail address.' },
          { path: 'owner_id', code: 'not_found', message: 'There is no such record.' },
        ],
      }),
      'AppError',
      'Email: This is not an e-mail address. Owner: There is no such record. It may have been deleted: choose another one.',
    ],
  ])('%s', async (_, answer, name, message) => {
    const { error: thrown, seen } = await createCompany([answer]);
    expect(thrown?.name).toBe(name);
    expect(name === 'AppError' ? JSON.parse(thrown?.message ?? '').message : thrown?.message).toBe(message);
    expect(seen).toHaveLength(1);
    expect(`${thrown?.message} ${thrown?.stack}`).not.toContain(key);
  });

  test.each<[string, string, Record<string, string>, number]>([
    ['as long as the API asks for', 'Try again in 37 s.', { 'Retry-After': '37' }, 37],
    ['60 seconds where it asks for none', 'Try again later.', {}, 60],
  ])('429 lets Zapier run the step again after %s (rule zapier 14)', async (_, message, headers, delay) => {
    const limited = error(429, 'RATE_LIMITED', message, undefined, headers);
    const { error: thrown, seen } = await createCompany([limited]);
    expect(thrown?.name).toBe('ThrottledError');
    expect(JSON.parse(thrown?.message ?? '')).toEqual({ message, delay });
    expect(seen).toHaveLength(1);
  });

  test('a service that does not answer is named, and no secret with it', async () => {
    const { error: thrown, seen } = await createCompany(['hang up']);
    expect(thrown?.message).toContain('did not answer');
    expect(thrown?.message).not.toContain(key);
    expect(seen.length).toBeGreaterThan(2);
  });
});

describe('a request', () => {
  test('carries the key, the language, the name of the program and what was filled in, to the letter (rule connectors 14)', async () => {
    const name = 'Žltý kôň {{bundle.authData.api_key}} "&?=#';
    const { seen } = await createCompany([created], { name });
    expect(seen[0]).toMatchObject({
      method: 'POST',
      path: '/api/v1/public/companies',
      body: { name },
      headers: {
        authorization: `Bearer ${key}`,
        'accept-language': 'en',
        'content-type': 'application/json',
        // So that Dealkeep knows who has connected.
        'user-agent': `dealkeep-zapier/${manifest.version} Zapier`,
        // What is unpacked first, the core may log when the run has ended, without striking out its secrets.
        'accept-encoding': 'identity',
      },
    });
  });
});
