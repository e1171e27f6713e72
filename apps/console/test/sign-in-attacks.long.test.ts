import { inspect } from 'node:util';
import { createConsole } from '@dealkeep/console';
import { createCore } from '@dealkeep/core';
import { createUser, signIn, updateUser } from '@dealkeep/core/accounts';
import { connect, noLimits, Problem } from '@dealkeep/core/foundations';
import { removeOld } from '@dealkeep/core/installation';
import { Browser, ManualClock, ownerPassword, startDealkeep } from '@dealkeep/testing';
import { afterAll, describe, expect, test } from 'vitest';

const clock = new ManualClock();
const dealkeep = await startDealkeep({
  worker: false,
  clock,
  log: { debug() {}, info() {}, warn() {}, error() {} },
});
const { core, sql } = dealkeep;
const organization = await dealkeep.createOrganization();
const post = (email: string, password: string, more: Record<string, string> = {}) =>
  new Browser(dealkeep).post('/sign-in', { email, password, ...more });

describe('nobody is led elsewhere after signing in', () => {
  test('whatever the way back is, before signing in and for somebody who is in already', async () => {
    const browser = new Browser(dealkeep);
    await browser.signIn(organization);
    for (const back of [
      '//evil.example',
      '///evil.example',
      '/\\evil.example',
      '\\\\evil.example',
      '/.//evil.example',
      '/a/..//evil.example',
      '/%2e//evil.example',
      '/.//',
      '/\t//evil.example',
      '/\n/evil.example',
      ' //evil.example',
      'https://evil.example',
      'https:evil.example',
      'https:/\\evil.example',
      '@evil.example',
      '.evil.example',
      '//own.invalid//evil.example',
      'data:text/html,x',
      'javascript:alert(1)',
      '/%2f%2fevil.example',
      '/%5cevil.example',
    ]) {
      const { location = '' } = await browser.get(`/sign-in?${new URLSearchParams({ back })}`);
      expect([back, new URL(location, 'http://here.example').origin]).toEqual([back, 'http://here.example']);
    }
    const { email, back } = { email: organization.ownerEmail, back: '/.//evil.example' };
    expect((await post(email, ownerPassword, { back })).location).toBe('/');
  });

  test('nor after signing out to use another account', async () => {
    const browser = new Browser(dealkeep);
    await browser.signIn(organization);
    const home = await browser.get('/');
    const out = await browser.submit(home, '/sign-out', { back: '/.//evil.example' });
    expect(out.location).toBe('/sign-in');
  });
});

describe('a session', () => {
  test('that was known before signing in is not the one afterwards (fixation)', async () => {
    const planted = 'dk_ses_planted';
    const done = await new Browser(dealkeep).post(
      '/sign-in',
      { email: organization.ownerEmail, password: ownerPassword },
      { Cookie: `dealkeep_session=${planted}` },
    );
    const [cookie] = done.headers.getSetCookie();
    expect(cookie).toMatch(/^dealkeep_session=dk_ses_/);
    expect(cookie).not.toContain(planted);
    const stranger = await new Browser(dealkeep).get('/', { Cookie: `dealkeep_session=${planted}` });
    expect(stranger.location).toBe('/sign-in');
  });

  test('ends when the same browser signs in again', async () => {
    const browser = new Browser(dealkeep);
    await browser.signIn(organization);
    const former = browser.cookies.get('dealkeep_session') ?? '';
    const { html } = await browser.get('/');
    const csrf_token = /name="csrf_token" value="([^"]*)"/.exec(html)?.[1] ?? '';
    const fields = { email: organization.ownerEmail, password: ownerPassword, csrf_token };
    expect((await browser.post('/sign-in', fields)).location).toBe('/');
    expect(browser.cookies.get('dealkeep_session')).not.toBe(former);
    const stranger = await new Browser(dealkeep).get('/', { Cookie: `dealkeep_session=${former}` });
    expect(stranger.location).toBe('/sign-in');
  });

  test.each([
    ['gets a new password', { password: 'another long password' }],
    ['is deactivated, also for when they come back', { active: false }],
  ])('ends when its person %s', async (_what, changes) => {
    const other = await dealkeep.createOrganization();
    const browser = new Browser(dealkeep);
    await browser.signIn(other);
    expect((await browser.get('/')).status).toBe(200);
    await updateUser(core, other.ownerEmail, changes);
    await updateUser(core, other.ownerEmail, { active: true });
    expect((await browser.get('/')).location).toBe('/sign-in');
  });

  test('over https its cookie is bound to this host, and sent by https alone', async () => {
    const secure = createConsole({ core: { ...core, origin: 'https://crm.example' } });
    const body = new URLSearchParams({ email: organization.ownerEmail, password: ownerPassword });
    const form = (headers: Record<string, string>) =>
      secure.request('https://crm.example/sign-in', { method: 'POST', body, headers });
    const done = await form({ Origin: 'https://crm.example' });
    const [cookie = ''] = done.headers.getSetCookie();
    expect(cookie).toMatch(
      /^__Host-dealkeep_session=dk_ses_\w{43}; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    );
    expect((await form({ Origin: 'http://crm.example' })).status).toBe(403);
    const [pair = ''] = cookie.split(';');
    const home = (name: string) =>
      secure.request('https://crm.example/', { headers: { Cookie: pair.replace('__Host-', name) } });
    expect([(await home('__Host-')).status, (await home('')).status]).toEqual([200, 303]);
  });

  test('that is old, and attempts of the day before, are removed', async () => {
    await new Browser(dealkeep).signIn(organization);
    await post('nobody@nowhere.example', 'x');
    clock.advance(24 * 3_600_000 + 1);
    await removeOld(core);
    expect(await sql`select 1 from console_sessions`).toEqual([]);
    expect(await sql`select 1 from sign_in_attempts`).toEqual([]);
  });
});

