import { createOAuthApp, signIn } from '@dealkeep/core/accounts';
import { removeOld } from '@dealkeep/core/installation';
import { Browser, ManualClock, ownerPassword, startDealkeep } from '@dealkeep/testing';
import { describe, expect, test } from 'vitest';
import { begin, invitedPeople, isIn, nobodyAt, switchTo, usersPath } from './invited-people.ts';
import { problemBeside, textOf } from './page-parts.ts';

const clock = new ManualClock();
const dealkeep = await startDealkeep({ worker: false, clock });
const { core, sql } = dealkeep;
const save = { do: 'save' };
const day = 24 * 3_600_000;
const { owner, linkOn, accept, signInWith, member } = invitedPeople(dealkeep);

describe('an invitation', () => {
  test('says to nobody whether its address is known: same answers, same pages', async () => {
    const [known, stranger] = [await dealkeep.createOrganization(), 'stranger@nowhere.example'];
    const seen: string[][] = [];
    for (const email of [known.ownerEmail, stranger]) {
      const { organization, browser, invite } = await owner();
      const shown = await invite(email);
      const link = linkOn(shown);
      const page = await new Browser(dealkeep).get(link);
      const wrong = { password: 'not the password', do: 'sign_in' };
      const { done: refused } = await accept(link, wrong);
      const short = (await accept(link, { name: 'X', password: 'short', do: 'begin' })).done;
      const { done: accepted, browser: inside } = await accept(link, begin);
      const again = await signInWith(email, begin.password);
      const pages = [
        shown,
        await browser.get(usersPath),
        page,
        refused,
        short,
        accepted,
        await inside.get('/leads'),
        await again.browser.get('/leads'),
      ];
      seen.push(
        pages.map(({ status, location, html }) =>
          [status, location, html]
            .join('\n')
            .replaceAll(email, '(email)')
            .replaceAll(organization.slug, '(slug)')
            .replaceAll(organization.id, '(organization)')
            .replaceAll(
              /dk_inv_\w+|[\w-]{36}|name="csrf_token" value="\w+"|data-visit="[\w-]+"/g,
              '(made up)',
            ),
        ),
      );
    }
    expect(seen[0]).toEqual(seen[1]);
    // And the one who was known is as before.
    const before = await signInWith(known.ownerEmail, ownerPassword);
    expect(textOf((await before.browser.get('/settings/account')).html)).toContain('Test organization');
    expect((await before.browser.get('/')).html).not.toContain('Switch organization');
    // One derivation tells for both of whom the password is right, so that the time of it does not say how many they
    // are.
    const hashes = await sql<{ salt: string }[]>`
      select split_part(password_hash, '$', 5) as salt from users where email = ${known.ownerEmail}`;
    expect(hashes).toHaveLength(2);
    expect(new Set(hashes.map(({ salt }) => salt)).size).toBe(1);
  });

  test('is refused for who belongs to the organization, and for who is invited', async () => {
    const { organization, invite } = await owner();
    const own = await invite(organization.ownerEmail.toUpperCase());
    expect([own.status, problemBeside(own.html, 'email')]).toEqual([
      422,
      'Somebody of the organization has this e-mail address already.',
    ]);
    await invite(nobodyAt(organization));
    const twice = await invite(nobodyAt(organization).toUpperCase());
    expect(problemBeside(twice.html, 'email')).toContain('is invited already');
    const wrong = await invite('nobody', 'No such role');
    expect(wrong.status).toBe(422);
  });

  test('is refused beside its fields, and the password is not sent back', async () => {
    const { organization, invite } = await owner();
    const link = linkOn(await invite(nobodyAt(organization)));
    const { done } = await accept(link, { name: '', password: 'too short', do: 'begin' });
    expect([done.status, problemBeside(done.html, 'name'), problemBeside(done.html, 'password')]).toEqual([
      422,
      'This must not be empty.',
      'At least 10 characters are needed.',
    ]);
    expect(done.html).not.toContain('too short');
    expect((await accept(link, begin)).done.status).toBe(303);
  });

  test('that nobody accepted is forgotten a month after it ended', async () => {
    const { organization, invite } = await owner();
    await invite(nobodyAt(organization));
    const left = () => sql`select from invitations where organization_id = ${organization.id}`;
    clock.advance(36 * day);
    await removeOld(core);
    expect(await left()).toHaveLength(1);
    clock.advance(2 * day);
    await removeOld(core);
    expect(await left()).toEqual([]);
  });

  test('counts once, also when it is accepted twice at the same moment', async () => {
    const { organization, invite } = await owner();
    const link = linkOn(await invite(nobodyAt(organization)));
    const both = await Promise.all(
      [1, 2].map((number) => accept(link, { ...begin, password: `${begin.password} ${number}` })),
    );
    expect(both.map(({ done }) => done.status).sort()).toEqual([303, 404]);
    expect(await sql`select from memberships where organization_id = ${organization.id}`).toHaveLength(2);
  });
});

