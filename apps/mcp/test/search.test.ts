import { inConsole, sharedDealkeep } from '@dealkeep/testing';
import { openBusiness } from '@dealkeep/testing/business';
import { describe, expect, test } from 'vitest';
import { connectAssistant, refusalIn, textOf } from './assistant.ts';

const dealkeep = await sharedDealkeep();

describe.each(['modern', 'legacy'] as const)(
  'a connector for deep research of the %s revision (rule assistants 20)',
  (revision) => {
    async function atWork(path = '/mcp') {
      const business = await openBusiness(dealkeep);
      const assistant = await connectAssistant(dealkeep.baseUrl, business.organization.key, {
        path,
        revision,
      });
      await assistant.listTools();
      return {
        ...business,
        call: (name: string, given: Record<string, unknown>) =>
          assistant.callTool({ name, arguments: given }),
      };
    }

    test('searches by a query, and is answered results of id, title and url in the one form', async () => {
      const { api, call } = await atWork();
      const { data: company } = await api.post('/companies', {
        name: 'Tatra Bikes',
        registration_id: '36123456',
      });
      const found = await call('search', { query: 'tatra' });
      expect(found.structuredContent).toEqual({
        results: [
          { id: `company:${company.id}`, title: 'Tatra Bikes · company · 36123456', url: company.app_url },
        ],
      });
      expect(found.content).toEqual([{ type: 'text', text: JSON.stringify(found.structuredContent) }]);
      expect((await call('search', { query: 'tatra', types: ['lead'] })).structuredContent).toEqual({
        results: [],
      });
      expect(refusalIn(await call('search', { query: 'tatra', types: ['quote'] }))).toContain('- types:');
      expect(refusalIn(await call('search', {}))).toContain('- query:');
      expect(refusalIn(await call('search', { query: ' ' }))).toContain('query');
    });

    test('fetches what it has found, whole, in the one form', async () => {
      const { api, call } = await atWork('/mcp/shop/readonly');
      const note = `${'Long story. '.repeat(500)}The end.`;
      const { data: lead } = await api.post('/leads', {
        name: 'Ten bikes',
        note,
        company: { name: 'Tatra' },
      });
      const { results } = Object((await call('search', { query: 'ten bikes' })).structuredContent);
      for (const id of [results[0].id, lead.app_url]) {
        const fetched = await call('fetch', { id });
        expect(fetched.structuredContent).toEqual({
          id: `lead:${lead.id}`,
          title: 'Ten bikes',
          text: expect.stringContaining('The end.'),
          url: lead.app_url,
          metadata: { type: 'lead', created_at: lead.created_at, updated_at: lead.updated_at },
        });
        expect(fetched.content).toEqual([{ type: 'text', text: JSON.stringify(fetched.structuredContent) }]);
      }
      expect(refusalIn(await call('fetch', { id: lead.id }))).toContain('id: This must be a kind and an ID');
      expect(refusalIn(await call('fetch', { id: `lead:${crypto.randomUUID()}` }))).toMatch(/^NOT_FOUND/);
    });
  },
);

test('a credential searches and fetches what it may read alone, and is offered neither when that is nothing', async () => {
  const { organization, api } = await openBusiness(dealkeep);
  const { data: company } = await api.post('/companies', { name: 'Tatra' });
  await api.post('/leads', { name: 'Tatra' });
  const as = async (scopes: readonly ('leads:read' | 'webhooks:manage')[]) =>
    connectAssistant(dealkeep.baseUrl, (await organization.createKey({ scopes })).token);
  const reader = await as(['leads:read']);
  const found = await reader.callTool({ name: 'search', arguments: { query: 'Tatra' } });
  expect(Object(found.structuredContent).results).toHaveLength(1);
  const refused = await reader.callTool({ name: 'fetch', arguments: { id: `company:${company.id}` } });
  expect(refusalIn(refused)).toMatch(/^FORBIDDEN/);
  const other = await as(['webhooks:manage']);
  expect((await other.listTools()).tools.map(({ name }) => name)).not.toContain('search');
});

