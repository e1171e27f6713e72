import { createHash } from 'node:crypto';
import { Browser, ManualClock, startDealkeep } from '@dealkeep/testing';
import { describe, expect, test } from 'vitest';
import {
  begin,
  invitedPeople,
  invitePath,
  isIn,
  nobodyAt,
  switchTo,
  tokenOf,
  usersPath,
} from './invited-people.ts';
import { textOf } from './page-parts.ts';

const clock = new ManualClock();
const dealkeep = await startDealkeep({ worker: false, clock });
const { sql } = dealkeep;
const save = { do: 'save' };
const day = 24 * 3_600_000;
const { owner, linkOn, accept, signInWith, member } = invitedPeople(dealkeep);

describe('an invitation', () => {
  test('is a link where no mail is set up, shown once; the person chooses name and password and comes in (rules users 7 and 8)', async () => {
    const { organization, browser, invite } = await owner();
    const email = nobodyAt(organization);
    const shown = await invite(email);
    const link = linkOn(shown);
    expect(link).toMatch(/^\/invitation\?token=dk_inv_[0-9A-Za-z]{43}$/);
    const list = textOf((await browser.get(usersPath)).html);
    expect(list).toContain(`${email} Sales`);
    const visitor = new Browser(dealkeep);
    const page = await visitor.get(link);
    expect(textOf(page.html)).toContain(`invites ${email} to ${organization.slug}. Role: Sales.`);
    const done = await visitor.submit(page, '/invitation', begin);
    expect([done.status, done.location]).toEqual([303, '/']);
    expect([(await visitor.get('/leads')).status, (await visitor.get('/companies')).status]).toEqual([
      200, 403,
    ]);
    expect(textOf((await browser.get(usersPath)).html)).not.toContain('Invited');
    const users = Object((await dealkeep.as(organization.key).get('/users?q=eva')).json).data;
    expect(users).toEqual([{ id: expect.any(String), name: 'Eva Nová', email }]);
    expect((await signInWith(email.toUpperCase(), begin.password)).status).toBe(303);
    // Once.
    const again = await new Browser(dealkeep).get(link);
    expect([again.status, textOf(again.html)]).toEqual([
      404,
      expect.stringContaining('The invitation has ended'),
    ]);
  });

  test('shows the same link when its form is sent twice, and keeps only a hash of it', async () => {
    const { organization, browser } = await owner();
    const form = await browser.get(invitePath);
    const fields = { email: nobodyAt(organization), role: 'Sales', ...save };
    const send = () => browser.submit(form, invitePath, fields);
    const [first, second] = [linkOn(await send()), linkOn(await send())];
    expect(second).toBe(first);
    const { token } = tokenOf(first);
    expect(
      await sql`select token_hash from invitation_tokens where organization_id = ${organization.id}`,
    ).toEqual([{ token_hash: createHash('sha256').update(token).digest() }]);
  });

  test('ends after seven days, when it is withdrawn, and when it is sent again (rule users 6)', async () => {
    const { organization, browser, invite } = await owner();
    const status = async (link: string) => (await new Browser(dealkeep).get(link)).status;
    const first = linkOn(await invite(nobodyAt(organization)));
    clock.advance(7 * day - 1000);
    await browser.signIn(organization);
    expect(await status(first)).toBe(200);
    clock.advance(1000);
    expect([await status(first), (await accept(first, begin).catch(() => undefined))?.done.status]).toEqual([
      404,
      undefined,
    ]);
    const refused = await new Browser(dealkeep).post('/invitation', { ...tokenOf(first), ...begin });
    expect(refused.status).toBe(404);
    const expired = await browser.get(usersPath);
    expect(textOf(expired.html)).toContain('Expired');
    const [again = ''] = /\/settings\/users\/invitations\/[\w-]+\/again/.exec(expired.html) ?? [];
    const second = linkOn(await browser.submit(expired, again, {}));
    const third = linkOn(await browser.submit(await browser.get(usersPath), again, {}));
    expect([await status(second), await status(third)]).toEqual([404, 200]);
    const withdrawn = await browser.submit(
      await browser.get(usersPath),
      again.replace('again', 'withdraw'),
      {},
    );
    expect(withdrawn.location).toBe(`${usersPath}?done=withdrawn`);
    expect(await status(third)).toBe(404);
    expect(await sql`select from invitations where organization_id = ${organization.id}`).toEqual([]);
  });

  test('is no way into the login of somebody else, nor to guess at it faster', async () => {
    const { invite } = await owner();
    const known = await dealkeep.createOrganization();
    const link = linkOn(await invite(known.ownerEmail));
    const guesses = [];
    for (let guess = 0; guess < 6; guess += 1) {
      guesses.push((await accept(link, { password: `guess ${guess}`, do: 'sign_in' })).done.status);
    }
    expect(guesses).toEqual([401, 401, 401, 401, 401, 429]);
  });
});

describe('somebody of several organizations', () => {
  test('joins the second by signing in, switches, and comes back to where they were last (rules users 1 and 8)', async () => {
    const { first, second, email, browser } = await member();
    expect(await isIn(browser)).toBe(second.organization.slug);
    expect((await switchTo(browser, first.organization)).location).toBe('/');
    expect(await isIn(browser)).toBe(first.organization.slug);
    clock.advance(1000);
    expect(await isIn((await signInWith(email, begin.password)).browser)).toBe(first.organization.slug);
    // One person, known by another id in each, so that nobody can tell.
    const rows = await sql<{ id: string; person_id: string }[]>`
      select m.id, m.person_id from memberships m join users u on u.id = m.person_id where u.email = ${email}`;
    expect(new Set(rows.map((row) => row.person_id)).size).toBe(1);
    expect(new Set(rows.map((row) => row.id)).size).toBe(2);
  });
});