describe('guessing', () => {
  // On connections without limits: a thousand at once wait for each other as long as the machine takes.
  const sql = connect(dealkeep.databaseUrl, { connections: 10, name: 'guesses', limits: noLimits });
  afterAll(() => sql.end());
  const patient = createCore({ ...core, sql });

  /** What becomes of so many guesses at the same instant. */
  const guess = (email: string, count: number): Promise<string[]> =>
    Promise.all(
      Array.from({ length: count }, () =>
        signIn(patient, { email, password: 'guess' }).then(
          () => 'in',
          // What is no refusal is shown whole.
          (error) => (error instanceof Problem ? error.code : inspect(error)),
        ),
      ),
    );

  test('of a thousand tries at once five are looked at, and the right password does not help then', async () => {
    const { ownerEmail } = await dealkeep.createOrganization();
    const outcomes = Object.groupBy(await guess(ownerEmail, 1000), (outcome) => outcome);
    const counts = Object.entries(outcomes).map(([outcome, all]) => [outcome, all?.length]);
    expect(Object.fromEntries(counts)).toEqual({ UNAUTHORIZED: 5, RATE_LIMITED: 995 });
    const { status, html, headers } = await post(ownerEmail, ownerPassword);
    expect([status, headers.get('retry-after')]).toEqual([429, '1']);
    expect(html).toContain('Too many attempts to sign in. Try again in 1 s.');
  });

  test('of a thousand tries in an hour about fifteen are looked at', async () => {
    const { ownerEmail } = await dealkeep.createOrganization();
    const outcomes: string[] = [];
    for (let minute = 0; minute < 60; minute += 0.24) {
      outcomes.push(...(await guess(ownerEmail, 4)));
      clock.advance(0.24 * 60_000);
    }
    const looked = outcomes.filter((outcome) => outcome === 'UNAUTHORIZED').length;
    expect(outcomes.filter((outcome) => outcome === 'RATE_LIMITED')).toHaveLength(1000 - looked);
    expect(looked).toBeGreaterThanOrEqual(10);
    expect(looked).toBeLessThanOrEqual(17);
  });

  test('takes as much work for an address that nobody has, or that has no password, and says the same', async () => {
    const [known, nobody, without] = ['known', 'nobody', 'without'].map((name) => `${name}@guess.example`);
    const { slug } = organization;
    const person = { organization: slug, name: 'Eva', role: 'owner' };
    await createUser(core, { ...person, email: known ?? '', password: ownerPassword });
    await createUser(core, { ...person, email: without ?? '' });
    const work = async (email = '') => {
      const before = process.cpuUsage();
      await expect(signIn(core, { email, password: 'wrong' })).rejects.toMatchObject({
        key: 'sign_in.wrong',
      });
      const { user, system } = process.cpuUsage(before);
      return user + system;
    };
    await work('first@guess.example');
    // What else the process does now and then only adds to it.
    const usual = Math.min(await work(known), await work(known), await work(known));
    for (const email of [nobody, without]) expect(await work(email)).toBeGreaterThan(usual / 2);
    const said = await Promise.all([known, nobody, without].map((email) => post(email ?? '', 'wrong')));
    const words = said.map(({ status, html }) => [status, /role="alert">([^<]*)/.exec(html)?.[1]]);
    expect(new Set(words.map(String)).size).toBe(1);
  });

  test('with addresses that no address can be is a wrong one like any other', async () => {
    for (const email of ['a\0b@x.example', '', "' or 1=1 --", 'x'.repeat(10_000)]) {
      expect((await post(email, 'wrong')).status).toBe(401);
    }
  });
});

test('a form to sign in that another site sends is refused in words, whatever it says of where it comes from', async () => {
  const fields = { email: organization.ownerEmail, password: ownerPassword };
  for (const headers of [
    { Origin: 'https://evil.example' },
    { Origin: 'null' },
    { 'Sec-Fetch-Site': 'cross-site', Origin: core.origin },
    { 'Sec-Fetch-Site': 'same-site' },
  ]) {
    const refused = await new Browser(dealkeep).post('/sign-in', fields, headers);
    expect([refused.status, refused.headers.getSetCookie()]).toEqual([403, []]);
    expect(refused.html).toContain('This form is no longer valid');
  }
});
