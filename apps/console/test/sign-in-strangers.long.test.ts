import { createConsole } from '@dealkeep/console';
import { createUser, signIn } from '@dealkeep/core/accounts';
import {
  Browser,
  cheapHash,
  ManualClock,
  ownerPassword,
  sharedDealkeep,
  startDealkeep,
  type TestOrganization,
  type VisitedPage,
} from '@dealkeep/testing';
import { describe, expect, test } from 'vitest';

const clock = new ManualClock();
const dealkeep = await startDealkeep({ worker: false, clock, trustProxy: true });
const { core } = dealkeep;

const day = 24 * 3_600_000;
const anotherPassword = 'another long password';
/** From an address of its own each time, unless one is said. */
let visitors = 0;
const anywhere = (): string => {
  visitors += 1;
  return `2001:db8:${visitors.toString(16)}::1`;
};
const post = (email: string, password: string, from = anywhere()) =>
  new Browser(dealkeep).post('/sign-in', { email, password }, { 'X-Forwarded-For': from });
const statusesOf = async (answers: readonly Promise<{ status: number }>[]): Promise<number[]> =>
  (await Promise.all(answers)).map(({ status }) => status);
/** So many wrong passwords, one after the other, however long that has to take. */
async function fail(count: number, attempt: () => Promise<{ status: number }>): Promise<void> {
  for (let failures = 0; failures < count; ) {
    const { status } = await attempt();
    if (status === 401) failures += 1;
    else clock.advance(1000);
  }
}

