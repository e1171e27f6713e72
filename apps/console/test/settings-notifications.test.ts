import { createUser } from '@dealkeep/core/accounts';
import { Browser, connectedUser, createManualWebhook, sharedDealkeep } from '@dealkeep/testing';
import { expect, test } from 'vitest';
import { textOf } from './page-parts.ts';
import { signedInOwner } from './signed-in-owner.ts';

const dealkeep = await sharedDealkeep();
const { core, sql } = dealkeep;
const path = '/settings/notifications';
const target_url = 'http://127.0.0.1:9/hook';

const owner = () => signedInOwner(dealkeep);

test('without a webhook, the page says what will be told to whom', async () => {
  const { browser } = await owner();
  const text = textOf((await browser.get(path)).html);
  expect(text).toContain('has failed for 24 hours, and when it ends after 72');
  expect(text).toContain('There is no webhook yet');
});

test('says for each webhook who is told and why, and leads to where that is chosen', async () => {
  const { organization, browser } = await owner();
  const { id: eva } = await createUser(core, {
    organization: organization.slug,
    name: 'Eva <b>',
    email: `eva@${organization.slug}.example`,
    role: 'owner',
  });
  const make = (name: string, notify_user_ids: string[]) =>
    createManualWebhook(core, organization, { name, target_url, events: ['lead.won'], notify_user_ids });
  const chosen = await make('To chosen people', [eva]);
  await make('To the owners', []);
  const person = await connectedUser(dealkeep, organization, 'leads.view=all');
  const hook = { target_url, event: 'lead.won', name: 'Of an app' };
  expect((await dealkeep.as(person.token).post('/webhooks', hook)).status).toBe(201);
  await sql`update memberships set name = 'Peter' where id = ${person.id}`;

  const rowOf = async (name: string) => {
    const { html } = await browser.get(path);
    return (
      [...html.matchAll(/<tr><th scope="row">.*?<\/tr>/gs)]
        .map(([row]) => row)
        .find((row) => row.includes(name)) ?? ''
    );
  };
  expect(await rowOf('To chosen people')).toContain('<span>Eva &lt;b&gt;<br>');
  expect(await rowOf('To chosen people')).toContain(`href="/integrations/webhooks/${chosen.id}/edit"`);
  expect(textOf(await rowOf('To the owners'))).toMatch(/Jana Horváthová, Eva .*owners, because/);
  expect(textOf(await rowOf('Of an app'))).toMatch(/Peter their key or connected app/);

  await sql`update memberships set active = false where id = ${eva}`;
  expect(textOf(await rowOf('To chosen people'))).toMatch(/Jana Horváthová owners, because/);
});

test('who is no owner is not led there, and refused in words', async () => {
  const { organization } = await owner();
  const { email } = await connectedUser(dealkeep, organization, 'leads.view=all');
  const browser = new Browser(dealkeep);
  await browser.signInAs(email);
  expect((await browser.get('/leads')).html).not.toContain(path);
  const refused = await browser.get(path);
  expect([refused.status, textOf(refused.html)]).toEqual([403, expect.stringContaining('Only owners')]);
});
