import type { Log } from '@dealkeep/core/foundations';
import { Browser, sharedDealkeep, startDealkeep } from '@dealkeep/testing';
import { describe, expect, test } from 'vitest';
import { connectAssistant, refusalIn } from './assistant.ts';

const dealkeep = await sharedDealkeep();

/** An organization whose owner says in the console what assistants may do. */
async function organizationWithOwner() {
  const organization = await dealkeep.createOrganization();
  const browser = new Browser(dealkeep);
  await browser.signIn(organization);
  const choose = (edit: string, fields: Record<string, string | string[]>) =>
    browser.fill(edit, edit, { ...fields, do: 'save' });
  return {
    key: organization.key,
    organization,
    inOrganization: (fields: Record<string, string | string[]>) =>
      choose('/settings/organization/edit', fields),
    inKey: (fields: Record<string, string | string[]>) =>
      choose(`/integrations/keys/${organization.keyId}/edit`, fields),
  };
}

const post = (path: string, key: string, headers: Record<string, string> = {}) =>
  fetch(new URL(dealkeep.baseUrl).origin + path, {
    method: 'POST',
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json', ...headers },
    body: '{}',
  });

interface Refusal {
  readonly error: { readonly code: string; readonly message: string; readonly detail?: object };
}

const namesAt = async (key: string, path = '/mcp') => {
  const assistant = await connectAssistant(dealkeep.baseUrl, key, { path });
  return (await assistant.listTools()).tools.map(({ name }) => name);
};

describe.each(['the organization', 'one key'] as const)(
  'what an owner switches for %s (rules assistants 12 and 13)',
  (where) => {
    const setUp = async () => {
      const { key, organization, inOrganization, inKey } = await organizationWithOwner();
      return { key, organization, choose: where === 'the organization' ? inOrganization : inKey };
    };

    test('off refuses connected assistants of both revisions at once', async () => {
      const { key, choose } = await setUp();
      const assistants = [
        await connectAssistant(dealkeep.baseUrl, key, { revision: 'modern' }),
        await connectAssistant(dealkeep.baseUrl, key, { revision: 'legacy' }),
      ];
      for (const assistant of assistants) await assistant.listTools();
      await choose({ assistant_access: 'off' });
      for (const assistant of assistants)
        await expect(assistant.listTools()).rejects.toThrow(/switched off|403/);
      const refused = await post('/mcp', key, { 'Accept-Language': 'sk' });
      expect(refused.status).toBe(403);
      const { error }: Refusal = JSON.parse(await refused.text());
      expect(error).toMatchObject({
        code: 'FORBIDDEN',
        message: expect.stringContaining('Nastavenia → Organizácia'),
      });
      expect((await dealkeep.as(key).get('/leads')).status).toBe(200);
    });

    test('read-only offers at every address what changes nothing, and nothing else can be called', async () => {
      const { key, choose } = await setUp();
      const before = await connectAssistant(dealkeep.baseUrl, key);
      await choose({ assistant_access: 'read' });
      for (const path of ['/mcp', '/mcp/all', '/mcp/webhooks']) {
        const assistant = await connectAssistant(dealkeep.baseUrl, key, { path });
        const { tools } = await assistant.listTools();
        expect(tools.length).toBeGreaterThan(0);
        expect(tools.every(({ annotations }) => annotations?.readOnlyHint)).toBe(true);
      }
      const call = before.callTool({ name: 'create_lead', arguments: { name: 'Ten bikes' } });
      await expect(call).rejects.toThrow('an owner has switched it off for assistants');
      expect((await dealkeep.as(key).get('/leads')).page.data).toEqual([]);
    });

    test('tools of other sets are not offered and cannot be called; what is of no set stays', async () => {
      const { key, choose } = await setUp();
      await choose({ assistant_tool_sets: ['work'] });
      const all = await namesAt(key, '/mcp/all');
      expect(all).toEqual(expect.arrayContaining(['list_tasks', 'create_task', 'list_users']));
      expect(all.filter((name) => /lead|invoice|product|webhook|get_event/.test(name))).toEqual([]);
      expect(await namesAt(key)).not.toContain('list_leads');
      expect(await namesAt(key)).toContain('list_tasks');
      const refused = await post('/mcp/billing/readonly', key);
      expect(refused.status).toBe(403);
      const { error }: Refusal = JSON.parse(await refused.text());
      expect(error).toMatchObject({ code: 'FORBIDDEN', detail: { tool_set: 'billing' } });
      expect(error.message).toContain('The tools of Billing are switched off');
      const assistant = await connectAssistant(dealkeep.baseUrl, key);
      const call = assistant.callTool({ name: 'create_lead', arguments: { name: 'Ten bikes' } });
      await expect(call).rejects.toThrow('There is no tool create_lead here');
      await dealkeep.as(key).post('/companies', { name: 'Tatra Bikes' });
      const named = await assistant.callTool({
        name: 'create_task',
        arguments: { title: 'Ring them', company: 'Tatra' },
      });
      expect(refusalIn(named)).toContain('The tools of Sales are switched off');
      expect(refusalIn(named)).not.toContain('Tatra Bikes');
    });
  },
);

test('the lesser of what the organization and the key allow holds (rule assistants 12)', async () => {
  const { key, inOrganization, inKey } = await organizationWithOwner();
  await inOrganization({ assistant_tool_sets: ['sales', 'work'] });
  await inKey({ assistant_access: 'read', assistant_tool_sets: ['work', 'shop'] });
  const names = await namesAt(key, '/mcp/all');
  expect(names).toContain('list_tasks');
  expect(names.filter((name) => /lead|product|create/.test(name))).toEqual([]);
  await inKey({ assistant_tool_sets: ['shop'] });
  expect((await post('/mcp', key)).status).toBe(403);
});

test('a call stands in the log of requests with its tool, and in the metrics as a request of an assistant (rule assistants 2)', async () => {
  const lines: Record<string, unknown>[] = [];
  const at = () => (fields: object) => void lines.push({ ...fields });
  const log: Log = { debug: at(), info: at(), warn: at(), error: at() };
  const own = await startDealkeep({ worker: false, log });
  Object.assign(own.core, { accessLog: true });
  const { key, keyId } = await own.createOrganization();
  const assistant = await connectAssistant(own.baseUrl, key);
  await assistant.callTool({ name: 'create_lead', arguments: { name: 'Ten bikes' } });
  const called = lines.filter(({ tool }) => tool !== undefined);
  expect(called).toEqual([
    expect.objectContaining({ operation: 'mcp', tool: 'create_lead', status: 200, credential: keyId }),
  ]);
  expect(JSON.stringify(lines)).not.toContain('Ten bikes');
  expect(await own.core.metrics.registry.metrics()).toMatch(
    /dealkeep_\w+_count\{operation="mcp",status="2xx"\}/,
  );
});
