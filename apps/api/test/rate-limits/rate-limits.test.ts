import { createApi, serve } from '@dealkeep/api';
import { connect, createCore, updateOrganization } from '@dealkeep/core';
import { ApiClient, growOlder, startDealkeep, type TestOrganization } from '@dealkeep/testing';
import { describe, expect, onTestFinished, test } from 'vitest';

let moment = Date.parse('2026-10-01T12:00:00.000Z');
const clock = { now: () => new Date(moment) };
const nextMinute = () => {
  moment += 60_000 - (moment % 60_000);
};
const dealkeep = await startDealkeep({ worker: false, clock });
/** For so long a process remembers what the operator has set, and a little. */
const aSecond = 1001;

async function organization(
  limits: { credential?: number; organization?: number } = {},
): Promise<TestOrganization> {
  const made = await dealkeep.createOrganization({ usualRateLimits: true });
  await setLimits(made, limits);
  return made;
}
const setLimits = ({ slug }: TestOrganization, limits: { credential?: number; organization?: number }) =>
  updateOrganization(dealkeep.sql, slug, {
    requestsPerMinute: limits.credential,
    orgRequestsPerMinute: limits.organization,
  });

/** Another API process on the same database. */
async function anotherProcess() {
  const sql = connect(dealkeep.databaseUrl, { connections: 5, name: 'test process' });
  const core = createCore({ ...dealkeep.core, sql, clock });
  const server = await serve(createApi({ core }), { port: 0, host: '127.0.0.1' });
  onTestFinished(async () => {
    await server.stop(1000);
    await sql.end({ timeout: 5 });
  });
  return (key: string) =>
    new ApiClient(`http://127.0.0.1:${server.port}/api/v1/public`, { Authorization: `Bearer ${key}` });
}

const rates = ({ headers }: { headers: Headers }) =>
  ['limit', 'remaining', 'reset'].map((name) => Number(headers.get(`x-ratelimit-${name}`)));

/** Asks until it is refused; how many passed. */
async function drain(api: ApiClient): Promise<number> {
  for (let passed = 0; ; passed += 1) {
    const { status, outcome } = await api.get('/me');
    if (status !== 200) {
      expect(outcome).toBe('429 RATE_LIMITED');
      return passed;
    }
  }
}

describe('one process', () => {
  test('passes the limit of a key exactly, then answers 429 until the minute is over', async () => {
    const { key } = await organization({ credential: 40 });
    const api = dealkeep.as(key);
    nextMinute();
    moment += 17_250;
    expect(rates(await api.get('/me'))).toEqual([40, 39, 43]);
    expect(await drain(api)).toBe(39);
    const refused = await api.get('/leads');
    expect(rates(refused)).toEqual([40, 0, 43]);
    expect(refused.headers.get('retry-after')).toBe('43');
    expect(refused.error.message).toBe('Too many requests. Try again in 43 s.');
    moment += 42_749;
    expect((await api.get('/me')).headers.get('retry-after')).toBe('1');
    moment += 1;
    expect(rates(await api.get('/me'))).toEqual([40, 39, 60]);
  });

  test('counts the remaining requests down one by one', async () => {
    const { key } = await organization({ credential: 30 });
    const api = dealkeep.as(key);
    nextMinute();
    for (let left = 29; left >= 0; left -= 1)
      expect(rates(await api.get('/me')).slice(0, 2)).toEqual([30, left]);
  });

  test.each([1, 19, 20, 21, 120])('passes a limit of %i exactly, all at once', async (limit) => {
    const { key } = await organization({ credential: limit, organization: 100_000 });
    const answers = await Promise.all(Array.from({ length: limit + 30 }, () => dealkeep.as(key).get('/me')));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(limit);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(30);
  });

  test('counts the organization over all its keys', async () => {
    const it = await organization({ credential: 50, organization: 60 });
    const other = await it.createKey();
    nextMinute();
    expect(await drain(dealkeep.as(it.key))).toBe(50);
    // The key has none left, its organization ten.
    expect(rates(await dealkeep.as(it.key).get('/me')).slice(0, 2)).toEqual([50, 0]);
    const second = await dealkeep.as(other.token).get('/me');
    expect(rates(second).slice(0, 2)).toEqual([60, 9]);
    expect(await drain(dealkeep.as(other.token))).toBe(9);
    expect(rates(await dealkeep.as(other.token).get('/me')).slice(0, 2)).toEqual([60, 0]);
  });

  test.each([
    { credential: 15, organization: 10 },
    { credential: 50, organization: 40 },
  ])('a request that the organization refuses takes nothing from the key: %o', async (limits) => {
    const it = await organization(limits);
    const other = await it.createKey();
    nextMinute();
    expect(await drain(dealkeep.as(it.key))).toBe(limits.organization);
    const refused = await Promise.all(Array.from({ length: 20 }, () => dealkeep.as(other.token).get('/me')));
    expect(refused.every(({ status }) => status === 429)).toBe(true);
    // With more for the organization, the other key has all that is its own.
    await setLimits(it, { organization: 1000 });
    growOlder(aSecond);
    expect(await drain(dealkeep.as(other.token))).toBe(limits.credential);
  });

  test('a refused request is not counted', async () => {
    const { key, id } = await organization({ credential: 30 });
    nextMinute();
    await drain(dealkeep.as(key));
    for (let refused = 0; refused < 20; refused += 1) await dealkeep.as(key).get('/me');
    const [row] = await dealkeep.sql<{ taken: number }[]>`
      select taken from rate_windows where bucket_id = ${id} and minute = ${Math.floor(moment / 60_000)}`;
    expect(row?.taken).toBe(30);
  });

  test('limits that the operator changes hold within about a second, in the same minute', async () => {
    const it = await organization({ credential: 30 });
    const api = dealkeep.as(it.key);
    nextMinute();
    expect(await drain(api)).toBe(30);
    await setLimits(it, { credential: 45 });
    growOlder(aSecond);
    expect(await drain(api)).toBe(15);
    nextMinute();
    await setLimits(it, { credential: 10 });
    growOlder(aSecond);
    expect(rates(await api.get('/me'))[0]).toBe(10);
    expect(await drain(api)).toBeLessThan(10);
  });

  test('counts before anything else of the request runs: whatever it turns out to be, and whoever owns the key', async () => {
    const { key, slug } = await organization({ credential: 25 });
    const api = dealkeep.as(key);
    nextMinute();
    await api.get('/me');
    const left = async (answer: Promise<{ headers: Headers }>) => rates(await answer)[1];
    expect(await left(api.get('/nothing'))).toBe(23);
    expect(await left(api.get('/leads/not-an-id'))).toBe(22);
    expect(await left(api.send('POST', '/leads', { body: 'no json' }))).toBe(21);
    await updateOrganization(dealkeep.sql, slug, { subscription: 'lapsed' });
    growOlder(aSecond);
    expect((await api.get('/me')).outcome).toBe('402 PAYMENT_REQUIRED');
    await expect.poll(async () => (await api.get('/me')).outcome, { interval: 1 }).toBe('429 RATE_LIMITED');
  });

  test('knows no address and no key that is none: such requests are never refused', async () => {
    const answers = await Promise.all(
      Array.from({ length: 200 }, () => dealkeep.as('dk_live_unknown').get('/me')),
    );
    expect(answers.every(({ status }) => status === 401)).toBe(true);
    const [last] = answers.slice(-1).map(rates);
    expect(last?.slice(0, 2)).toEqual([120, 120]);
  });

  test('has the specified limits where an organization has none of its own', async () => {
    const { key } = await organization();
    nextMinute();
    expect(rates(await dealkeep.as(key).get('/me')).slice(0, 2)).toEqual([120, 119]);
    const testEnvironment = await startDealkeep({ worker: false, clock, environment: 'test' });
    const { key: testKey } = await testEnvironment.createOrganization({ usualRateLimits: true });
    expect(rates(await testEnvironment.as(testKey).get('/me')).slice(0, 2)).toEqual([60, 59]);
    expect(rates(await testEnvironment.as().get('/me')).slice(0, 2)).toEqual([60, 60]);
  });
});

