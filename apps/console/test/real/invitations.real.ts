import { startChromium } from '@dealkeep/testing/chromium';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { signIn, startBusiness } from './business.ts';
import { looks, visitor } from './visitor.ts';

const { dealkeep, organization, app } = await startBusiness();
const chromium = await startChromium();
const challenge = {
  code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  code_challenge_method: 'S256',
};
const authorize = `/oauth/authorize?${new URLSearchParams({
  response_type: 'code',
  client_id: app.id,
  redirect_uri: app.redirectUri,
  state: 'x',
  ...challenge,
})}`;
const texts = {
  en: { switch: 'Switch organization', invited: 'is invited' },
  sk: { switch: 'Prepnúť organizáciu', invited: 'Pozvaný' },
};

/** On a phone the organization stands in the menu. */
async function openSwitch(page: Page): Promise<void> {
  if (await page.isVisible('.menu')) await page.click('.menu');
  await page.click('.switch:visible');
}

describe.each(looks)('in $language, $colours, $width wide', (look) => {
  test('somebody is invited, accepts, is invited elsewhere, accepts again, and switches', async () => {
    const { language } = look;
    const second = await dealkeep.createOrganization();
    const name = `Studio ${language} ${look.width}`;
    await dealkeep.sql`update organizations set name = ${name} where id = ${second.id}`;
    const email = `eva-${language}-${look.width}@people.example`;

    /** Invites as an owner of an organization; answers the link, which belongs into another window. */
    const invite = async (from: typeof organization, judged: boolean): Promise<string> => {
      const owner = await visitor(chromium, dealkeep.origin, look);
      await signIn(owner, from);
      await owner.open('/settings/users/invitations/new');
      if (judged) await owner.judge('invite');
      await owner.page.fill('[name=email]', email);
      await owner.page.selectOption('[name=role]', 'owner');
      await owner.page.click('.choices button');
      const link = await owner.page.inputValue('#secret');
      expect(await owner.page.textContent('h1')).toContain(texts[language].invited);
      if (judged) {
        await owner.judge('invitation-link');
        await owner.open('/settings/users');
        await owner.judge('people-invited');
      }
      return link.replace(dealkeep.core.origin, dealkeep.origin);
    };

    const visit = await visitor(chromium, dealkeep.origin, look);
    const { page } = visit;
    await page.goto(await invite(organization, true));
    await visit.judge('invitation');
    await page.fill('#name', 'Eva Nová');
    await page.fill('#new-password', 'short');
    await page.evaluate(`document.querySelector('#new-password').removeAttribute('minlength')`);
    await page.click('[value=begin]');
    // A browser moves the focus once it has drawn the page.
    await page.waitForSelector('#new-password[aria-invalid=true]:focus');
    await visit.judge('invitation-refused');
    await page.fill('#new-password', 'a password of Eva');
    await page.click('[value=begin]');
    await page.waitForURL('/');
    expect(await page.textContent('body')).not.toContain(texts[language].switch);

    await page.goto(await invite(second, false));
    await visit.judge('invitation-signed-in');
    await page.click('[value=join]');
    await page.waitForURL('/');
    expect(await page.evaluate(`document.querySelector('.account').textContent`)).toContain('Eva Nová');
    await openSwitch(visit.page);
    await visit.judge('switch-organization');

    await visit.open(authorize);
    await visit.judge('consent-of-several');
    await page.click('.organizations button');
    await page.waitForFunction(`document.body.textContent.includes('Tatra Studio')`);
    expect(page.url()).toContain('/oauth/authorize?');
    await page.click('button[value=allow]');
    await page.waitForURL(/\/connected\?.*code=/);
    const [code] = await dealkeep.sql`
      select organization_id from oauth_codes order by expires_at desc limit 1`;
    expect(code).toEqual({ organization_id: organization.id });

    await visit.open('/');
    await openSwitch(visit.page);
    await page.click('#organizations button');
    await page.waitForURL('/');
    expect(await page.evaluate(`document.querySelector('.brand span').textContent`)).toBe(name);
  });
});

test('an invitation that has ended says so', async () => {
  const visit = await visitor(chromium, dealkeep.origin);
  await visit.open('/invitation?token=dk_inv_unknown');
  await visit.judge('invitation-ended');
});
