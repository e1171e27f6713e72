import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { userAgentOf } from '@dealkeep/contract';
import { listApiKeysOf } from '@dealkeep/core/accounts';
import {
  createManualWebhook,
  eventually,
  sendTestEvent,
  startDealkeep,
  type TestOrganization,
} from '@dealkeep/testing';
import { afterAll, describe, expect, test } from 'vitest';
import { textOf } from './page-parts.ts';
import { signedInOwner } from './signed-in-owner.ts';
import { signedInUser } from './signed-in-user.ts';

const dealkeep = await startDealkeep();
const { core, sql } = dealkeep;
const receiver = createServer((request, response) => {
  request.resume();
  response.writeHead(request.url === '/broken' ? 500 : 200).end();
});
receiver.listen(0, '127.0.0.1');
await once(receiver, 'listening');
afterAll(() => void receiver.close());
const address = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;

/** An owner who is signed in, in an organization of their own. */
async function owner() {
  const signedIn = await signedInOwner(dealkeep);
  const home = async (): Promise<string> => (await signedIn.browser.get('/')).html;
  return { ...signedIn, home };
}

async function person(organization: TestOrganization, permissions: string) {
  const { id, browser } = await signedInUser(dealkeep, organization, { permissions });
  return { id, home: async (): Promise<string> => (await browser.get('/')).html };
}

const idOf = ({ json }: { json: unknown }): string => Object(json).data.id;
const happened = (html: string): string =>
  textOf(html.split('id="happened">')[1]?.split('</section>')[0] ?? '');
const webhook = (organization: TestOrganization, path: string, name: string) =>
  createManualWebhook(core, organization, {
    name,
    target_url: `${address}${path}`,
    events: ['lead.created'],
  });

describe('what happened', () => {
  test('is told in plain words, the latest first, and leads to the record', async () => {
    const { api, home } = await owner();
    const id = idOf(await api.post('/leads', { name: 'Bakery website', value: 100 }));
    await api.patch(`/leads/${id}`, { value: 200, note: 'Called' });
    const html = await home();
    expect(happened(html)).toMatch(
      /Lead updated Bakery website Changed: (Value, Note|Note, Value) .* Lead created Bakery website/,
    );
    expect(html).toContain(`href="/leads/${id}"`);
  });

  test('holds no event of a test, and none of another organization', async () => {
    const [mine, theirs] = [await owner(), await owner()];
    await theirs.api.post('/leads', { name: 'Theirs' });
    const { id } = await webhook(mine.organization, '/', 'Chat');
    await sendTestEvent(core, mine.organization, { id, event: 'lead.created' });
    expect(happened(await mine.home())).toContain('Nothing has happened yet');
  });

  test('comes out as text, whatever was typed', async () => {
    const { api, home } = await owner();
    await api.post('/companies', { name: '<script>alert(1)</script>' });
    expect(await home()).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
  });

  test('is told as far as the role reaches: all, one’s own, or nothing', async () => {
    const { organization, api } = await owner();
    const { id, home } = await person(organization, 'leads.view=assigned,companies.view=all');
    await api.post('/leads', { name: 'Hers', owner_id: id });
    await api.post('/leads', { name: 'Somebody else’s', owner_id: organization.ownerId });
    await api.post('/companies', { name: 'Anybody’s' });
    await api.post('/tasks', { title: 'Of no concern' });
    const html = await home();
    expect(happened(html)).toContain('Hers');
    expect(happened(html)).toContain('Anybody’s');
    expect(happened(html)).not.toMatch(/else’s|concern/);
    expect(html).not.toMatch(/id="(guide|trouble|events-by-day)"/);
  });
});

describe('what is failing', () => {
  test('is told with what mends it, for owners', async () => {
    const { organization, home } = await owner();
    const [failing, held, gone] = [
      await webhook(organization, '/broken', 'Accounting'),
      await webhook(organization, '/broken', 'Warehouse'),
      await webhook(organization, '/broken', 'Old chat'),
    ];
    await webhook(organization, '/', 'Fine');
    await sql`update webhooks set failing_since = now() where id = ${failing.id}`;
    await sql`update webhooks set disabled_reason = 'failing', disabled_at = now() where id = ${held.id}`;
    await sql`update webhooks set disabled_reason = 'gone', disabled_at = now() where id = ${gone.id}`;
    await dealkeep.as(organization.key).post('/leads', { name: 'Held' });
    const html = await home();
    const trouble = html.split('id="trouble">')[1]?.split('</section>')[0] ?? '';
    expect(textOf(trouble)).toContain('Held events: 1');
    expect(textOf(trouble)).not.toContain('Fine');
    for (const [{ id }, outcome] of [
      [failing, 'waiting'],
      [held, 'held'],
      [gone, 'failed'],
    ] as const) {
      expect(trouble).toContain(`/integrations/deliveries?webhook_id=${id}&amp;outcome=${outcome}"`);
    }
    expect(trouble).toContain(`/integrations/webhooks/${held.id}/enable`);
    expect(trouble).toContain(`/integrations/webhooks/${gone.id}/edit`);
  });

  test('is not mentioned where all is well', async () => {
    const { organization, home } = await owner();
    await webhook(organization, '/', 'Fine');
    expect(await home()).not.toContain('id="trouble"');
  });
});

