import { sharedDealkeep } from '@dealkeep/testing';
import { describe, expect, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { connectionTo, newRunId, runAction, type StepOptions, type Values } from './engine.ts';
import { type ScriptedAnswer, startLossyProxy, startScriptedApi } from './scripted-api.ts';
import { messageOf, newWorld } from './world.ts';

const created: ScriptedAnswer = { status: 201, body: { data: { id: 'c-1', name: 'Tatra' } } };
const refused = (status: number, code: string, message: string, headers = {}): ScriptedAnswer => ({
  status,
  headers,
  body: { error: { code, message } },
});

async function createCompany(
  answers: readonly [ScriptedAnswer, ...ScriptedAnswer[]],
  options: StepOptions = {},
  times = 1,
) {
  const { baseUrl, seen } = await startScriptedApi(answers);
  const run = async () => {
    let last: Values = {};
    for (let count = 0; count < times; count += 1) {
      last = await runAction(
        'create_company',
        connectionTo(baseUrl, 'dk_live_x'),
        { name: 'Tatra' },
        options,
      );
    }
    return last;
  };
  return {
    run,
    seen,
    host: new URL(baseUrl).host,
    keys: () => seen.map(({ headers }) => headers['idempotency-key']),
  };
}

describe('a failure that passes is tried again with the same Idempotency-Key (rules activepieces 6 and connectors 13)', () => {
  test.each<[string, ScriptedAnswer]>([
    ['a server error', refused(500, 'INTERNAL_ERROR', 'Something went wrong.')],
    ['a bad gateway', { status: 502, body: '<html>Bad gateway</html>' }],
    ['a broken connection', 'hang up'],
    ['a key that is still in use', refused(409, 'IDEMPOTENCY_IN_PROGRESS', 'Still running.')],
    ['too many requests', refused(429, 'RATE_LIMITED', 'Too many requests.', { 'Retry-After': '1' })],
  ])('%s', async (_, failure) => {
    const { run, keys } = await createCompany([failure, created]);
    expect(await run()).toMatchObject({ id: 'c-1' });
    expect(keys()).toHaveLength(2);
    expect(new Set(keys()).size).toBe(1);
  });

  test('and no more than four times', async () => {
    const { run, keys } = await createCompany([refused(500, 'INTERNAL_ERROR', 'Something went wrong.')]);
    expect(await messageOf(run())).toBe('Something went wrong.');
    expect(keys()).toHaveLength(4);
  });
});

describe('the Idempotency-Key of a step (rule activepieces 5)', () => {
  test('is the same when the platform runs a failed step again', async () => {
    const options = { runId: newRunId() };
    const { run, keys } = await createCompany([refused(422, 'VALIDATION_ERROR', 'No.'), created], options);
    await messageOf(run());
    await run();
    expect(new Set(keys()).size).toBe(1);
  });

  test('is another one for the next item of a loop, also when it has the same content', async () => {
    const { run, keys } = await createCompany([created], { runId: newRunId() }, 3);
    await run();
    expect(new Set(keys()).size).toBe(3);
  });

  test('is another one in another run, and whenever a step is tried out', async () => {
    const used = await Promise.all(
      [newRunId(), newRunId(), 'test-run-id', 'test-run-id'].map(async (runId) => {
        const { run, keys } = await createCompany([created], { runId });
        await run();
        return keys();
      }),
    );
    expect(new Set(used.flat()).size).toBe(4);
  });

  test.each([
    ['one answer is lost, and the step sends again', 1],
    ['all answers are lost, and the platform runs the step again', 4],
  ])('makes one record when %s', async (_, lost) => {
    const { api, auth } = await newWorld(await sharedDealkeep());
    const baseUrl = await startLossyProxy(auth.props.base_url, lost);
    const run = () =>
      runAction('create_company', connectionTo(baseUrl, auth.props.api_key), { name: 'Tatra' }, { runId });
    const runId = newRunId();
    if (lost > 1) expect(await messageOf(run())).toContain('did not answer');
    const made = await run();
    const { data } = await api.get('/companies');
    expect([data].flat()).toMatchObject([{ id: made['id'], name: 'Tatra' }]);
  });
});

describe('a refusal is told in words that lead to the mend (rule connectors 11)', () => {
  test('with the label of the field', async () => {
    const { auth } = await newWorld(await sharedDealkeep());
    expect(await messageOf(runAction('create_company', auth, { name: 'Tatra', email: 'x' }))).toMatch(
      /^Email: /,
    );
    expect(
      await messageOf(
        runAction('create_invoice', auth, { items: [{ items__name: 'Bike', items__quantity: -1 }] }),
      ),
    ).toMatch(/Items 1, /);
  });

  test('a key that is not valid', async () => {
    const { run } = await createCompany([refused(401, 'UNAUTHORIZED', 'The API key is not valid.')]);
    expect(await messageOf(run())).toBe(
      'The API key is not valid. Open the connection and set a valid API Key.',
    );
  });

  test('what is no Dealkeep', async () => {
    const { run, host } = await createCompany([{ status: 200, body: '<html>Hello</html>' }]);
    expect(await messageOf(run())).toBe(
      `${host} answers, but not as the API of Dealkeep does. Open the connection and set the right Service Address.`,
    );
  });

  test('an address that sends requests on, and the key goes nowhere (rules activepieces 1 and connectors 13)', async () => {
    const other = await startScriptedApi([created]);
    const { run, host } = await createCompany([
      { status: 307, headers: { Location: `${other.baseUrl}/api/v1/public/companies` } },
    ]);
    expect(await messageOf(run())).toContain(`${host} sends requests on to another address.`);
    expect(other.seen).toEqual([]);
  });

  test('a server that is not there', async () => {
    const auth = connectionTo('https://dealkeep.invalid', 'dk_live_x');
    expect(await messageOf(runAction('create_company', auth, { name: 'Tatra' }))).toBe(
      'There is no server named dealkeep.invalid. Open the connection and set the right Service Address.',
    );
  });

  test.each(['http://crm.example.com', 'crm.example.com', '', 'https://user@crm.example.com'])(
    'the address %j, to which no key is sent',
    async (address) => {
      const run = runAction('create_company', connectionTo(address, 'dk_live_x'), { name: 'Tatra' });
      expect(await messageOf(run)).toMatch(/^Service Address: This must be a web address/);
    },
  );
});

test('requests say who sends them (rule connectors 14)', async () => {
  const { run, seen } = await createCompany([created]);
  await run();
  expect(seen[0]?.headers['user-agent']).toBe(`dealkeep-activepieces/${manifest.version}`);
});