describe('somebody of several organizations', () => {
  test('joins by one click while signed in; with another address they sign out first', async () => {
    const { first, browser } = await member();
    const third = await owner();
    const email = nobodyAt(first.organization);
    const link = linkOn(await third.invite(email.toUpperCase()));
    const page = await browser.get(link);
    expect(page.html).not.toContain('type="password"');
    expect((await browser.submit(page, '/invitation', { do: 'join' })).location).toBe('/');
    expect(await isIn(browser)).toBe(third.organization.slug);

    const other = linkOn(await third.invite(nobodyAt(third.organization, 'other')));
    const told = await browser.get(other);
    expect(textOf(told.html)).toContain('sign out to accept it');
    expect((await browser.submit(told, '/invitation', { do: 'join' })).status).toBe(404);
    const out = await browser.submit(await browser.get(other), '/invitation', { do: 'leave' });
    expect(out.location).toBe(other);
    expect(textOf((await browser.get(other)).html)).toContain('New here');
  });

  test('does nothing in one organization with a form that was opened in the other', async () => {
    const { first, second, browser } = await member();
    await sql`update memberships set role_id = null where organization_id = ${second.organization.id}`;
    const form = await browser.get('/leads/new');
    await switchTo(browser, first.organization);
    await sql`update memberships set role_id = null where organization_id = ${first.organization.id}`;
    const sent = await browser.submit(form, '/leads/new', { name: 'Of the second', ...save });
    expect([sent.status, textOf(sent.html)]).toEqual([
      403,
      expect.stringContaining('switched the organization'),
    ]);
    expect(await sql`select from leads where name = 'Of the second'`).toEqual([]);
  });

  test('switches by a form of the session alone, and to no organization of others', async () => {
    const { first, second, browser } = await member();
    const forged = await browser.post('/organization', { organization: first.organization.id });
    expect([forged.status, await isIn(browser)]).toEqual([403, second.organization.slug]);
    const other = await owner();
    expect((await switchTo(browser, other.organization)).status).toBe(404);
    const away = await browser.fill('/', '/organization', {
      organization: first.organization.id,
      back: '//evil.example',
    });
    expect(away.location).toBe('/');
  });

  test('sees which organization an application is connected to, and chooses another', async () => {
    const { first, second, browser } = await member();
    const redirectUri = 'https://app.example/callback';
    const app = await createOAuthApp(core, {
      name: 'App',
      redirectUris: [redirectUri],
      scopes: ['leads:read'],
    });
    const authorize = `/oauth/authorize?${new URLSearchParams({
      response_type: 'code',
      client_id: app.client_id,
      redirect_uri: redirectUri,
      state: 'x',
      code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
      code_challenge_method: 'S256',
    })}`;
    const asked = await browser.get(authorize);
    expect(textOf(asked.html)).toContain(`access to the organization ${second.organization.slug}`);
    const switched = await browser.submit(asked, '/organization', { organization: first.organization.id });
    expect(new URL(switched.location ?? '', 'http://own').pathname).toBe('/oauth/authorize');
    const again = await browser.get(switched.location ?? '');
    expect(textOf(again.html)).toContain(`access to the organization ${first.organization.slug}`);
    // What the first page showed is not agreed to any more.
    expect((await browser.submit(asked, '/oauth/authorize', { decision: 'allow' })).status).toBe(403);
    const allowed = await browser.submit(again, '/oauth/authorize', { decision: 'allow' });
    expect(allowed.location).toContain('code=');
    const codes = await sql`select organization_id from oauth_codes where client_id = ${app.client_id}`;
    expect(codes).toEqual([{ organization_id: first.organization.id }]);
  });

  test('loses one organization by deactivation, and the session goes on in the other', async () => {
    const { first, second, email, browser } = await member();
    const [row] = await sql<{ id: string }[]>`
      select m.id from memberships m join users u on u.id = m.person_id
      where u.email = ${email} and m.organization_id = ${second.organization.id}`;
    const page = `${usersPath}/${row?.id}`;
    const open = await browser.get('/leads');
    await second.browser.fill(`${page}/deactivate`, `${page}/deactivate`, {});
    expect(await isIn(browser)).toBe(first.organization.slug);
    expect((await browser.get('/')).html).not.toContain('Switch organization');
    expect((await browser.submit(open, '/sign-out', {})).status).toBe(403);
    expect(
      (await switchTo(first.browser, second.organization).catch(() => undefined))?.status,
    ).toBeUndefined();
    expect(await isIn((await signInWith(email, begin.password)).browser)).toBe(first.organization.slug);
    await second.browser.fill(page, `${page}/activate`, {});
    expect((await browser.get('/')).html).toContain('Switch organization');
  });

  test('has one password and one list of sessions everywhere, and a name for each organization', async () => {
    const { first, email, browser } = await member();
    const other = (await signInWith(email, begin.password)).browser;
    await switchTo(other, first.organization);
    await browser.fill('/settings/account/edit', '/settings/account/edit', { name: 'Dr. Nová', ...save });
    expect(textOf((await other.get('/settings/account')).html)).toContain('Eva Nová');
    const password = '/settings/account/password';
    const change = { current_password: begin.password, password: 'a wholly new password', ...save };
    expect((await browser.fill(password, password, change)).status).toBe(303);
    expect((await other.get('/')).status).toBe(303);
    expect([
      (await signInWith(email, begin.password)).status,
      (await signInWith(email, 'a wholly new password')).status,
    ]).toEqual([401, 303]);
  });

  test('reads all of it in Slovak', async () => {
    const { first, browser } = await member();
    await browser.get('/?language=sk');
    expect(textOf((await browser.get('/')).html)).toContain('Prepnúť organizáciu');
    const link = linkOn(await first.invite(nobodyAt(first.organization, 'sk')));
    const page = await new Browser(dealkeep).get(`${link}&language=sk`);
    for (const said of ['Som tu prvýkrát', 'Už sa tu prihlasujem', 'Zvoľte si heslo', 'Rola: Sales']) {
      expect(textOf(page.html)).toContain(said);
    }
  });
});

describe('a session', () => {
  test('ends after thirty days whatever happens, and is gone from the list', async () => {
    const organization = await dealkeep.createOrganization();
    const browser = new Browser(dealkeep);
    await browser.signIn(organization);
    for (let hours = 0; hours < 30 * 24 - 6; hours += 6) {
      clock.advance(6 * 3_600_000);
      expect((await browser.get('/settings/account')).status).toBe(200);
    }
    await signIn(core, { email: organization.ownerEmail, password: ownerPassword });
    clock.advance(6 * 3_600_000);
    expect((await browser.get('/settings/account')).status).toBe(303);
    await browser.signIn(organization);
    const list = (await browser.get('/settings/account')).html;
    expect(list.match(/<tr><th scope="row">/g)).toHaveLength(2);
  });
});