describe('strangers keep nobody out', () => {
  const known = async (organization: TestOrganization): Promise<Browser> => {
    const browser = new Browser(dealkeep);
    expect((await browser.signIn(organization)).status).toBe(303);
    return browser;
  };
  const again = (browser: Browser, { ownerEmail: email }: TestOrganization, password = ownerPassword) => {
    const carried = browser.cookies.get('dealkeep_known_browser');
    return new Browser(dealkeep).post(
      '/sign-in',
      { email, password },
      { 'X-Forwarded-For': anywhere(), Cookie: `dealkeep_known_browser=${carried}` },
    );
  };

  /** As somebody else may have the address of a person as long as neither has proved that it is theirs. */
  const shareAddress = async ({ ownerEmail }: TestOrganization): Promise<void> => {
    const other = await dealkeep.createOrganization();
    await dealkeep.sql`update users set email_verified = false where email = ${ownerEmail}`;
    await dealkeep.sql`
      update users set email = ${ownerEmail}, email_verified = false, password_hash = ${cheapHash(anotherPassword)}
      where email = ${other.ownerEmail}`;
  };

  test('a browser that has signed in before comes in while others guess, for 90 days', async () => {
    const organization = await dealkeep.createOrganization();
    const browser = await known(organization);
    await fail(6, () => post(organization.ownerEmail, 'guess'));
    expect((await post(organization.ownerEmail, ownerPassword)).status).toBe(429);
    expect((await again(browser, organization)).status).toBe(303);
    expect((await post(organization.ownerEmail, ownerPassword)).status, 'still for strangers').toBe(429);
    clock.advance(89 * day);
    await fail(6, () => post(organization.ownerEmail, 'guess'));
    expect((await again(browser, organization)).status).toBe(303);
    clock.advance(1 * day);
    await fail(6, () => post(organization.ownerEmail, 'guess'));
    expect((await again(browser, organization)).status, 'is forgotten').toBe(429);
  });

  test('what it guesses itself is slowed down like any other, and keeps nobody else out', async () => {
    const organization = await dealkeep.createOrganization();
    const browser = await known(organization);
    const guesses = Array.from({ length: 8 }, () => again(browser, organization, 'guess'));
    expect((await statusesOf(guesses)).filter((status) => status === 401)).toHaveLength(5);
    expect((await again(browser, organization)).status).toBe(429);
    expect((await post(organization.ownerEmail, ownerPassword)).status).toBe(303);
  });

  test('it is known for one account alone, and what it carries cannot be made up', async () => {
    const [organization, other] = [await dealkeep.createOrganization(), await dealkeep.createOrganization()];
    const browser = await known(other);
    await fail(6, () => post(organization.ownerEmail, 'guess'));
    expect((await again(browser, organization)).status).toBe(429);
    const [id = '', , until = '', signature = ''] =
      browser.cookies.get('dealkeep_known_browser')?.split('.') ?? [];
    for (const forged of [
      [id, organization.ownerId, until, signature],
      [id, organization.ownerId, until, ''],
      [id, organization.ownerId, until],
      ['', '', '', ''],
    ]) {
      const headers = { 'X-Forwarded-For': anywhere(), Cookie: `dealkeep_known_browser=${forged.join('.')}` };
      const fields = { email: organization.ownerEmail, password: ownerPassword };
      expect((await new Browser(dealkeep).post('/sign-in', fields, headers)).status).toBe(429);
    }
  });

  test('whoever has the address of somebody else has one count for all browsers that know them', async () => {
    const victim = await dealkeep.createOrganization();
    const victims = await known(victim);
    await shareAddress(victim);
    const attacker = async (): Promise<Browser> => {
      const browser = new Browser(dealkeep);
      const fields = { email: victim.ownerEmail, password: anotherPassword };
      expect((await browser.post('/sign-in', fields, { 'X-Forwarded-For': anywhere() })).status).toBe(303);
      return browser;
    };
    // Each sign-in of one's own makes the browser known anew, and forgets its failures.
    for (let round = 0; round < 5; round += 1) {
      expect((await again(await attacker(), victim, 'guess')).status).toBe(401);
    }
    const right = await again(await attacker(), victim);
    expect(right.status, 'not even the right password is looked at any more').toBe(401);
    expect((await again(victims, victim)).status).toBe(303);
    expect((await post(victim.ownerEmail, ownerPassword)).status, 'and it keeps nobody out').toBe(303);
  });

  test('another person of the address signs in from it, too', async () => {
    const organization = await dealkeep.createOrganization();
    const browser = await known(organization);
    await shareAddress(organization);
    expect((await again(browser, organization, anotherPassword)).status).toBe(303);
  });

  test('neither answers nor counts tell it whether anybody else has its address', async () => {
    const probe = async (shared: boolean): Promise<unknown> => {
      const organization = await dealkeep.createOrganization();
      const browser = await known(organization);
      await dealkeep.sql`update users set email_verified = false where email = ${organization.ownerEmail}`;
      if (shared) await shareAddress(organization);
      clock.advance(1000);
      const answers: unknown[] = [];
      const note = async (asked: Promise<VisitedPage>): Promise<void> => {
        const { status, headers, html } = await asked;
        answers.push([status, headers.get('retry-after'), html.match(/role="alert">([^<]*)/)?.[1]]);
      };
      const { ownerEmail } = organization;
      // From its own browser and from elsewhere, with either side slowed down.
      for (let round = 0; round < 4; round += 1) await note(again(browser, organization, 'guess'));
      await note(post(ownerEmail, 'guess'));
      await note(again(browser, organization));
      for (let round = 0; round < 6; round += 1) await note(post(ownerEmail, 'guess'));
      for (let round = 0; round < 7; round += 1) await note(again(browser, organization, 'guess'));
      await note(post(ownerEmail, 'guess'));
      const counted = await dealkeep.sql`
        select failures from sign_in_attempts where last_at >= ${clock.now().toISOString()} order by failures`;
      return { answers, counted: [...counted] };
    };
    const told = await probe(true);
    expect(told).toEqual(await probe(false));
    expect(told).toMatchObject({ answers: expect.arrayContaining([[401, null, expect.any(String)]]) });
    expect(told).toMatchObject({
      answers: expect.arrayContaining([[429, expect.any(String), expect.any(String)]]),
    });
  });

  test('what it carries is read by no script, sent by https alone, and lasts when somebody signs out', async () => {
    const organization = await dealkeep.createOrganization();
    const secure = createConsole({ core: { ...core, origin: 'https://crm.example' } });
    const body = new URLSearchParams({ email: organization.ownerEmail, password: ownerPassword });
    const { headers } = await secure.request('https://crm.example/sign-in', { method: 'POST', body });
    expect(headers.getSetCookie()).toContainEqual(
      expect.stringMatching(
        /^__Host-dealkeep_known_browser=[\w.-]+; Max-Age=7776000; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
      ),
    );
    const browser = await known(organization);
    await browser.submit(await browser.get('/'), '/sign-out', {});
    expect([...browser.cookies.keys()]).toEqual(['dealkeep_known_browser']);
  });

  test('who guesses is not in the way of a person who changes their password', async () => {
    const organization = await dealkeep.createOrganization();
    const browser = await known(organization);
    await fail(6, () => post(organization.ownerEmail, 'guess'));
    const fields = { current_password: ownerPassword, password: 'another long password' };
    const page = '/settings/account/password';
    expect((await browser.fill(page, page, fields)).status).toBe(303);
  });
});

test('failures are counted by client address where the proxy is trusted', async () => {
  const organization = await dealkeep.createOrganization();
  const { ownerEmail } = organization;
  const browser = new Browser(dealkeep);
  await browser.signIn(organization);
  // Who has signed in rightly did not fail.
  for (let round = 0; round < 6; round += 1) await post(ownerEmail, ownerPassword, '198.51.100.7');
  // Of each account fewer than would be slowed down by themselves.
  const accounts = await Promise.all(Array.from({ length: 8 }, () => dealkeep.createOrganization()));
  const spray = (index: number, from = '198.51.100.7') =>
    post(accounts[index % accounts.length]?.ownerEmail ?? '', 'password1', from);
  // What a client says of itself stands before what the proxy wrote.
  for (let index = 0; index < 30; index += 1) {
    expect((await spray(index, `10.0.0.${index}, 198.51.100.7`)).status).toBe(401);
  }
  const refused = await spray(30);
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1']);
  expect((await spray(31, '::ffff:198.51.100.7')).status).toBe(429);
  expect((await post(ownerEmail, ownerPassword, '198.51.100.8')).status, 'from another').toBe(303);
  const fields = { email: ownerEmail, password: ownerPassword };
  const carried = browser.cookies.get('dealkeep_known_browser');
  const headers = { 'X-Forwarded-For': '198.51.100.7', Cookie: `dealkeep_known_browser=${carried}` };
  const known = await new Browser(dealkeep).post('/sign-in', fields, headers);
  expect(known.status, 'in a browser that has signed in before').toBe(303);
});

