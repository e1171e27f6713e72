import { limits } from '@dealkeep/contract';
import { sendTestEvent, startDealkeep } from '@dealkeep/testing';
import { describe, expect, test } from 'vitest';
import { textOf } from './page-parts.ts';

import { keysOf, log, rowsOf, tabsOf, triedDeliveries } from './tried-deliveries.ts';

const dealkeep = await startDealkeep();
const { core, sql } = dealkeep;
const business = await triedDeliveries(dealkeep);

describe('the list of deliveries', () => {
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
});

describe('a selection', () => {
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
  test('that was delivered says nothing of the kind, and a test says that it is one', async () => {
    const { organization, browser, good, shown } = await business();
    await sendTestEvent(core, organization, { id: good.id, event: 'lead.created' });
    const [webhook, event] = (keysOf(await shown())[0] ?? '').split('/');
    const { html } = await browser.get(`/integrations/webhooks/${webhook}/deliveries/${event}`);
    expect(html).not.toContain('id="why"');
    expect(textOf(html)).toContain('Delivered Test');
  });
});
