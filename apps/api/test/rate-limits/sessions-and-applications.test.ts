import { limits } from '@dealkeep/contract';
import { Browser, ManualClock, startDealkeep } from '@dealkeep/testing';
import { expect, test } from 'vitest';
import { registerApp } from '../oauth/connected-app.ts';

// All requests of a minute, one by one, are asked by `sessions-and-applications.long.test.ts`.

const clock = new ManualClock();
const dealkeep = await startDealkeep({ worker: false, clock, usualCeilings: true });
const organization = await dealkeep.createOrganization();

/**
 * Asks once in a new minute, then until it is refused, other processes having taken whatever else there was. The
 * ceiling, and the refusal.
 */
async function refusalOf<Answer extends { status: number }>(ask: () => Promise<Answer>) {
  clock.advance(60_000 - (clock.now().getTime() % 60_000));
  expect((await ask()).status).not.toBe(429);
  const minute = Math.floor(clock.now().getTime() / 60_000);
  const [window] = await dealkeep.sql<{ ceiling: number }[]>`
    update rate_windows set taken = ceiling where minute = ${minute} returning ceiling`;
  clock.advance(20_000);
  for (let asked = 1; ; asked += 1) {
    const refused = await ask();
    if (refused.status !== 429) continue;
    // No more than one lease passes.
    expect(asked).toBeLessThan(20);
    return { ceiling: window?.ceiling, refused };
  }
}

test('a session of the console passes 300 requests a minute, then a page says when it goes on (rule rate-limits 7)', async () => {
  const browser = new Browser(dealkeep);
  await browser.signIn(organization);
  const { ceiling, refused } = await refusalOf(() => browser.get('/nothing-here'));
  expect([ceiling, limits.sessionRequestsPerMinute]).toEqual([300, 300]);
  expect(refused.headers.get('retry-after')).toBe('40');
  expect(refused.html).toContain('Too many requests. Try again in 40 s.');
});

test('an application passes 120 requests a minute to the token and revocation endpoints together (rule rate-limits 7)', async () => {
  const app = await registerApp(dealkeep);
  let turn = 0;
  const { ceiling, refused } = await refusalOf(() =>
    app.post(
      { grant_type: 'refresh_token', refresh_token: 'none', token: 'none' },
      turn++ % 2 ? '/oauth/revoke' : '/oauth/token',
    ),
  );
  expect([ceiling, limits.applicationRequestsPerMinute]).toEqual([120, 120]);
  expect(refused.body.error).toBe('temporarily_unavailable');
  expect(refused.headers.get('retry-after')).toBe('40');
});
