import { addUser, Browser, ManualClock, ownerPassword, startDealkeep } from '@dealkeep/testing';
import { describe, expect, test } from 'vitest';
import { problemBeside, textOf } from './page-parts.ts';

const clock = new ManualClock();
const dealkeep = await startDealkeep({ worker: false, clock });
const { sql } = dealkeep;
const path = '/settings/account';
const save = { do: 'save' };
const newPassword = 'a wholly new password';

/** Somebody of a role, signed in. */
async function person() {
  const { slug, id } = await dealkeep.createOrganization();
  const permissions = 'leads.view=all';
  const { id: user, email, role } = await addUser(dealkeep, { slug }, { permissions });
  const again = async (password = ownerPassword, headers: Record<string, string> = {}) => {
    const browser = new Browser(dealkeep);
    const sent = await browser.post('/sign-in', { email, password }, headers);
    return { browser, status: sent.status };
  };
  return { ...(await again()), again, email, role, user, organization: id };
}
const isIn = async (browser: Browser) => (await browser.get(path)).status === 200;
const change = (browser: Browser, fields: Record<string, string>) =>
  browser.fill(`${path}/password`, `${path}/password`, { ...fields, ...save });

describe('the own account', () => {
  test('is reached by the initials at the top, by everybody', async () => {
    const { browser, email, role } = await person();
    const page = await browser.get('/leads');
    expect(page.html).toMatch(/<button[^>]* popovertarget="account">.*?Your account, Eva</);
    expect(page.html).toMatch(new RegExp(`<div id="account".*?<a href="${path}">.*?</div>`, 's'));
    const text = textOf((await browser.get(path)).html);
    expect(text).toContain(email);
    expect(text).toContain(`Role ${role}`);
  });

  test('takes another name and language; the console then speaks it, on every browser (rule users 14)', async () => {
    const { browser, again } = await person();
    await browser.get(`${path}?language=en`);
    const done = await browser.fill(`${path}/edit`, `${path}/edit`, {
      name: 'Eva <i>',
      language: 'sk',
      ...save,
    });
    expect(done.location).toBe(`${path}?done=saved`);
    for (const each of [browser, (await again()).browser]) {
      const { html } = await each.get(path);
      expect(html).toContain('<html lang="sk">');
      expect(html).toContain('Eva &lt;i&gt;');
    }
    expect((await browser.get(`${path}?language=en`)).html).toContain('<html lang="en">');
  });

  test('changes neither e-mail nor role, whatever is sent', async () => {
    const { browser, email, user } = await person();
    const form = await browser.get(`${path}/edit`);
    await browser.submit(form, `${path}/edit`, { email: 'other@example.com', role: 'owner', ...save });
    const [row] = await sql<{ role_id: string | null }[]>`select role_id from memberships where id = ${user}`;
    expect(row?.role_id).toEqual(expect.any(String));
    expect((await browser.get(path)).html).toContain(email);
  });
});