describe('several processes', () => {
  test.each([10, 20, 120])('together never pass more than a limit of %i', async (limit) => {
    const { key } = await organization({ credential: limit, organization: 100_000 });
    const processes = [dealkeep.as(key), (await anotherProcess())(key), (await anotherProcess())(key)];
    // Each alone asks for more than there is, so no lease is left over.
    const each = limit + 10;
    for (let minute = 0; minute < 2; minute += 1) {
      nextMinute();
      const answers = await Promise.all(
        processes.flatMap((api) => Array.from({ length: each }, () => api.get('/me'))),
      );
      const passed = answers.filter(({ status }) => status === 200).length;
      expect(answers.every(({ status }) => status === 200 || status === 429)).toBe(true);
      expect(passed).toBe(limit);
    }
  });

  test('refuse early at most by the leases that the others hold', async () => {
    const { key } = await organization({ credential: 120, organization: 100_000 });
    const other = (await anotherProcess())(key);
    nextMinute();
    await other.get('/me');
    const passed = 1 + (await drain(dealkeep.as(key)));
    expect(passed).toBeLessThanOrEqual(120);
    expect(passed).toBeGreaterThanOrEqual(120 - 6);
    // What the other one holds is not lost to it.
    expect(passed + (await drain(other))).toBe(120);
  });

  test('below a limit of 20 nothing is held: none is refused early', async () => {
    const { key } = await organization({ credential: 19, organization: 19 });
    const other = (await anotherProcess())(key);
    nextMinute();
    expect((await other.get('/me')).status).toBe(200);
    expect(await drain(dealkeep.as(key))).toBe(18);
    expect(await drain(other)).toBe(0);
  });

  test('after a moment know what the others have passed', async () => {
    const { key } = await organization({ credential: 120, organization: 100_000 });
    const other = (await anotherProcess())(key);
    nextMinute();
    await other.get('/me');
    for (let each = 0; each < 60; each += 1) await dealkeep.as(key).get('/me');
    growOlder(aSecond);
    expect(rates(await other.get('/me'))[1]).toBeLessThanOrEqual(60);
  });

  test('share what an operator has changed', async () => {
    const it = await organization({ credential: 30 });
    const other = (await anotherProcess())(it.key);
    nextMinute();
    await drain(dealkeep.as(it.key));
    await drain(other);
    await setLimits(it, { credential: 40 });
    growOlder(aSecond);
    for (const api of [other, dealkeep.as(it.key)]) expect(rates(await api.get('/me'))[0]).toBe(40);
  });
});
