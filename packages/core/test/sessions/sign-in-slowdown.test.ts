import { randomUUID } from 'node:crypto';
import { ManualClock, startDealkeep } from '@dealkeep/testing';
import { describe, expect, test } from 'vitest';
import {
  type Bucket,
  beginAttempt,
  clientBucket,
  forgetAttempts,
  ownBucket,
} from '../../src/accounts/sessions/sign-in-slowdown.ts';
import { clientNetwork } from '../../src/foundations/outgoing/client-network.ts';

const clock = new ManualClock();
const { core } = await startDealkeep({ worker: false, clock });
const minute = 60_000;
const account = () => ownBucket(randomUUID());
const client = () => clientBucket(randomUUID(), { trusted: true });

/** Counts an attempt; answers for how many seconds it is refused, 0 when it is looked at. */
const attempt = (...buckets: Bucket[]): Promise<number> => attemptOf(core, buckets);
const attemptOf = (asked: Parameters<typeof beginAttempt>[0], buckets: Bucket[]): Promise<number> =>
  beginAttempt(asked, buckets).then(
    () => 0,
    (error) => {
      expect(error.code).toBe('RATE_LIMITED');
      return error.values.seconds;
    },
  );
const many = async (count: number, bucket: Bucket): Promise<void> => {
  for (let index = 0; index < count; index += 1) expect(await attempt(bucket)).toBe(0);
};

describe('only verified failures count', () => {
  test('what is taken back never was, however many there are of it', async () => {
    const bucket = account();
    await many(4, bucket);
    for (let index = 0; index < 20; index += 1) {
      const { takeBack } = await beginAttempt(core, [bucket]);
      await takeBack();
    }
    expect(await attempt(bucket)).toBe(0);
    expect(await attempt(bucket)).toBe(1);
  });

  test('what is taken back leaves no wait behind, and what failed meanwhile keeps its own', async () => {
    const bucket = account();
    await many(4, bucket);
    const fifth = await beginAttempt(core, [bucket]);
    expect(await attempt(bucket)).toBe(1);
    await fifth.takeBack();
    expect(await attempt(bucket)).toBe(0);
    clock.advance(1000);
    const sixth = await beginAttempt(core, [bucket]);
    await sixth.takeBack();
    expect(await attempt(bucket), 'at once').toBe(0);
    expect(await attempt(bucket)).toBe(2);
  });

  test('at once, five are looked at; none of fewer is refused, whichever is counted first', async () => {
    const bucket = account();
    const both = (other: Bucket) => Promise.all(Array.from({ length: 50 }, () => attempt(bucket, other)));
    const refused = (await both(client())).filter((seconds) => seconds > 0);
    expect(refused).toEqual(Array.from({ length: 45 }, () => 1));
    const [quick, slow] = [account(), { now: () => new Date(clock.now().getTime() - 50) }];
    await many(3, quick);
    await expect(beginAttempt({ ...core, clock: slow }, [quick])).resolves.toBeDefined();
  });

  test('an attempt that one bucket refuses is not counted by the other', async () => {
    const [one, other] = [account(), client()];
    await many(5, one);
    expect(await attempt(other, one)).toBe(1);
    await many(29, other);
    expect(await attempt(other)).toBe(0);
    expect(await attempt(other)).toBe(1);
  });
});

test('failures count for as long as the operator has them kept', async () => {
  const longer = { ...core, retention: { ...core.retention, signInAttemptHours: 48 } };
  const one = account();
  await many(5, one);
  clock.advance(47 * 60 * minute);
  expect(await attemptOf(longer, [one])).toBe(0);
  expect(await attemptOf(longer, [one])).toBe(2);
  clock.advance(48 * 60 * minute + 1);
  await many(5, one);
});

test('failures of an account are forgotten by a success, or after a day without one; those of a client one each minute', async () => {
  const [one, another, third] = [account(), account(), client()];
  for (const bucket of [one, another]) await many(5, bucket);
  await forgetAttempts(core, one);
  await many(5, one);
  clock.advance(24 * 60 * minute + 1);
  await many(5, another);

  await many(30, third);
  expect(await attempt(third)).toBe(1);
  for (let round = 0; round < 3; round += 1) {
    clock.advance(0.9 * minute);
    await attempt(third);
  }
  clock.advance(10 * minute);
  let looked = 0;
  while ((await attempt(third)) === 0) looked += 1;
  expect(looked).toBeGreaterThanOrEqual(9);
  expect(looked).toBeLessThanOrEqual(12);
});

test('a client has to wait for a minute at most, an account for a quarter of an hour', async () => {
  for (const [bucket, longest] of [
    [client(), 60],
    [account(), 900],
  ] as const) {
    let longestSeen = 0;
    for (let round = 0; round < 90; round += 1) {
      const seconds = await attempt(bucket);
      longestSeen = Math.max(longestSeen, seconds);
      clock.advance(seconds * 1000);
    }
    expect(longestSeen).toBe(longest);
  }
});

test.each([
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['2001:db8:0:1:2:3:4:5', '2001:db8:0:1::'],
  ['2001:DB8:0:1::', '2001:db8:0:1::'],
  ['::1', '::'],
  ['', undefined],
  ['unknown', undefined],
  ['192.0.2.1:1234', undefined],
  ['fe80::1%eth0', undefined],
])('a client at %j is known as %j', (address, network) => {
  expect(clientNetwork(address)).toBe(network);
});
