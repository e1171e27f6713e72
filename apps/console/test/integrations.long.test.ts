import { eventTypes, userAgentOf } from '@dealkeep/contract';
import { updateOrganization } from '@dealkeep/core/accounts';
import { eventually, startDealkeep } from '@dealkeep/testing';
import { describe, expect, test } from 'vitest';
import { problemBeside, textOf } from './page-parts.ts';
import { signedInOwner } from './signed-in-owner.ts';
import { hooksPath, keysPath, secretOn, startSubscriber } from './subscriber.ts';

const dealkeep = await startDealkeep();
const { sql } = dealkeep;

const { manualWebhook, answers } = await startSubscriber();

/** An owner who is signed in, in an organization of their own. */
const owner = () => signedInOwner(dealkeep);

describe('API keys', () => {
  test('tell with which program they were last used, as text, whatever it says of itself', async () => {
    const { organization, browser } = await owner();
    const keyOf = async (userAgent: string): Promise<void> => {
      const { id, token } = await organization.createKey();
      const headers = { Authorization: `Bearer ${token}`, 'User-Agent': userAgent };
      await fetch(`${dealkeep.baseUrl}/me`, { headers });
      await eventually(async () => {
        expect(await sql`select from api_keys where id = ${id} and last_used_by is not null`).toHaveLength(1);
      });
    };
    await keyOf(userAgentOf('n8n', '1.2.3'));
    await keyOf(`${userAgentOf('zapier', '2.0.0')} Zapier`);
    await keyOf('python-requests/2.31.0');
    await keyOf(`"><img src=x onerror=alert(1)>${'x'.repeat(5000)}`);
    const { html } = await browser.get(keysPath);
    expect(textOf(html)).toMatch(
      / by n8n .* by Zapier .* by python-requests\/2\.31\.0 .* by &quot;&gt;&lt;img/,
    );
    expect(html).toContain('title="n8n-nodes-dealkeep/1.2.3"');
    expect(html).not.toContain('<img');
    expect(html).not.toContain('x'.repeat(121));
    expect(textOf((await browser.get(`${keysPath}?language=sk`)).html)).toContain(' cez n8n ');
  });

  test('of a key that was made before its end was kept, the beginning is shown; of one by a command, who made it', async () => {
    const { browser, organization } = await owner();
    await sql`update api_keys set last_characters = null, by_operator = null where id = ${organization.keyId}`;
    const { html } = await browser.get(`${keysPath}/${organization.keyId}`);
    expect(html).toContain('<code>dk_live_…</code>');
    expect(textOf(html)).not.toContain('Made by');
    const { id, token } = await organization.createKey();
    const made = textOf((await browser.get(`${keysPath}/${id}`)).html);
    expect(made).toContain(`dk_live_…${token.slice(-4)}`);
    expect(made).toContain('Made by The operator, by a command');
  });

  test('a form that is sent twice makes one key', async () => {
    const { browser, organization } = await owner();
    const form = await browser.get(`${keysPath}/new`);
    const send = () =>
      browser.submit(form, `${keysPath}/new`, { name: 'Twice', access: 'leads', do: 'save' });
    const [first, second] = [await send(), await send()];
    expect(secretOn(second)).toBe(secretOn(first));
    // What the second sending is answered from is stored, and nobody can read the key in it.
    const stored = await sql<{ clear: boolean }[]>`
      select position(convert_to(${secretOn(first)}, 'UTF8') in answer) > 0 as clear from idempotent_answers
      where organization_id = ${organization.id}`;
    expect([...stored]).toEqual([{ clear: false }]);
    expect(await sql`select from api_keys where organization_id = ${organization.id}`).toHaveLength(2);
  });

  test.each(['automation', 'leads', 'reading', 'listening'])(
    'scopes ticked beside the purpose %s are refused and never ignored',
    async (access) => {
      const { browser, organization } = await owner();
      const fields = { name: 'Contradiction', access, scopes: 'tasks:read', do: 'save' };
      const refused = await browser.fill(`${keysPath}/new`, `${keysPath}/new`, fields);
      expect([refused.status, problemBeside(refused.html, 'scopes')]).toEqual([
        422,
        expect.stringContaining('“Something else”'),
      ]);
      expect(refused.html).toContain('name="scopes" value="tasks:read" checked');
      const mended = await browser.submit(refused, `${keysPath}/new`, { access: 'chosen', do: 'save' });
      expect(secretOn(mended)).toMatch(/^dk_live_/);
      const [key] = await sql`
        select scopes from api_keys where organization_id = ${organization.id} and name = 'Contradiction'`;
      expect(key?.['scopes']).toEqual(['tasks:read']);
    },
  );

  test('the maximum of keys is told', async () => {
    const { browser, organization } = await owner();
    await sql`update organizations set max_keys = 1 where id = ${organization.id}`;
    const told = await browser.fill(`${keysPath}/new`, `${keysPath}/new`, {
      name: 'More',
      access: 'leads',
      do: 'save',
    });
    expect(textOf(told.html)).toContain('maximum of 1 keys');
  });
});

