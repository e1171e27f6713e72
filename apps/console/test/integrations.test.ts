import { allScopes, userAgentOf } from '@dealkeep/contract';

import { Browser, connectedUser, eventually, startDealkeep } from '@dealkeep/testing';
import { describe, expect, test } from 'vitest';
import { problemBeside, textOf } from './page-parts.ts';
import { signedInOwner } from './signed-in-owner.ts';
import { hooksPath, keysPath, secretOn, startSubscriber } from './subscriber.ts';

const dealkeep = await startDealkeep();
const { sql } = dealkeep;

const { target_url, manualWebhook, answers } = await startSubscriber();

/** An owner who is signed in, in an organization of their own. */
const owner = () => signedInOwner(dealkeep);

describe('API keys', () => {
  test('a key with the automation preset is shown once, can be used, and stands in the list', async () => {
    const { browser } = await owner();
    const made = await browser.fill(`${keysPath}/new`, `${keysPath}/new`, {
      name: 'For n8n',
      access: 'automation',
      do: 'save',
    });
    expect([made.status, secretOn(made)]).toEqual([200, expect.stringMatching(/^dk_live_/)]);
    expect((await dealkeep.as(secretOn(made)).get('/leads')).status).toBe(200);
    const list = await browser.get(keysPath);
    expect(list.html).not.toContain(secretOn(made));
    expect(textOf(list.html)).toContain('For n8n');
  });

  test('a key is told by its last characters, says in words what it may do, and how it is tried', async () => {
    const { browser, organization } = await owner();
    const fields = { name: 'Shop', access: 'chosen', scopes: 'leads:read', do: 'save' };
    const made = await browser.fill(`${keysPath}/new`, `${keysPath}/new`, fields);
    const secret = secretOn(made);
    expect(made.html).toContain(`curl -H &#39;Authorization: Bearer ${secret}&#39; &#39;`);
    expect(made.html).toContain('/leads?limit=3');
    const list = await browser.get(keysPath);
    expect(textOf(list.html)).toContain(`dk_live_…${secret.slice(-4)} Reads leads Read and change Never`);
    const path = new RegExp(`${keysPath}/[0-9a-f-]{36}(?=">Shop)`).exec(list.html)?.[0] ?? '';
    const page = await browser.get(path);
    expect(page.html).not.toContain(secret);
    expect(textOf(page.html)).toContain(`Made by ${organization.ownerEmail}`);
    expect(page.html).toContain(`Bearer dk_live_…${secret.slice(-4)}`);
    await browser.submit(await browser.get(`${path}/revoke`), `${path}/revoke`, {});
    expect(textOf((await browser.get(keysPath)).html)).toMatch(
      /Revoked and expired: 1 .* Shop dk_live_… ?\w{4} Revoked /,
    );
    const ended = await browser.get(path);
    expect([ended.status, ended.html.includes('curl')]).toEqual([200, false]);
  });

  test('the page of a key names its webhooks, and is not there for others', async () => {
    const [mine, theirs] = [await owner(), await owner()];
    await mine.api.post('/webhooks', { target_url, event: 'lead.won', name: 'Won leads' });
    const path = `${keysPath}/${mine.organization.keyId}`;
    expect(textOf((await mine.browser.get(path)).html)).toContain('Won leads Nothing was sent yet');
    expect((await theirs.browser.get(path)).status).toBe(404);
  });

  test('a key with chosen scopes has these alone', async () => {
    const { browser } = await owner();
    const fields = { name: 'Reader', access: 'chosen', scopes: 'leads:read', do: 'save' };
    const key = dealkeep.as(secretOn(await browser.fill(`${keysPath}/new`, `${keysPath}/new`, fields)));
    expect((await key.get('/leads')).status).toBe(200);
    expect((await key.get('/tasks')).outcome).toBe('403 FORBIDDEN');
  });

  test('a key without scopes, or that has expired already, is refused beside the field', async () => {
    const { browser } = await owner();
    const fill = (fields: Record<string, string>) =>
      browser.fill(`${keysPath}/new`, `${keysPath}/new`, {
        name: 'Bad',
        access: 'leads',
        do: 'save',
        ...fields,
      });
    const [noScopes, past] = [
      await fill({ access: 'chosen' }),
      await fill({ expires_at: '2020-01-01T08:00' }),
    ];
    expect([noScopes.status, problemBeside(noScopes.html, 'scopes')]).toEqual([422, expect.any(String)]);
    expect([past.status, problemBeside(past.html, 'expires_at')]).toEqual([
      422,
      'This must lie in the future.',
    ]);
  });

  test('a key begins without scopes: somebody says what it is for, and it gets what that needs', async () => {
    const { browser, organization } = await owner();
    const form = await browser.get(`${keysPath}/new`);
    expect(form.html).not.toMatch(/name="(?:access|scopes)" value="[^"]*" checked/);
    const undecided = await browser.submit(form, `${keysPath}/new`, { name: 'Undecided', do: 'save' });
    expect([undecided.status, problemBeside(undecided.html, 'access')]).toEqual([
      422,
      'This field is required.',
    ]);
    await browser.submit(form, `${keysPath}/new`, { name: 'Web form', access: 'leads', do: 'save' });
    const reading = await browser.get(`${keysPath}/new`);
    await browser.submit(reading, `${keysPath}/new`, { name: 'Reports', access: 'reading', do: 'save' });
    const scopesOf = async (name: string) => {
      const [key] = await sql`
        select scopes from api_keys where organization_id = ${organization.id} and name = ${name}`;
      return key?.['scopes'];
    };
    expect(await scopesOf('Undecided')).toBeUndefined();
    expect(await scopesOf('Web form')).toEqual(['leads:write']);
    expect(await scopesOf('Reports')).toEqual(allScopes.filter((scope) => scope.endsWith(':read')));
  });

  test('who revokes a key is told which hooks stop; then it and they are gone', async () => {
    const { browser, organization, api } = await owner();
    await api.post('/webhooks', { target_url, event: 'lead.won', name: 'Won leads' });
    const address = `${keysPath}/${organization.keyId}/revoke`;
    const asking = await browser.get(address);
    expect(textOf(asking.html)).toContain('Won leads');
    expect((await browser.submit(asking, address, {})).location).toBe(`${keysPath}?done=revoked`);
    await eventually(async () => expect((await api.get('/leads')).status).toBe(401));
    expect(await sql`select from webhooks where organization_id = ${organization.id}`).toEqual([]);
  });

  test('a key of another organization cannot be revoked', async () => {
    const [mine, theirs] = [await owner(), await owner()];
    const address = `${keysPath}/${theirs.organization.keyId}/revoke`;
    expect((await mine.browser.get(address)).status).toBe(404);
    const page = await mine.browser.get(`${keysPath}/${mine.organization.keyId}/revoke`);
    const token = /name="csrf_token" value="([^"]*)"/.exec(page.html)?.[1] ?? '';
    expect((await mine.browser.post(address, { csrf_token: token })).status).toBe(404);
    expect((await theirs.api.get('/leads')).status).toBe(200);
  });
});

