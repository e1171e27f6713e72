import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { limits } from '@dealkeep/contract';
import { Browser, createManualWebhook, sendTestEvent, startDealkeep } from '@dealkeep/testing';
import { afterAll, describe, expect, test } from 'vitest';
import { textOf } from './page-parts.ts';
import { signedInUser } from './signed-in-user.ts';

const dealkeep = await startDealkeep();
const { core, sql } = dealkeep;
/** Answers below /broken with 500, else well. */
const receiver = createServer((request, response) => {
  request.resume();
  response.writeHead(request.url === '/broken' ? 500 : 200).end('the <b>workflow</b> is off');
});
receiver.listen(0, '127.0.0.1');
await once(receiver, 'listening');
afterAll(() => void receiver.close());
const address = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
const log = '/integrations/deliveries';

/** An owner who is signed in, with a webhook that does well and one that fails. */
async function business() {
  const organization = await dealkeep.createOrganization();
  const browser = new Browser(dealkeep);
  await browser.signIn(organization);
  const hook = (name: string, path: string) =>
    createManualWebhook(core, organization, {
      name,
      target_url: `${address}${path}`,
      events: ['lead.created', 'task.created'],
    });
  const [good, broken] = [await hook('Team chat', '/ok'), await hook('Accounting', '/broken')];
  const api = dealkeep.as(organization.key);
  /** Waits until so many attempts are in the log. */
  const tried = async (count: number): Promise<void> => {
    await expect
      .poll(async () => (await sql`select from attempts where organization_id = ${organization.id}`).length)
      .toBeGreaterThanOrEqual(count);
  };
  const shown = async (query = ''): Promise<string> => (await browser.get(`${log}${query}`)).html;
  return { organization, browser, api, good, broken, tried, shown };
}

/** The rows of the list, as text. */
const rowsOf = (html: string): string[] =>
  (html.split('<tbody>')[1]?.split('</tbody>')[0] ?? '').split('</tr>').slice(0, -1).map(textOf);
const tabsOf = (html: string): string =>
  textOf(html.split('class="tabs"')[1]?.split('<ul>')[1]?.split('</nav>')[0] ?? '');
const keysOf = (html: string): string[] =>
  [...html.matchAll(/name="delivery" value="([^"]*)"/g)].map(([, key = '']) => key);

