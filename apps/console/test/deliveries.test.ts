import { Browser, sendTestEvent, startDealkeep } from '@dealkeep/testing';
import { describe, expect, test } from 'vitest';
import { textOf } from './page-parts.ts';
import { signedInUser } from './signed-in-user.ts';
import { keysOf, log, rowsOf, triedDeliveries } from './tried-deliveries.ts';

const dealkeep = await startDealkeep();
const { core, sql } = dealkeep;
const business = await triedDeliveries(dealkeep);

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
