import { pauseQueue, resumeQueue } from '@dealkeep/core/installation';
import { startDealkeep } from '@dealkeep/testing';
import { expect, test } from 'vitest';
import { textOf } from './page-parts.ts';
import { signedInOwner } from './signed-in-owner.ts';
import { signedInUser } from './signed-in-user.ts';

const dealkeep = await startDealkeep({ worker: false });
const { sql } = dealkeep;

/** What a page says of deliveries that are held; undefined where it says nothing. */
const bannerOf = ({ html }: { html: string }): string | undefined => {
  const banner = html.split('<div class="held"')[1]?.split('</div>')[0];
  return banner === undefined ? undefined : textOf(`<div${banner}`);
};

const owner = () => signedInOwner(dealkeep);

test('while an operator has everything paused, every page says so to who may see webhooks, in their language (rule operator 25)', async () => {
  const { organization, browser } = await owner();
  const permissions = 'leads.view=all';
  const { browser: eva } = await signedInUser(dealkeep, organization, { permissions });
  const pages = ['/', '/leads', '/integrations/webhooks', '/settings/organization'];
  for (const path of pages) expect(bannerOf(await browser.get(path)), path).toBeUndefined();

  await pauseQueue(sql, { all: true });
  for (const path of pages) {
    expect(bannerOf(await browser.get(path)), path).toMatch(
      /^Nothing is sent at the moment\. .+ has paused all webhooks and mails since .*20\d\d/,
    );
  }
  expect(bannerOf(await eva.get('/leads')), 'nothing that concerns her').toBeUndefined();
  expect(bannerOf(await browser.get('/leads?language=sk'))).toMatch(
    /^Momentálne sa nič neodosiela\. .+ od .*20\d\d/,
  );

  await resumeQueue(sql, { all: true });
  expect(bannerOf(await browser.get('/?language=en'))).toBeUndefined();
});

test('a pause of an organization, a webhook or a host is told to its owners, with what the operator said, and to nobody else (rule operator 33)', async () => {
  const [{ organization, browser }, other] = [await owner(), await owner()];
  const hook = async (target_url: string) =>
    (await dealkeep.as(organization.key).post('/webhooks', { target_url, events: ['lead.created'] })).data.id;
  const [id, elsewhere] = [await hook('http://127.0.0.1:9/a'), await hook('http://localhost:9/b')];
  const pageOf = (webhook: string) => browser.get(`/integrations/webhooks/${webhook}`);

  await pauseQueue(sql, { webhook: id }, 'Their <maintenance>');
  expect(bannerOf(await pageOf(id))).toMatch(
    /^Paused by the operator .+ has paused this webhook since .*20\d\d.* Reason: Their &lt;maintenance&gt;$/,
  );
  expect(bannerOf(await pageOf(elsewhere))).toBeUndefined();
  const list = textOf((await browser.get('/integrations/webhooks')).html);
  expect(list.split('Paused by the operator')).toHaveLength(2);
  expect(textOf((await browser.get('/')).html)).toContain('has paused this webhook since');
  await resumeQueue(sql, { webhook: id });
  expect(bannerOf(await pageOf(id))).toBeUndefined();

  await pauseQueue(sql, { host: 'localhost' });
  expect(bannerOf(await pageOf(elsewhere))).toMatch(/has paused all webhooks to localhost:9 since/);
  expect(bannerOf(await pageOf(id))).toBeUndefined();
  await resumeQueue(sql, { host: 'localhost' });

  await pauseQueue(sql, { organization: organization.slug }, 'Unpaid');
  for (const path of ['/', '/leads', `/integrations/webhooks/${id}`]) {
    expect(bannerOf(await browser.get(path)), path).toMatch(
      /^No webhook is sent at the moment\. .+ has paused the webhooks of this organization since .+ Reason: Unpaid$/,
    );
  }
  expect(bannerOf(await browser.get('/?language=sk'))).toMatch(/^Momentálne sa neodosiela žiadny webhook\./);
  expect(bannerOf(await other.browser.get('/')), 'another organization').toBeUndefined();
  await resumeQueue(sql, { organization: organization.slug });
});

test('workers that all run with DELIVERIES=held are told of, until one of them sends (rule operator 25)', async () => {
  const { browser } = await owner();
  /** A process notes that it runs; answers its id. */
  const runs = async (roles: string[], held: boolean): Promise<string> => {
    const id = crypto.randomUUID();
    await sql`
      insert into processes (id, roles, host, version, secrets_key, deliveries_held, connections)
      values (${id}, ${roles}, 'one', '1', 'key', ${held}, 1)`;
    return id;
  };
  await runs(['api', 'console'], true);
  expect(bannerOf(await browser.get('/')), 'of no worker').toBeUndefined();
  await runs(['worker'], true);
  expect(bannerOf(await browser.get('/'))).toMatch(/^Nothing is sent at the moment\. .+ holds back/);
  const sending = await runs(['worker'], false);
  expect(bannerOf(await browser.get('/'))).toBeUndefined();
  await sql`update processes set seen_at = now() - interval '1 minute' where id = ${sending}`;
  expect(bannerOf(await browser.get('/')), 'it has ended').toMatch(/holds back/);
});