describe('webhooks', () => {
  test('a ticked group stands for each of its events', async () => {
    const { browser, organization } = await owner();
    const form = await browser.get(`${hooksPath}/new`);
    await browser.submit(form, `${hooksPath}/new`, {
      name: 'Quotes',
      target_url,
      events: 'quote.*',
      do: 'save',
    });
    const [hook] = await sql`select events from webhooks where organization_id = ${organization.id}`;
    expect(hook?.['events']).toEqual(['quote.accepted', 'quote.rejected']);
  });

  test('one made by hand shows its secret once, and gets events', async () => {
    const { browser, api } = await owner();
    const { address, secret } = await manualWebhook(browser);
    expect(secret).toMatch(/^whsec_/);
    await api.post('/leads', { name: 'First' });
    // The log stands beside the health: each comes in its own time.
    const html = await eventually(async () => {
      const page = await browser.get(address);
      for (const part of ['Healthy', 'HTTP 200']) expect(textOf(page.html)).toContain(part);
      return page.html;
    });
    expect(html).not.toContain(secret);
  });

  test('is disabled after a question, and enabled again', async () => {
    const { browser } = await owner();
    const { address } = await manualWebhook(browser);
    await browser.fill(`${address}/disable`, `${address}/disable`, {});
    const page = await browser.get(address);
    expect(textOf(page.html)).toContain('Disabled');
    expect((await browser.submit(page, `${address}/enable`, {})).location).toBe(`${address}?done=enabled`);
    expect(textOf((await browser.get(address)).html)).toContain('Nothing was sent yet');
  });

  test('a test event leads to what was sent and answered', async () => {
    const { browser } = await owner();
    const { address } = await manualWebhook(browser);
    const sent = await browser.fill(address, `${address}/test`, {});
    const page = await browser.get(sent.location ?? '');
    const shown = textOf(page.html);
    for (const part of ['HTTP 200', 'noted', 'X-Service-Attempt', '&quot;test&quot;: true']) {
      expect(shown.toLowerCase()).toContain(part.toLowerCase());
    }
  });

  test('a REST hook says whose it is and can be given a new secret or be removed, but neither edited nor tested', async () => {
    const { browser, api } = await owner();
    const { id } = (await api.post('/webhooks', { target_url, event: 'lead.won' })).data;
    const { html } = await browser.get(`${hooksPath}/${id}`);
    expect(textOf(html)).toContain('API key: Test key');
    expect(html).not.toContain('/edit"');
    expect(html).not.toContain('/test"');
    expect((await browser.get(`${hooksPath}/${id}/edit`)).status).toBe(404);
    const asked = await browser.get(`${hooksPath}/${id}/rotate`);
    expect(textOf(asked.html)).toContain('The program that made this webhook is not told');
    await browser.fill(`${hooksPath}/${id}/remove`, `${hooksPath}/${id}/remove`, {});
    expect((await api.get(`/webhooks/${id}`)).outcome).toBe('404 NOT_FOUND');
  });
});