describe('webhooks', () => {
  test.each([
    ['an address that is not allowed', { target_url: 'http://10.0.0.1/' }, 'target_url'],
    ['no name', { name: '' }, 'name'],
    ['an event that does not exist', { events: 'lead.eaten' }, undefined],
  ])('%s is refused and can be mended', async (_what, fields, beside) => {
    const { browser, organization } = await owner();
    const { made } = await manualWebhook(browser, fields);
    expect(made.status).toBe(422);
    if (beside) expect(problemBeside(made.html, beside)).toEqual(expect.any(String));
    expect(made.html).toContain(`action="${hooksPath}/new"`);
    expect(await sql`select from webhooks where organization_id = ${organization.id}`).toEqual([]);
  });

  test('is edited; who has an old form is told', async () => {
    const { browser, organization } = await owner();
    const { address } = await manualWebhook(browser);
    const [form, stale] = [await browser.get(`${address}/edit`), await browser.get(`${address}/edit`)];
    const saved = await browser.submit(form, `${address}/edit`, { name: 'Shop', do: 'save' });
    expect(saved.location).toBe(`${address}?done=saved`);
    expect((await browser.submit(stale, `${address}/edit`, { name: 'Old', do: 'save' })).status).toBe(409);
    expect(await sql`select name from webhooks where organization_id = ${organization.id}`).toEqual([
      { name: 'Shop' },
    ]);
  });

  test('gets a new secret, which is shown once', async () => {
    const { browser } = await owner();
    const { address, secret } = await manualWebhook(browser);
    const changed = secretOn(await browser.fill(`${address}/rotate`, `${address}/rotate`, {}));
    expect(changed).toMatch(/^whsec_/);
    expect(changed).not.toBe(secret);
    expect(textOf((await browser.get(address)).html)).toContain('The former secret signs until');
  });

  test('is removed after a question', async () => {
    const { browser } = await owner();
    const { address } = await manualWebhook(browser);
    expect((await browser.fill(`${address}/remove`, `${address}/remove`, {})).location).toBe(
      `${hooksPath}?done=removed`,
    );
    expect((await browser.get(address)).status).toBe(404);
  });

  test('the addresses in mails lead here', async () => {
    const { browser } = await owner();
    const { address } = await manualWebhook(browser);
    const id = address.split('/').at(-1) ?? '';
    expect((await browser.get(`/webhooks/${id}`)).location).toBe(address);
    expect((await browser.get('/webhooks')).location).toBe(hooksPath);
    expect((await browser.get('/webhooks/..%2Fx')).status).toBe(404);
  });
});