describe('the list of deliveries', () => {
  test('tells each apart: event, record by name, webhook, outcome, answer with its time, attempts, moment', async () => {
    const { api, tried, shown } = await business();
    const { json } = await api.post('/leads', { name: 'Bakery <website>' });
    await tried(2);
    const html = await shown();
    const rows = rowsOf(html);
    expect(rows.find((row) => row.includes('Team chat'))).toMatch(
      /^Lead created Bakery &lt;website&gt; Team chat Delivered HTTP 200 \d+ ms 1 .* ago$/,
    );
    expect(rows.find((row) => row.includes('Accounting'))).toMatch(
      /^Lead created Bakery &lt;website&gt; Accounting Retrying HTTP 500 \d+ ms 1 .* ago in .*$/,
    );
    expect(html).toContain(`href="/leads/${Object(json).data.id}"`);
    expect(rows.join()).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}/);
    expect(await shown('?language=sk')).toMatch(/pred \d+ s/);
  });

  test('counts by outcome what its filters find, and shows the one that is chosen', async () => {
    const { organization, api, good, tried, shown } = await business();
    await api.post('/leads', { name: 'First' });
    await api.post('/tasks', { title: 'Second' });
    await tried(4);
    await sendTestEvent(core, organization, { id: good.id, event: 'lead.created' });
    await sql`
      update attempts set next_attempt_at = null
      where organization_id = ${organization.id} and status = 500 and event_type = 'task.created'`;
    expect(tabsOf(await shown())).toBe('All 5 Delivered 3 Retrying 1 Failed 1 Tests 1');
    expect(rowsOf(await shown('?outcome=failed'))).toHaveLength(1);
    expect(rowsOf(await shown('?outcome=waiting'))).toHaveLength(1);
    const tests = await shown('?test=true');
    expect(rowsOf(tests)).toEqual([expect.stringMatching(/^Lead created Test .*Team chat Delivered/)]);
    expect(tabsOf(await shown(`?webhook_id=${good.id}&event_type=task.created`))).toBe(
      'All 1 Delivered 1 Retrying 0 Failed 0 Tests 0',
    );
    expect(tabsOf(await shown('?outcome=failed'))).toBe('All 5 Delivered 3 Retrying 1 Failed 1 Tests 1');
  });

  test('says of very many only that there are more', async () => {
    const { organization, good, shown } = await business();
    await sql`
      insert into attempts (organization_id, id, webhook_id, event_id, event_type, number, started_at, duration_ms, status)
      select ${organization.id}, gen_random_uuid(), ${good.id}, 'evt_' || n, 'lead.created', 1,
             now() - n * interval '1 s', 20, 200
      from generate_series(1, 1200) n`;
    expect(tabsOf(await shown())).toMatch(/^All 500\+ 500 or more Delivered 500\+ /);
  });

  test('finds the deliveries of records by their name, and of the last hour', async () => {
    const { organization, api, tried, shown } = await business();
    await api.post('/leads', { name: 'Pekáreň Zvolen' });
    await api.post('/leads', { name: 'Another' });
    await tried(4);
    const found = rowsOf(await shown('?record=pekaren'));
    expect(found).toHaveLength(2);
    expect(found.join()).not.toContain('Another');
    expect(await shown('?record=nobody')).toContain('Nothing was sent like this');
    await sql`
      update attempts set started_at = now() - interval '2 hours' where organization_id = ${organization.id}`;
    expect(rowsOf(await shown('?period=hour'))).toEqual([]);
    expect(rowsOf(await shown('?period=day'))).toHaveLength(4);
  });

  test('is for owners, in their own organization', async () => {
    const [mine, theirs] = [await business(), await business()];
    await theirs.api.post('/leads', { name: 'Theirs' });
    await theirs.tried(2);
    expect(await mine.shown()).toContain('Nothing was sent yet');
    const { browser } = await signedInUser(dealkeep, mine.organization, { permissions: 'leads.view=all' });
    for (const path of [log, `${log}/live`]) expect((await browser.get(path)).status).toBe(403);
    expect((await browser.get('/')).html).not.toContain(`href="${log}"`);
  });
});

describe('an open list', () => {
  test('is told anew only what has changed', async () => {
    const { browser, api, tried } = await business();
    await api.post('/leads', { name: 'First' });
    await tried(2);
    const open = await browser.get(`${log}?outcome=delivered`);
    const mark = /data-mark="([^"]*)"/.exec(open.html)?.[1];
    const live = `${log}/live?outcome=delivered`;
    expect(open.html).toContain(`data-live="${live}"`);
    const same = await browser.get(live, { 'If-None-Match': `"${mark}"` });
    expect([same.status, same.html]).toEqual([304, '']);
    await api.post('/leads', { name: 'Second' });
    await tried(4);
    const news = await browser.get(live, { 'If-None-Match': `"${mark}"` });
    expect(news.status).toBe(200);
    expect(rowsOf(news.html)).toHaveLength(2);
    expect(news.html).not.toContain('<html');
  });

  test('is not told where nobody is signed in', async () => {
    expect((await new Browser(dealkeep).get(`${log}/live`)).status).not.toBe(200);
  });
});