test('the guide ticks its steps by what is there, a connection only once Zapier, n8n or Activepieces has really called, and goes when all are done', async () => {
  const { organization, api, home } = await owner();
  const next = async (): Promise<string> =>
    /aria-current="step">.*?<strong>(.*?)<\/strong>/s.exec(await home())?.[1] ?? 'none';
  expect(await next()).toBe('Connect Zapier, n8n or Activepieces with it');
  // Any program can use a key, name its hook as n8n does, name n8n beside itself, and point at Zapier.
  await api.post('/webhooks', { target_url: `${address}/`, event: 'lead.created', name: 'n8n: Follow up' });
  const zapier = { target_url: 'https://hooks.zapier.com/hooks/1', event: 'lead.created' };
  await sql`update webhooks set target_url = ${zapier.target_url} where organization_id = ${organization.id}`;
  const calls = (userAgent: string, key = organization.key) =>
    fetch(`${dealkeep.baseUrl}/me`, {
      headers: { Authorization: `Bearer ${key}`, 'User-Agent': userAgent },
    });
  await calls('Mozilla/5.0 (n8n)');
  await calls('not-n8n/1');
  expect((await calls(userAgentOf('n8n', '1.2.3'), `${organization.key}x`)).status).toBe(401);
  expect(await next()).toBe('Connect Zapier, n8n or Activepieces with it');
  await sql`update webhooks set target_url = ${`${address}/`} where organization_id = ${organization.id}`;
  // As n8n tests a new credential, without any trigger.
  await calls(userAgentOf('n8n', '1.2.3'));
  await eventually(async () => expect(await next()).toBe('See its first delivery'));
  // Whoever else uses the key afterwards.
  await sql`update api_keys set last_used_at = '2020-01-01' where organization_id = ${organization.id}`;
  await eventually(async () => {
    await calls('curl/8.5.0');
    expect(await listApiKeysOf(core, organization)).toMatchObject([{ last_used_by: 'curl/8.5.0' }]);
  });
  expect(await next()).toBe('See its first delivery');
  await api.post('/leads', { name: 'First' });
  await eventually(async () => expect(await next()).toBe('none'));
  expect(await home()).not.toContain('id="guide"');
});

test.each(['zapier', 'n8n', 'activepieces'] as const)(
  'the guide knows a first call by %s',
  async (platform) => {
    const { organization, home } = await owner();
    expect(textOf(await home())).toContain('1 of 4 steps are done');
    const headers = {
      Authorization: `Bearer ${organization.key}`,
      'User-Agent': userAgentOf(platform, '1.2.3'),
    };
    await fetch(`${dealkeep.baseUrl}/me`, { headers });
    await eventually(async () => expect(textOf(await home())).toContain('2 of 4 steps are done'));
  },
);

test('who has nothing yet is led to the first key', async () => {
  const { organization, home } = await owner();
  await sql`delete from api_keys where organization_id = ${organization.id}`;
  const html = await home();
  expect(html).toContain('href="/integrations/keys/new?access=automation"');
  expect(textOf(html)).toContain('0 of 4 steps are done');
});

test('the charts say in a table what they draw', async () => {
  const { organization, api, home } = await owner();
  const { id } = await webhook(organization, '/broken', 'Broken');
  await api.post('/leads', { name: 'Counted' });
  await eventually(async () => {
    expect(await sql`select from attempts where webhook_id = ${id}`).toHaveLength(1);
  });
  const html = await home();
  expect(html).toMatch(/<svg [^>]*role="img" aria-labelledby="events-by-day-title events-by-day-summary">/);
  const rows = textOf(html.split('id="attempts-by-day"')[1]?.split('</section>')[0] ?? '');
  expect(rows).toContain('0 delivered and 1 failed attempts in 14 days');
  expect(rows).toMatch(/ 0 1$/);
});