describe('the delivery log', () => {
  test('sending again begins with what failed, and says how many and which before anything is sent', async () => {
    const { browser, api, organization } = await owner();
    const { address } = await manualWebhook(browser, { events: 'lead.created' });
    const log = `/integrations/deliveries?webhook_id=${address.split('/').at(-1)}`;
    const attempts = async () => {
      const [row] = await sql`
        select count(*)::integer as count from attempts where organization_id = ${organization.id}`;
      return row?.['count'];
    };
    const tried = (count: number) =>
      eventually(async () => expect(await attempts()).toBeGreaterThanOrEqual(count));
    for (const name of ['First', 'Second', 'Third']) await api.post('/leads', { name });
    await tried(3);
    answers(404);
    await api.post('/leads', { name: 'Fails' });
    await tried(4);
    answers(200);
    const [failed] = await sql`
      select event_id from attempts where organization_id = ${organization.id} and status = 404 limit 1`;
    // Its retry would come in between.
    await sql`delete from deliveries where organization_id = ${organization.id}`;

    const asking = await browser.get(`${address}/replay`);
    expect(textOf(asking.html)).toContain('Failed deliveries that are sent again: 1');
    const links = [...asking.html.matchAll(/\/deliveries\/(evt_\w+)/g)].map(([, id]) => id);
    expect(links).toEqual([failed?.['event_id']]);
    const all = await browser.get(`${address}/replay?which=all`);
    expect(textOf(all.html)).toContain('Deliveries that are sent again: 4');
    expect(textOf(all.html)).toContain('Delivered already: 3.');
    const slovak = await browser.get(`${address}/replay?language=sk`);
    expect(textOf(slovak.html)).toContain('Neúspešné doručenia, ktoré sa pošlú znova: 1');
    await browser.get('/?language=en');

    // A form that has not seen the page is shown it; looking has sent nothing.
    const unseen = await browser.submit(asking, `${address}/replay`, { until: '', which: 'all' });
    expect([unseen.status, textOf(unseen.html)]).toEqual([200, expect.stringContaining('sent again: 4')]);
    expect(await attempts()).toBe(4);

    const sent = await browser.submit(asking, `${address}/replay`, {});
    expect(sent.location).toBe(`${address}?done=replayed&count=1`);
    await tried(5);
    expect(await attempts()).toBe(5);
    expect((await browser.get(`${log}&outcome=failed`)).html).not.toContain('HTTP 404');
    const none = await browser.get(`${address}/replay`);
    expect(textOf(none.html)).toContain('None has failed, so there is nothing to send again.');
    expect(none.html).not.toContain(`method="post" action="${address}`);
  });

  test('a bad filter is told beside it; another organization’s deliveries are not there', async () => {
    const [mine, theirs] = [await owner(), await owner()];
    const bad = await mine.browser.get('/integrations/deliveries?status=7');
    expect([bad.status, problemBeside(bad.html, 'status')]).toEqual([422, expect.any(String)]);
    const { address } = await manualWebhook(theirs.browser);
    const sent = await theirs.browser.fill(address, `${address}/test`, {});
    const delivery = (sent.location ?? '').split('?')[0] ?? '';
    expect((await theirs.browser.get(delivery)).status).toBe(200);
    expect((await mine.browser.get(delivery)).status).toBe(404);
  });
});

test('developers find the reference and a sample of every event', async () => {
  const { browser, organization } = await owner();
  const page = await browser.get('/integrations/developers');
  expect(page.html).toContain('href="/docs"');
  for (const type of eventTypes) expect(page.html).toContain(`/integrations/developers/events/${type}"`);
  const sample = await browser.get('/integrations/developers/events/lead.won');
  expect(sample.html).toContain(organization.slug);
  expect((await browser.get('/integrations/developers/events/lead.eaten')).status).toBe(404);
});

test('an id that is none is not found; nothing is made without a subscription', async () => {
  const { browser, organization } = await owner();
  for (const page of [`${keysPath}/x/revoke`, `${hooksPath}/x`, '/integrations/apps/x/disconnect']) {
    expect([page, (await browser.get(page)).status]).toEqual([page, 404]);
  }
  await updateOrganization(sql, organization.slug, { subscription: 'lapsed' });
  const refused = await browser.fill(`${keysPath}/new`, `${keysPath}/new`, { name: 'Late', do: 'save' });
  expect(refused.status).toBe(402);
});

test('the pages speak Slovak', async () => {
  const { browser } = await owner();
  const { html } = await browser.get(hooksPath, { 'Accept-Language': 'sk' });
  expect(textOf(html)).toContain('Zatiaľ tu nie je žiadny webhook');
});
