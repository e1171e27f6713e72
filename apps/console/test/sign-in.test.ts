import { updateUser } from '@dealkeep/core/accounts';
import { Browser, ManualClock, ownerPassword, startDealkeep } from '@dealkeep/testing';
import { describe, expect, test } from 'vitest';

const clock = new ManualClock();
const dealkeep = await startDealkeep({ worker: false, clock });
const organization = await dealkeep.createOrganization();

async function signedIn(): Promise<Browser> {
  const browser = new Browser(dealkeep);
  expect((await browser.signIn(organization)).location).toBe('/');
  return browser;
}
const sessionOf = (browser: Browser): string | undefined => browser.cookies.get('dealkeep_session');
const isIn = async (browser: Browser) => (await browser.get('/')).status === 200;

describe('signing in', () => {
  test('leads to where the person wanted to go', async () => {
    const browser = new Browser(dealkeep);
    const sent = await browser.get('/leads?status=open');
    expect(sent.location).toBe('/sign-in?back=%2Fleads%3Fstatus%3Dopen');
    const form = await browser.get(sent.location ?? '');
    const done = await browser.submit(form, '/sign-in', {
      email: organization.ownerEmail,
      password: ownerPassword,
    });
    expect([done.status, done.location]).toEqual([303, '/leads?status=open']);
  });

  test.each([
    '//evil.example',
    'https://evil.example/',
    '/\\evil.example',
    'javascript:alert(1)',
    '/\t/evil.example',
  ])('never leads away from here: %j', async (back) => {
    const browser = new Browser(dealkeep);
    const done = await browser.post('/sign-in', {
      email: organization.ownerEmail,
      password: ownerPassword,
      back,
    });
    expect(new URL(done.location ?? '', 'http://here.example').host).toBe('here.example');
  });

  test('takes the address in any case, and refuses a wrong password without saying which is wrong (rules users 2 and 3)', async () => {
    const browser = new Browser(dealkeep);
    const email = organization.ownerEmail.toUpperCase();
    expect((await browser.post('/sign-in', { email, password: ownerPassword })).status).toBe(303);
    const wrong = await new Browser(dealkeep).post('/sign-in', { email, password: 'wrong' });
    const unknown = await new Browser(dealkeep).post('/sign-in', {
      email: 'no@one.example',
      password: 'wrong',
    });
    expect([wrong.status, unknown.status]).toEqual([401, 401]);
    const said = /<p class="problem"[^>]*>([^<]*)/;
    expect(said.exec(wrong.html)?.[1]).toBe(said.exec(unknown.html)?.[1]);
  });

  test('sets a cookie that no script reads and no other site sends (rule users 13)', async () => {
    const { headers } = await new Browser(dealkeep).signIn(organization);
    const cookie = headers.getSetCookie().find((each) => each.startsWith('dealkeep_session='));
    expect(cookie).toMatch(/; HttpOnly/);
    expect(cookie).toMatch(/; SameSite=Lax/);
  });

  test('slows down by account, whatever the address is that asks, also for attempts at once (rule users 11)', async () => {
    const other = await dealkeep.createOrganization();
    const attempt = (password: string) =>
      new Browser(dealkeep).post('/sign-in', { email: other.ownerEmail, password });
    const answers = await Promise.all(Array.from({ length: 8 }, () => attempt('guess')));
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(5);
    const slow = await attempt(ownerPassword);
    expect(slow.status).toBe(429);
    expect(slow.headers.get('retry-after')).toBe('1');
    clock.advance(1000);
    expect((await attempt(ownerPassword)).status).toBe(303);
    expect((await attempt(ownerPassword)).status).toBe(303);
  });

  test('slows down by the connection’s network without TRUST_PROXY, too, but not a browser that has signed in before (rule users 11)', async () => {
    const browser = new Browser(dealkeep);
    await browser.signIn(organization);
    const carried = { Cookie: `dealkeep_known_browser=${browser.cookies.get('dealkeep_known_browser')}` };
    const accounts = await Promise.all(Array.from({ length: 13 }, () => dealkeep.createOrganization()));
    const attempt = (email: string, password: string, headers = {}) =>
      new Browser(dealkeep).post('/sign-in', { email, password }, headers);
    // Of each account fewer than would be slowed down by themselves; and what a client says of itself is not
    // believed.
    const sprayed: number[] = [];
    for (const { ownerEmail } of accounts) {
      for (let tries = 0; tries < 5; tries += 1) {
        const pretended = { 'X-Forwarded-For': `198.51.100.${sprayed.length}` };
        sprayed.push((await attempt(ownerEmail, 'password1', pretended)).status);
      }
    }
    expect(sprayed.filter((status) => status === 401).length).toBeLessThanOrEqual(60);
    expect(sprayed.at(-1)).toBe(429);
    const { ownerEmail } = organization;
    const refused = await attempt(ownerEmail, ownerPassword);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1']);
    expect((await attempt(ownerEmail, ownerPassword, carried)).status).toBe(303);
    // An office that mistypes now and then waits for 15 seconds at most.
    clock.advance(15_000);
    expect((await attempt(ownerEmail, ownerPassword)).status).toBe(303);
  });
});

