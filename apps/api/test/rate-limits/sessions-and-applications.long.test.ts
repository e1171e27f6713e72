import { createApi, serve } from '@dealkeep/api';
import { createConsole } from '@dealkeep/console';
import { limits } from '@dealkeep/contract';
import { createCore } from '@dealkeep/core';
import { connect } from '@dealkeep/core/foundations';
import { Browser, ManualClock, startDealkeep } from '@dealkeep/testing';
import { describe, expect, onTestFinished, test } from 'vitest';
import { registerApp } from '../oauth/connected-app.ts';

const clock = new ManualClock();
const dealkeep = await startDealkeep({ worker: false, clock, usualCeilings: true });
const organization = await dealkeep.createOrganization();
const nextMinute = () => clock.advance(60_000 - (clock.now().getTime() % 60_000));

/** Another process on the same database. */
async function anotherProcess(): Promise<{ origin: string }> {
  const sql = connect(dealkeep.databaseUrl, { connections: 5, name: 'test process' });
  const core = createCore({ ...dealkeep.core, sql, clock });
  const app = createApi({ core, elsewhere: createConsole({ core }) });
  const server = await serve(app, { port: 0, host: '127.0.0.1' });
  onTestFinished(async () => {
    await server.stop(1000);
    await sql.end({ timeout: 5 });
  });
  return { origin: `http://127.0.0.1:${server.port}` };
}

async function signedIn(): Promise<Browser> {
  const browser = new Browser(dealkeep);
  await browser.signIn(organization);
  nextMinute();
  return browser;
}

/** Asks until it is refused; how many passed, and the refusal. */
async function drain<Answer extends { status: number }>(
  ask: () => Promise<Answer>,
): Promise<{ passed: number; refused: Answer }> {
  for (let passed = 0; ; passed += 1) {
    const answer = await ask();
    if (answer.status === 429) return { passed, refused: answer };
  }
}

describe('a session of the console', () => {
  test('passes 300 requests a minute, then a page says when it goes on', async () => {
    const [other, browser] = [await signedIn(), await signedIn()];
    clock.advance(20_000);
    const { passed, refused } = await drain(() => browser.get('/nothing-here'));
    expect(passed).toBe(limits.sessionRequestsPerMinute);
    expect(refused.headers.get('retry-after')).toBe('40');
    expect(refused.html).toContain('Too many requests. Try again in 40 s.');
    const slovak = await browser.get('/', { 'Accept-Language': 'sk' });
    expect(slovak.html).toContain('Priveľa požiadaviek. Skúste to znova o 40 s.');
    expect((await browser.post('/companies/new', {})).status).toBe(429);
    // Another one of the same person is not kept waiting, nor are assets and strangers.
    expect((await other.get('/')).status).toBe(200);
    const [, style = ''] = /href="(\/assets\/[^"]+\.css)"/.exec((await other.get('/')).html) ?? [];
    expect((await browser.get(style)).status).toBe(200);
    expect((await new Browser(dealkeep).get('/sign-in')).status).toBe(200);
    nextMinute();
    expect((await browser.get('/')).status).toBe(200);
  });

  test('is counted by all processes together, whatever its cookie is meanwhile', async () => {
    const browser = await signedIn();
    const second = await anotherProcess();
    const cookies = () => [...browser.cookies].map((pair) => pair.join('=')).join('; ');
    let turn = 0;
    const ask = async () => {
      const { origin } = turn++ % 2 === 0 ? dealkeep : second;
      return fetch(`${origin}/nothing-here`, { headers: { Cookie: cookies() } });
    };
    const { passed } = await drain(ask);
    // What one of the two holds unspent may refuse early; more never pass.
    expect(passed).toBeLessThanOrEqual(limits.sessionRequestsPerMinute);
    expect(passed).toBeGreaterThan(limits.sessionRequestsPerMinute - 20);
  });
});

describe('an application', () => {
  test('passes 120 requests a minute at the token and revocation endpoints together', async () => {
    const app = await registerApp(dealkeep);
    nextMinute();
    let turn = 0;
    const { passed, refused } = await drain(() =>
      app.post(
        { grant_type: 'refresh_token', refresh_token: 'none', token: 'none' },
        turn++ % 2 ? '/oauth/revoke' : '/oauth/token',
      ),
    );
    expect(passed).toBe(limits.applicationRequestsPerMinute);
    expect(refused.body).toEqual({
      error: 'temporarily_unavailable',
      error_description: 'Too many requests. Try again in 60 s.',
    });
    expect(refused.headers.get('retry-after')).toBe('60');
    expect(refused.headers.get('cache-control')).toBe('no-store');
    const other = await registerApp(dealkeep);
    expect((await other.post({ grant_type: 'none' })).status).toBe(400);
    nextMinute();
    expect((await app.post({ grant_type: 'none' })).status).toBe(400);
  });

  test('loses no request to a stranger who names it', async () => {
    const app = await registerApp(dealkeep);
    nextMinute();
    const body = {
      client_id: app.client.client_id,
      client_secret: 'dk_ocs_wrong',
      grant_type: 'refresh_token',
    };
    for (let count = 0; count <= limits.applicationRequestsPerMinute; count += 1) {
      const init = { method: 'POST', body: new URLSearchParams(body) };
      expect((await fetch(`${dealkeep.origin}/oauth/token`, init)).status).toBe(401);
    }
    expect((await app.post({ grant_type: 'none' })).status).toBe(400);
  });
});
