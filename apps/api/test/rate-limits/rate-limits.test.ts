import { updateOrganization } from '@dealkeep/core/accounts';
import { growOlder, startDealkeep } from '@dealkeep/testing';
import { describe, expect, test } from 'vitest';
import { aSecond, drain, passedAtOnce, rates, startLimited } from './limited-server.ts';

const { dealkeep, clock, setLimits, nextMinute, organization, anotherProcess } = await startLimited();

describe('one process', () => {
  test('passes the limit of a key exactly, then answers 429 until the minute is over (rules rate-limits 2 and 6)', async () => {
    const { key } = await organization({ credential: 40 });
    const api = dealkeep.as(key);
    nextMinute();
    clock.advance(17_250);
    expect(rates(await api.get('/me'))).toEqual([40, 39, 43]);
    expect(await drain(api)).toBe(39);
    const refused = await api.get('/leads');
    expect(rates(refused)).toEqual([40, 0, 43]);
    expect(refused.headers.get('retry-after')).toBe('43');
    expect(refused.error.message).toBe('Too many requests. Try again in 43 s.');
    clock.advance(42_749);
    expect((await api.get('/me')).headers.get('retry-after')).toBe('1');
    clock.advance(1);
    expect(rates(await api.get('/me'))).toEqual([40, 39, 60]);
  });

  test('counts the remaining requests down one by one (rule rate-limits 5)', async () => {
    const { key } = await organization({ credential: 30 });
    const api = dealkeep.as(key);
    nextMinute();
    for (let left = 29; left >= 0; left -= 1)
      expect(rates(await api.get('/me')).slice(0, 2)).toEqual([30, left]);
  });

  test.each([1, 20])('passes a limit of %i exactly, all at once (rule rate-limits 4)', async (limit) => {
    const { key } = await organization({ credential: limit, organization: 100_000 });
    expect(await passedAtOnce([dealkeep.as(key)], limit + 10)).toBe(limit);
  });

  test('counts the organization over all its keys (rules rate-limits 2 and 5)', async () => {
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

  test('a refused request is not counted (rule rate-limits 3)', async () => {
    const { key, id } = await organization({ credential: 30 });
    nextMinute();
    await drain(dealkeep.as(key));
    for (let refused = 0; refused < 20; refused += 1) await dealkeep.as(key).get('/me');
    const [row] = await dealkeep.sql<{ taken: number }[]>`
      select taken from rate_windows where bucket_id = ${id} and minute = ${Math.floor(clock.now().getTime() / 60_000)}`;
    expect(row?.taken).toBe(30);
  });

  test('limits that the operator changes hold within about a second, in the same minute (rules rate-limits 1, keys 14 and limits 5)', async () => {
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

  test('counts before anything else of the request runs: whatever it turns out to be, and whoever owns the key (rules rate-limits 3 and keys 10)', async () => {
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

  test('knows no address and no key that is none: such requests are never refused (rules rate-limits 2 and 3)', async () => {
    const answers = await Promise.all(
      Array.from({ length: 130 }, () => dealkeep.as('dk_live_unknown').get('/me')),
    );
    expect(answers.every(({ status }) => status === 401)).toBe(true);
    const [last] = answers.slice(-1).map(rates);
    expect(last?.slice(0, 2)).toEqual([120, 120]);
  });

  test('has the specified limits where an organization has none of its own (rules rate-limits 1, limits 1 and test-environment 3)', async () => {
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
  test.each([20])('together never pass more than a limit of %i (rule rate-limits 4)', async (limit) => {
    const { key } = await organization({ credential: limit, organization: 100_000 });
    const processes = [dealkeep.as(key), (await anotherProcess())(key), (await anotherProcess())(key)];
    for (let minute = 0; minute < 2; minute += 1) {
      nextMinute();
      // Each alone asks for more than there is, so no lease is left over.
      expect(await passedAtOnce(processes, limit + 5)).toBe(limit);
    }
  });

  test('below a limit of 20 nothing is held: none is refused early (rule rate-limits 4)', async () => {
    const { key } = await organization({ credential: 19, organization: 19 });
    const other = (await anotherProcess())(key);
    nextMinute();
    expect((await other.get('/me')).status).toBe(200);
    expect(await drain(dealkeep.as(key))).toBe(18);
    expect(await drain(other)).toBe(0);
  });

  test('after a moment know what the others have passed (rule rate-limits 5)', async () => {
    const { key } = await organization({ credential: 40, organization: 100_000 });
    const other = (await anotherProcess())(key);
    nextMinute();
    await other.get('/me');
    for (let each = 0; each < 20; each += 1) await dealkeep.as(key).get('/me');
    growOlder(aSecond);
    expect(rates(await other.get('/me'))[1]).toBeLessThanOrEqual(20);
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