describe('the delivery log', () => {
  test('is filtered; a failed delivery is sent again, alone or with all since a moment', async () => {
    const { browser, api } = await owner();
    const { address } = await manualWebhook(browser, { events: 'lead.created' });
    const id = address.split('/').at(-1) ?? '';
    answers(500);
    await api.post('/leads', { name: 'Fails' });
    const log = `/integrations/deliveries?webhook_id=${id}`;
    await eventually(async () => expect(textOf((await browser.get(log)).html)).toContain('HTTP 500'));
    answers(200);
    expect((await browser.get(`${log}&outcome=delivered`)).html).not.toContain('HTTP 500');
    const found = await browser.get(`${log}&outcome=waiting&status=500&event_type=lead.created`);
    const delivery = new RegExp(`${address}/deliveries/[^"]*`).exec(found.html)?.[0] ?? '';
    const page = await browser.get(delivery);
    expect(textOf(page.html)).toContain('Attempt 1');
    const resent = await browser.submit(page, `${delivery}/resend`, {});
    expect(resent.location).toBe(`${delivery}?done=resent`);
    await eventually(async () => expect(textOf((await browser.get(delivery)).html)).toContain('Attempt 2'));

    const preview = await browser.get(`${address}/replay?which=all&since=2020-01-01T00:00`);
    const replay = await browser.submit(preview, `${address}/replay`, {});
    expect(replay.location).toBe(`${address}?done=replayed&count=1`);
    await eventually(async () => expect(textOf((await browser.get(delivery)).html)).toContain('Attempt 3'));
  });
});

describe('connected apps', () => {
  test('everybody sees and ends their own; owners see all; other pages are for owners', async () => {
    const { organization, browser } = await owner();
    const [eva, adam] = [
      await connectedUser(dealkeep, organization, 'leads.view=all'),
      await connectedUser(dealkeep, organization, 'leads.view=all'),
    ];
    await dealkeep.as(eva.token).post('/webhooks', { target_url, event: 'lead.won', name: 'Hook of Eva' });
    const evas = new Browser(dealkeep);
    await evas.signInAs(eva.email);
    await fetch(`${dealkeep.baseUrl}/me`, {
      headers: { Authorization: `Bearer ${eva.token}`, 'User-Agent': userAgentOf('n8n', '1.2.3') },
    });
    await eventually(async () =>
      expect(textOf((await evas.get('/integrations/apps')).html)).toContain(' by n8n '),
    );
    const list = await evas.get('/integrations/apps');
    expect(list.html).toContain(eva.connectionId);
    expect(list.html).not.toContain(adam.connectionId);
    expect((await browser.get('/integrations/apps')).html).toContain(adam.connectionId);
    expect((await evas.get(`/integrations/apps/${adam.connectionId}/disconnect`)).status).toBe(404);

    const address = `/integrations/apps/${eva.connectionId}/disconnect`;
    const asking = await evas.get(address);
    expect(textOf(asking.html)).toContain('Hook of Eva');
    expect((await evas.submit(asking, address, {})).location).toBe('/integrations/apps?done=disconnected');
    expect((await dealkeep.as(eva.token).get('/leads')).status).toBe(401);

    for (const page of [
      keysPath,
      `${keysPath}/new`,
      hooksPath,
      '/integrations/deliveries',
      '/integrations/developers',
    ]) {
      expect([page, (await evas.get(page)).status]).toEqual([page, 403]);
      expect(list.html).not.toContain(`href="${page}"`);
    }
  });
});

test('what is typed never becomes markup', async () => {
  const { browser, api } = await owner();
  const script = '<script>alert(1)</script>';
  const { address } = await manualWebhook(browser, { name: script });
  await api.post('/webhooks', { target_url, event: 'lead.won', name: script });
  await browser.fill(`${keysPath}/new`, `${keysPath}/new`, { name: script, do: 'save' });
  for (const page of [
    keysPath,
    hooksPath,
    address,
    `${address}/edit`,
    `${address}/remove`,
    '/integrations/deliveries',
  ]) {
    expect((await browser.get(page)).html).not.toContain(script);
  }
});