describe('a session', () => {
  test('ends after twelve idle hours (rule users 12)', async () => {
    const browser = await signedIn();
    clock.advance(11 * 3_600_000);
    expect(await isIn(browser)).toBe(true);
    clock.advance(12 * 3_600_000);
    expect(await isIn(browser)).toBe(false);
  });

  test('changes its token every hour; requests on their way with the old one still count for a minute (rule users 12)', async () => {
    const browser = await signedIn();
    const first = sessionOf(browser);
    clock.advance(3_600_000);
    expect(await isIn(browser)).toBe(true);
    expect(sessionOf(browser)).not.toBe(first);
    const onTheWay = (cookie?: string) =>
      new Browser(dealkeep).get('/', { Cookie: `dealkeep_session=${cookie}` });
    expect((await onTheWay(first)).status).toBe(200);
    clock.advance(60_000);
    expect((await onTheWay(first)).status).toBe(303);
    expect(await isIn(browser)).toBe(true);
  });

  test('ends on signing out', async () => {
    const browser = await signedIn();
    const token = sessionOf(browser);
    const home = await browser.get('/');
    expect((await browser.submit(home, '/sign-out', {})).location).toBe('/sign-in');
    const again = await new Browser(dealkeep).get('/', { Cookie: `dealkeep_session=${token}` });
    expect(again.status).toBe(303);
  });

  test('ends when its person is no longer active', async () => {
    const other = await dealkeep.createOrganization();
    const browser = new Browser(dealkeep);
    await browser.signIn(other);
    await updateUser(dealkeep.core, other.ownerEmail, { active: false });
    expect(await isIn(browser)).toBe(false);
  });

  test('is stored as a hash', async () => {
    const token = sessionOf(await signedIn()) ?? '';
    const rows = await dealkeep.sql`select s::text as row from console_sessions s`;
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.map(({ row }) => row).join()).not.toContain(token);
  });
});

describe('a form', () => {
  test.each([
    ['without the token of the session', {}, {}],
    ['with a wrong one', { csrf_token: 'wrong' }, {}],
  ])('is refused %s', async (_what, fields, headers) => {
    const browser = await signedIn();
    expect((await browser.post('/sign-out', fields, headers)).status).toBe(403);
    expect(await isIn(browser)).toBe(true);
  });

  test.each([
    { 'Sec-Fetch-Site': 'cross-site' },
    { 'Sec-Fetch-Site': 'same-site' },
    { Origin: 'https://evil.example' },
    { Origin: 'null' },
  ])('that comes from elsewhere is refused: %j (rule users 13)', async (headers) => {
    const browser = await signedIn();
    const home = await browser.get('/');
    const csrf_token = /name="csrf_token" value="([^"]*)"/.exec(home.html)?.[1] ?? '';
    expect((await browser.post('/sign-out', { csrf_token }, headers)).status).toBe(403);
    const email = organization.ownerEmail;
    expect(
      (await new Browser(dealkeep).post('/sign-in', { email, password: ownerPassword }, headers)).status,
    ).toBe(403);
  });
});

test('every page forbids scripts, styles and frames of others, and is not kept', async () => {
  const browser = await signedIn();
  for (const path of ['/', '/sign-in', '/nothing-here']) {
    const { headers } = await browser.get(path);
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain('unsafe');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  }
});

test('the language is the one of the browser until the person chooses', async () => {
  const browser = new Browser(dealkeep);
  const slovak = { 'Accept-Language': 'sk-SK,sk;q=0.9' };
  expect((await browser.get('/sign-in', slovak)).html).toContain('Prihlásiť sa');
  expect((await browser.get('/sign-in?language=en', slovak)).html).toContain('<html lang="en">');
  expect((await browser.get('/sign-in', slovak)).html).toContain('Forgotten?');
});