describe('the own password', () => {
  test('is changed after the current one; every other session ends, and the token of this one changes (rule users 12)', async () => {
    const { browser, again } = await person();
    const other = (await again()).browser;
    const stolen = browser.cookies.get('dealkeep_session');
    const done = await change(browser, { current_password: ownerPassword, password: newPassword });
    expect(done.location).toBe(`${path}?done=password`);
    expect([await isIn(browser), await isIn(other)]).toEqual([true, false]);
    const thief = await new Browser(dealkeep).get(path, { Cookie: `dealkeep_session=${stolen}` });
    expect(thief.status).toBe(303);
    expect([(await again()).status, (await again(newPassword)).status]).toEqual([401, 303]);
  });

  test('goes on with forms that were open in this browser', async () => {
    const { browser } = await person();
    const open = await browser.get(`${path}/edit`);
    await change(browser, { current_password: ownerPassword, password: newPassword });
    expect((await browser.submit(open, `${path}/edit`, { name: 'Later', ...save })).status).toBe(303);
  });

  test('is changed in the request that rotates the token, too', async () => {
    const { browser } = await person();
    const form = await browser.get(`${path}/password`);
    clock.advance(3_600_000);
    const fields = { current_password: ownerPassword, password: newPassword, ...save };
    expect((await browser.submit(form, `${path}/password`, fields)).status).toBe(303);
    expect(await isIn(browser)).toBe(true);
  });

  test('stays when the current one is wrong, and guesses are slowed down', async () => {
    const { browser, again } = await person();
    const other = (await again()).browser;
    const wrong = await change(browser, { current_password: 'a wrong guess', password: newPassword });
    expect([wrong.status, problemBeside(wrong.html, 'current_password')]).toEqual([
      422,
      'This is not your current password.',
    ]);
    expect(wrong.html).not.toContain(newPassword);
    for (let guess = 0; guess < 4; guess += 1) {
      await change(browser, { current_password: `guess ${guess}`, password: newPassword });
    }
    const slow = await change(browser, { current_password: ownerPassword, password: newPassword });
    expect([slow.status, textOf(slow.html)]).toEqual([429, expect.stringContaining('Too many attempts')]);
    expect(await isIn(other)).toBe(true);
  });

  test('is told to be wrong beside a new one that is short, and each such guess counts once', async () => {
    const { browser, again } = await person();
    const fields = { current_password: 'a wrong guess', password: 'short' };
    for (let guess = 0; guess < 4; guess += 1) {
      const refused = await change(browser, fields);
      expect([refused.status, problemBeside(refused.html, 'password')]).toEqual([
        422,
        'At least 10 characters are needed.',
      ]);
      expect(problemBeside(refused.html, 'current_password')).toBe('This is not your current password.');
    }
    // A right one is no failure, and forgets none: it changed nothing.
    for (let time = 0; time < 3; time += 1) {
      const short = await change(browser, { current_password: ownerPassword, password: 'short' });
      expect([short.status, problemBeside(short.html, 'current_password')]).toEqual([422, undefined]);
    }
    expect((await change(browser, fields)).status).toBe(422);
    const right = { current_password: ownerPassword, password: newPassword };
    for (const tooSoon of [fields, right]) expect((await change(browser, tooSoon)).status).toBe(429);
    expect((await again()).status).toBe(303);
    clock.advance(1000);
    expect((await change(browser, right)).location).toBe(`${path}?done=password`);
  });

  test('is refused when it is short', async () => {
    const { browser } = await person();
    const short = await change(browser, { current_password: ownerPassword, password: 'short' });
    expect(problemBeside(short.html, 'password')).toBe('At least 10 characters are needed.');
  });
});

describe('sessions', () => {
  test('are listed with their browser, this one first; all others end', async () => {
    const { browser, again } = await person();
    const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
    const other = (await again(ownerPassword, { 'User-Agent': firefox })).browser;
    const page = await browser.get(path);
    const rows = [...page.html.matchAll(/<tr><th scope="row">.*?<\/tr>/gs)].map(([row]) => textOf(row));
    expect(rows).toEqual([expect.stringContaining('This one'), expect.stringContaining('Firefox, Linux')]);
    const asking = await browser.get(`${path}/end-sessions`);
    expect(textOf(asking.html)).toContain('Every session but this one ends');
    expect((await browser.submit(asking, `${path}/end-sessions`, {})).location).toBe(`${path}?done=ended`);
    expect([await isIn(browser), await isIn(other)]).toEqual([true, false]);
  });

  test('of others are neither listed nor ended', async () => {
    const [eva, peter] = [await person(), await person()];
    const { html } = await eva.browser.get(path);
    expect(html.match(/<tr><th scope="row">/g)).toHaveLength(1);
    await eva.browser.fill(`${path}/end-sessions`, `${path}/end-sessions`, {});
    expect(await isIn(peter.browser)).toBe(true);
  });
});