test('a set that an owner has switched off is neither searched, nor fetched, nor told of by what changed (rules assistants 13 and 20)', async () => {
  const { organization, api } = await openBusiness(dealkeep);
  const { data: lead } = await api.post('/leads', { name: 'Tatra' });
  await api.post('/tasks', { title: 'Tatra' });
  await dealkeep.sql`
    update organizations set assistant_tool_sets = ${['work']} where id = ${organization.id}`;
  const { token } = await organization.createKey();
  const assistant = await connectAssistant(dealkeep.baseUrl, token);
  const call = (name: string, given: Record<string, unknown>) =>
    assistant.callTool({ name, arguments: given });
  const { results } = Object((await call('search', { query: 'Tatra' })).structuredContent);
  expect(results.map(({ id }: { id: string }) => id.split(':')[0])).toEqual(['task']);
  expect(refusalIn(await call('fetch', { id: `lead:${lead.id}` }))).toMatch(/^FORBIDDEN/);
  const { events } = Object((await call('what_changed', {})).structuredContent);
  expect(events.map(({ type }: { type: string }) => type)).toEqual(['task.created']);
  expect(refusalIn(await call('what_changed', { types: ['lead.created'] }))).toMatch(/^FORBIDDEN/);
});

test('where sets are switched off, what changed tells of quotes too, which no tool makes', async () => {
  const { organization } = await openBusiness(dealkeep);
  const items = [{ name: 'Ten bikes', quantity: 1, unit_price: 1000 }];
  const { id } = await inConsole(dealkeep.core, organization, 'quotes.create', { items });
  for (const step of ['quotes.send', 'quotes.accept'] as const) {
    await inConsole(dealkeep.core, organization, step, { id });
  }
  await dealkeep.sql`
    update organizations set assistant_tool_sets = ${['billing']} where id = ${organization.id}`;
  const { token } = await organization.createKey();
  const assistant = await connectAssistant(dealkeep.baseUrl, token);
  const answer = await assistant.callTool({ name: 'what_changed', arguments: {} });
  const { events } = Object(answer.structuredContent);
  expect(events.map(({ type }: { type: string }) => type)).toEqual(['quote.accepted']);
});

test('what changed is told in order: when, what, to which record, and from what to what (rule assistants 20)', async () => {
  const { organization, api } = await openBusiness(dealkeep);
  const { data: lead } = await api.post('/leads', { name: 'Ten bikes', value: 1000 });
  await api.post('/companies', { name: 'Zvon' });
  await api.patch(`/leads/${lead.id}`, { value: 2500 });
  const assistant = await connectAssistant(dealkeep.baseUrl, organization.key);
  const call = (given: Record<string, unknown>) =>
    assistant.callTool({ name: 'what_changed', arguments: given });
  const all = await call({});
  const text = textOf(all);
  expect(text).toMatch(/^3 events, oldest first:\n/);
  expect(text).toContain(`lead.updated Ten bikes (lead:${lead.id}): value 1000 → 2500`);
  for (const record of [`lead:${lead.id}`, lead.app_url, lead.id]) {
    const { events } = Object((await call({ record })).structuredContent);
    expect(events.map(({ type }: { type: string }) => type)).toEqual(['lead.created', 'lead.updated']);
    expect(events[1]).toMatchObject({
      record: `lead:${lead.id}`,
      name: 'Ten bikes',
      changes: { value: { old: '1000', new: '2500' } },
    });
  }
  const first = Object((await call({ limit: 1, types: ['lead.created', 'lead.updated'] })).structuredContent);
  expect(first).toMatchObject({ events: [{ type: 'lead.created' }], has_more: true });
  const next = await call({ cursor: first.next_cursor, types: ['lead.created', 'lead.updated'] });
  expect(next.structuredContent).toMatchObject({ events: [{ type: 'lead.updated' }], has_more: false });
  const none = await call({ since: '2100-01-01T00:00:00Z' });
  expect(textOf(none)).toContain('Nothing happened');
  expect(refusalIn(await call({ record: 'Ten bikes' }))).toContain('- record:');
  expect(refusalIn(await call({ since: 'yesterday' }))).toContain('since');
});
