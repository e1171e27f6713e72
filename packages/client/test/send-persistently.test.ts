import { describe, expect, test } from 'vitest';
import {
  filledPath,
  isPassingFailure,
  type Outcome,
  paceDelay,
  prepareRequest,
  type Sending,
  sendPersistently,
} from '../src/transport/index.ts';

const answer = (status: number, code?: string, headers: Record<string, string> = {}): Outcome<string> => ({
  status,
  header: (name) => headers[name],
  content: code === undefined ? undefined : { error: { code, message: code } },
});
const lost = (isPassing: boolean): Outcome<string> => ({ lost: 'no answer', isPassing });

/**
 * What becomes of a request that is answered so, the last one for good; and for how many milliseconds it waited each
 * time.
 */
async function sent(outcomes: readonly Outcome<string>[], settings: Partial<Sending<string>> = {}) {
  let now = 0;
  let count = 0;
  const waits: number[] = [];
  const outcome = await sendPersistently({
    send: async () => outcomes[Math.min(count++, outcomes.length - 1)] ?? expect.unreachable(),
    method: 'POST',
    plan: { attempts: 5 },
    clock: { now: () => now, random: () => 0 },
    pause: async (milliseconds) => {
      waits.push(milliseconds);
      now += milliseconds;
    },
    ...settings,
  });
  return { outcome, waits };
}

const done = answer(200);

describe('a request is sent again (rule errors 8)', () => {
  test.each<[string, Outcome<string>, number]>([
    ['after a 5xx', answer(502), 1000],
    ['after a failure of the network', lost(true), 1000],
    ['after the seconds of a 429', answer(429, 'RATE_LIMITED', { 'retry-after': '7' }), 7000],
    ['after a 429 that names no time', answer(429), 1000],
    ['after its own first attempt', answer(409, 'IDEMPOTENCY_IN_PROGRESS', { 'retry-after': '1' }), 1000],
  ])('%s', async (_, trouble, wait) => {
    expect(await sent([trouble, done])).toEqual({ outcome: done, waits: [wait] });
  });

  test('ever later for one cause, and from the beginning for another', async () => {
    const limit = answer(429);
    const { waits } = await sent([lost(true), lost(true), limit, lost(true), done]);
    expect(waits).toEqual([1000, 2000, 1000, 4000]);
  });
});

describe('a request is not sent again (rule errors 8)', () => {
  test.each<[string, Outcome<string>]>([
    ['after another refusal', answer(409, 'CONFLICT')],
    ['after a redirect', answer(302)],
    ['where the network fails for good', lost(false)],
    ['for an answer that the API gives again', answer(500, 'X', { 'idempotent-replayed': 'true' })],
  ])('%s', async (_, outcome) => {
    expect(await sent([outcome, done])).toEqual({ outcome, waits: [] });
  });

  test.each<[string, Partial<Sending<string>>, number]>([
    ['more often than attempts are left', { plan: { attempts: 3 } }, 2],
    ['more often than is meant for its cause', { plan: { repetitions: { failure: 1 } } }, 1],
    ['after a longer wait than makes sense', { plan: { longestWait: 2000 } }, 2],
    ['when the time is over', { plan: {}, latestStart: 7000 }, 3],
    ['where the platform knows better', { causeOf: () => undefined }, 0],
  ])('%s', async (_, settings, repetitions) => {
    expect((await sent([answer(503)], settings)).waits).toHaveLength(repetitions);
  });
});

test('a DELETE whose answer was lost is done when the next attempt finds nothing', async () => {
  const outcomes = [lost(true), answer(404, 'NOT_FOUND')];
  expect((await sent(outcomes, { method: 'DELETE' })).outcome).toMatchObject({ status: 204 });
  expect((await sent(outcomes, { method: 'PATCH' })).outcome).toMatchObject({ status: 404 });
  expect((await sent(outcomes.slice(1), { method: 'DELETE' })).outcome).toMatchObject({ status: 404 });
});

test.each([
  ['ENOTFOUND', false],
  ['EPROTO', false],
  ['ERR_SSL_WRONG_VERSION_NUMBER', false],
  ['ERR_TLS_CERT_ALTNAME_INVALID', false],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', false],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', false],
  ['ECONNREFUSED', true],
  ['ECONNRESET', true],
  ['ETIMEDOUT', true],
  ['EAI_AGAIN', true],
  ['ERR_NETWORK', true],
  [undefined, true],
])('a connection that fails with %s may pass: %s', (code, isPassing) => {
  expect(isPassingFailure(code)).toBe(isPassing);
});

describe('a request', () => {
  const parts = { root: 'https://crm.example.com/api/v1/public', path: '/leads' } as const;

  test('has a query of names below names, and nothing of what is undefined', () => {
    const query = {
      status: 'open',
      cursor: undefined,
      custom_field: { 'Segment A': 'Žiar & co', b: undefined },
    };
    expect(prepareRequest({ ...parts, method: 'GET', query })).toEqual({
      url: `${parts.root}/leads?status=open&custom_field%5BSegment+A%5D=%C5%BDiar+%26+co`,
      method: 'GET',
      headers: { Accept: 'application/json' },
    });
  });

  test('carries an Idempotency-Key where it is a POST alone', () => {
    const keys = (['GET', 'POST', 'PATCH', 'DELETE'] as const).map(
      (method) => prepareRequest({ ...parts, method, idempotencyKey: 'k' }).headers['Idempotency-Key'],
    );
    expect(keys).toEqual([undefined, 'k', undefined, undefined]);
  });

  test('is not made of a segment that leads to another operation', () => {
    const fill = (id: unknown) =>
      filledPath(
        '/leads/{id}/move',
        () => id,
        (name) => new Error(name),
      );
    expect(fill('a/b')).toBe('/leads/a%2Fb/move');
    for (const id of ['', '.', '..', undefined, 7]) expect(() => fill(id)).toThrow('id');
  });
});

describe('the pace (rule connectors 12)', () => {
  const delay = (limit?: number, remaining?: number, reset?: number, counts?: number) => {
    const said = new Map([
      ['x-ratelimit-limit', limit],
      ['x-ratelimit-remaining', remaining],
      ['x-ratelimit-reset', reset],
    ]);
    return paceDelay((name) => said.get(name)?.toString(), counts);
  };

  test('is free while much of the window is left, and where an answer does not say', () => {
    expect([delay(120, 13, 40), delay(120, 119, 60), delay()]).toEqual([0, 0, 0]);
  });

  test("spreads the last tenth over the window's rest", () => {
    expect([delay(120, 11, 36), delay(120, 0, 20)]).toEqual([3000, 20_000]);
  });

  test('counts a batch for as many requests as it is, and lets none go that would be refused', () => {
    expect([delay(120, 22, 30, 10), delay(120, 21, 30, 10), delay(120, 9, 30, 10)]).toEqual([
      0, 10_000, 30_000,
    ]);
  });
});