describe('a selection', () => {
  test('is sent again, and told how many are and how many are not', async () => {
    const { organization, browser, api, broken, tried } = await business();
    for (const name of ['First', 'Second', 'Third']) await api.post('/leads', { name });
    await tried(6);
    const page = await browser.get(`${log}?event_type=lead.created`);
    const keys = keysOf(page.html);
    expect(keys).toHaveLength(6);
    await sql`update webhooks set disabled_reason = 'by_hand', disabled_at = now() where id = ${broken.id}`;
    const [, address = ''] = /<form class="deliveries" method="post" action="([^"]*)"/.exec(page.html) ?? [];
    expect(address).toBe(`${log}/resend?event_type=lead.created`);
    // What a form brings besides does not reach the address that it is led to.
    const sent = await browser.submit(page, address, { delivery: keys, query: 'x'.repeat(100_000) });
    expect(sent.location).toBe(`${log}?event_type=lead.created&done=resent&count=3&refused=3`);
    const told = textOf((await browser.get(sent.location ?? '')).html);
    expect(told).toContain('Deliveries that are sent again: 3. Not sent: 3');
    await expect
      .poll(
        async () =>
          (
            await sql`
        select from attempts where organization_id = ${organization.id} and by_hand`
          ).length,
      )
      .toBe(3);
  });

  test('holds no delivery of another organization, nothing that is none, and no more than a page', async () => {
    const [mine, theirs] = [await business(), await business()];
    await theirs.api.post('/leads', { name: 'Theirs' });
    await theirs.tried(2);
    await mine.api.post('/leads', { name: 'Mine' });
    await mine.tried(2);
    const page = await mine.browser.get(log);
    const delivery = [...keysOf(await theirs.shown()), 'nonsense', "x'/y"];
    const sent = await mine.browser.submit(page, `${log}/resend`, { delivery });
    expect(sent.location).toContain('count=0&refused=2');
    const many = Array.from({ length: 200 }, () => `${crypto.randomUUID()}/evt_x`);
    const refused = await mine.browser.submit(page, `${log}/resend`, { delivery: many });
    expect(refused.location).toContain(`refused=${limits.pageSizeDefault}`);
    expect((await mine.browser.submit(page, `${log}/resend`, {})).location).toContain('count=0&refused=0');
    expect((await mine.browser.post(`${log}/resend`, { delivery: delivery[0] ?? '' })).status).toBe(403);
  });
});

describe('one delivery', () => {
  test('that failed says why in words, what was answered, what to do and what comes next', async () => {
    const { browser, api, broken, tried, shown } = await business();
    await api.post('/leads', { name: 'Fails' });
    await tried(2);
    const key = keysOf(await shown(`?webhook_id=${broken.id}`))[0] ?? '';
    const [webhook, event] = key.split('/');
    const path = `/integrations/webhooks/${webhook}/deliveries/${event}`;
    const { html } = await browser.get(path);
    const why = textOf(html.split('id="why"')[1]?.split('</section>')[0] ?? '');
    expect(why).toMatch(
      /HTTP 500 The receiver itself failed\. .* It is tried again by itself in .* the &lt;b&gt;workflow&lt;\/b&gt; is off/,
    );
    expect(html).toContain(`href="/integrations/webhooks/${broken.id}/edit"`);
    // The answer of the attempt that failed stands open.
    expect(html).toMatch(/<details open><summary>Start of the answer/);
    const slovak = textOf((await browser.get(`${path}?language=sk`)).html);
    expect(slovak).toContain('Chyba nastala u príjemcu.');
    const others = /href="(\/integrations\/deliveries\?record_id=[^"]*)"/.exec(html)?.[1] ?? '';
    expect(rowsOf((await browser.get(others)).html)).toHaveLength(2);
  });

  test('that was delivered says nothing of the kind, and a test says that it is one', async () => {
    const { organization, browser, good, shown } = await business();
    await sendTestEvent(core, organization, { id: good.id, event: 'lead.created' });
    const [webhook, event] = (keysOf(await shown())[0] ?? '').split('/');
    const { html } = await browser.get(`/integrations/webhooks/${webhook}/deliveries/${event}`);
    expect(html).not.toContain('id="why"');
    expect(textOf(html)).toContain('Delivered Test');
  });

  test('of a test names the sample, and leads to no record: there is none', async () => {
    const { organization, browser, good, shown } = await business();
    await sendTestEvent(core, organization, { id: good.id, event: 'lead.created' });
    const list = await shown();
    const [webhook, event] = (keysOf(list)[0] ?? '').split('/');
    const { html } = await browser.get(`/integrations/webhooks/${webhook}/deliveries/${event}`);
    for (const page of [list, html]) {
      expect(textOf(page)).toContain('Fleet of 20 city bikes');
      expect(page).not.toContain('href="/leads/');
    }
  });
});