describe('many sign-ins with made-up addresses give real people no 503', () => {
  const password = ownerPassword;

  test('twenty of them at once, from the same client', async () => {
    const untrusting = await sharedDealkeep();
    const { ownerEmail: email } = await untrusting.createOrganization();
    const send = (form: Record<string, string>) => new Browser(untrusting).post('/sign-in', form);
    const flood = Array.from({ length: 20 }, (_, index) =>
      send({ email: `made-up-${index}@x.example`, password: 'guess' }),
    );
    const real = Array.from({ length: 4 }, () => send({ email, password }));
    expect(await statusesOf(real)).toEqual([303, 303, 303, 303]);
    expect(new Set(await statusesOf(flood))).toEqual(new Set([401]));
  });

  test('more than one client may try: only that one is refused, and of many clients nobody who has signed in before', async () => {
    const { ownerEmail: email } = await dealkeep.createOrganization();
    const { knownBrowser } = await signIn(core, { email, password });
    const failures = async (): Promise<number> => {
      const [row] = await dealkeep.sql<{ failures: number }[]>`
        select coalesce(sum(failures), 0)::integer as failures from sign_in_attempts`;
      return row?.failures ?? 0;
    };
    const before = await failures();
    const outcomes: string[] = [];
    const guess = (name: string, address: string) =>
      signIn(core, { email: name, password: 'guess', client: { address, trusted: false } }).catch((error) =>
        outcomes.push(String(error.code)),
      );
    const fourOwners = async (more: object): Promise<void> => {
      const owners = Array.from({ length: 4 }, () => signIn(core, { email, password, ...more }));
      await expect(Promise.all(owners)).resolves.toHaveLength(4);
    };
    const crowd = Array.from({ length: 200 }, (_, index) => guess(`crowd-${index}@x.example`, '192.0.2.3'));
    await fourOwners({ client: { address: anywhere(), trusted: false } });

    // Some of those who come when no more can wait see a page; when there is room just then, others come once more.
    const pages: VisitedPage[] = [];
    const refused = () => pages.find(({ status }) => status === 503);
    for (let round = 0; !refused(); round += 1) {
      const nets = Array.from({ length: 200 }, (_, net) =>
        guess(`net-${net}-${round}@x.example`, anywhere()),
      );
      await fourOwners({ knownBrowser });
      const visitors = Array.from({ length: 20 }, (_, visitor) =>
        post(`visitor-${visitor}-${round}@x.example`, 'guess'),
      );
      pages.push(...(await Promise.all(visitors)));
      await Promise.all(nets);
    }
    await Promise.all(crowd);
    const page = refused();
    expect(page?.headers.get('retry-after')).toBe('5');
    expect(page?.html).toContain('Back in a moment');
    expect(new Set(outcomes)).toEqual(new Set(['UNAUTHORIZED', 'RATE_LIMITED', 'SERVICE_UNAVAILABLE']));
    // What was not looked at is not counted.
    const looked = outcomes.filter((outcome) => outcome === 'UNAUTHORIZED').length;
    const lookedPages = pages.filter(({ status }) => status === 401).length;
    // Of the account and of the network.
    expect((await failures()) - before).toBe(2 * (looked + lookedPages));
  });
});

describe('an address has one count, however it is written', () => {
  test.each([
    ['of an account', true],
    ['that nobody has', false],
  ])('%s', async (_what, exists) => {
    const { slug } = await dealkeep.createOrganization();
    const name = `iiii-${exists}@x.example`;
    if (exists) await createUser(core, { organization: slug, name: 'Eva', email: name, role: 'owner' });
    // Lower case of PostgreSQL and of JavaScript do not agree on these.
    const spellings = Array.from({ length: 16 }, (_, bits) =>
      name.replaceAll(/i(?=i*-)/g, (_letter, at: number) => ((bits >> at) & 1 ? 'İ' : 'i')),
    );
    const before = await dealkeep.sql<{ address: string }[]>`
      select distinct comparison_form(spelling) as address from unnest(${spellings}::text[]) as spelling`;
    const [answers, looked] = [new Set<number>(), [] as number[]];
    for (const spelling of spellings) {
      const { status } = await post(spelling, 'guess');
      answers.add(status);
      if (status === 401) looked.push(status);
    }
    expect(answers).toContain(401);
    expect(looked).toHaveLength(Math.min(16, 5 * before.length));
    expect(before).toHaveLength(1);
  });
});
