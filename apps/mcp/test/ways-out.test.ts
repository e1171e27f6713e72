import { asksFirst, operationIds, operations } from '@dealkeep/contract';
import { Browser, startDealkeep } from '@dealkeep/testing';
import { describe, expect, test } from 'vitest';
import { toolNameOf } from '../src/tools/tool-name.ts';
import { connectAssistant, refusalIn, textOf } from './assistant.ts';

const dealkeep = await startDealkeep({ worker: false });
const target = 'http://127.0.0.1:4567/hook';
const elsewhere = 'http://127.0.0.2:4567/elsewhere';

/** An assistant of a new organization whose user answers what they are asked, in this way. */
async function connectAsked(action: 'accept' | 'decline' = 'accept') {
  const organization = await dealkeep.createOrganization();
  const asked: string[] = [];
  const assistant = await connectAssistant(dealkeep.baseUrl, organization.key, {
    async onAsked(message) {
      asked.push(message);
      return action === 'accept' ? { action, content: {} } : { action };
    },
    path: '/mcp/all',
  });
  const call = (name: string, args: Record<string, unknown>) => assistant.callTool({ name, arguments: args });
  return { organization, api: dealkeep.as(organization.key), assistant, asked, call };
}

test('every tool that cannot be taken back, sends something out or binds the business asks first and says so, no other does (rule assistants 5)', async () => {
  const { assistant } = await connectAsked();
  const { tools } = await assistant.listTools();
  const declared = new Map(
    operationIds.map((id) => [toolNameOf(operations[id]), operations[id] as Parameters<typeof asksFirst>[0]]),
  );
  const asking: string[] = [];
  for (const { name, annotations, inputSchema, description } of tools) {
    const declaration = declared.get(name);
    const asks = declaration !== undefined && asksFirst(declaration);
    if (asks) asking.push(name);
    expect([name, 'confirm' in Object(inputSchema.properties)]).toEqual([name, asks]);
    expect([name, description?.includes('The user is asked first.')]).toEqual([name, asks]);
    expect([name, annotations?.openWorldHint]).toEqual([name, declaration?.sendsTo !== undefined]);
    if (annotations?.readOnlyHint) expect(asks).toBe(false);
    else {
      const endsOrBinds = declaration?.destructive === true || declaration?.binding === true;
      expect([name, annotations?.destructiveHint]).toEqual([name, endsOrBinds]);
    }
  }
  expect(asking).toEqual(
    expect.arrayContaining(['create_webhook', 'update_webhook', 'recover_webhook', 'test_webhook']),
  );
  expect(asking).toEqual(
    expect.arrayContaining(['resend_delivery', 'create_invoice', 'create_order', 'archive_lead']),
  );
});

describe('a way out (rule assistants 5)', () => {
  test('is opened once the user has agreed to its host, and not when they decline', async () => {
    const declining = await connectAsked('decline');
    const refused = await declining.call('create_webhook', { target_url: target, events: ['lead.created'] });
    expect(refused.structuredContent).toEqual({ done: false });
    expect((await declining.api.get('/webhooks')).page.data).toEqual([]);
    const { api, asked, call } = await connectAsked();
    const done = await call('create_webhook', { target_url: target, events: ['lead.created'] });
    expect(asked).toEqual([expect.stringContaining('It sends to the host "127.0.0.1:4567".')]);
    expect(asked[0]).toContain('Events: "lead.created"');
    expect(done.structuredContent).toMatchObject({ done: true, target_url: target });
    expect((await api.get('/webhooks')).page.data).toHaveLength(1);
  });

  test('leads elsewhere only when the user has agreed to the new host', async () => {
    const { api, asked, call } = await connectAsked();
    const { data: hook } = await api.post('/webhooks', { target_url: target, event: 'lead.created' });
    await call('update_webhook', { id: hook.id, target_url: elsewhere });
    expect(asked).toEqual([
      expect.stringContaining(
        'It sends to the host "127.0.0.2:4567", no longer to the host "127.0.0.1:4567".',
      ),
    ]);
    expect((await api.get(`/webhooks/${hook.id}`)).data.target_url).toBe(elsewhere);
  });

  test.each([
    ['test_webhook', {}],
    ['recover_webhook', { since: new Date(Date.now() - 60_000).toISOString() }],
  ])('is used by %s only when the user has agreed, also where the client cannot ask', async (name, more) => {
    const { organization, api } = await connectAsked();
    const { data: hook } = await api.post('/webhooks', { target_url: target, event: 'lead.created' });
    const assistant = await connectAssistant(dealkeep.baseUrl, organization.key, { path: '/mcp/all' });
    const first = await assistant.callTool({ name, arguments: { id: hook.id, ...more } });
    expect(textOf(first)).toContain('It sends to the host "127.0.0.1:4567".');
    const { confirmation } = Object(first.structuredContent);
    await api.patch(`/webhooks/${hook.id}`, { target_url: elsewhere });
    const confirmed = { id: hook.id, ...more, confirm: true, confirmation };
    const moved = await assistant.callTool({ name, arguments: confirmed });
    expect(textOf(moved)).toContain('The record has been changed since the question was asked.');
    expect(textOf(moved)).toContain('"127.0.0.2:4567"');
    const again = { ...confirmed, confirmation: Object(moved.structuredContent).confirmation };
    const done = await assistant.callTool({ name, arguments: again });
    expect(done.structuredContent).toMatchObject({ done: true });
  });

  test('nobody is asked about what would be refused', async () => {
    const { asked, call } = await connectAsked();
    const refused = await call('create_webhook', { events: ['lead.created'] });
    expect(refusalIn(refused)).toContain('- target_url:');
    expect(asked).toEqual([]);
  });
});

describe('the signing secret of a webhook (rule assistants 23)', () => {
  test('is not shown to an assistant, also of a call that is made again; the answer says where a person gets one', async () => {
    const { organization, assistant, call, asked } = await connectAsked();
    const given = { target_url: target, events: ['lead.created'] };
    const [made, repeated] = [await call('create_webhook', given), await call('create_webhook', given)];
    expect(asked).toHaveLength(2);
    const { id } = Object(made.structuredContent);
    expect(Object(repeated.structuredContent).id).toBe(id);
    expect(textOf(repeated)).toContain('Nothing new was made');
    for (const answer of [made, repeated]) {
      expect(JSON.stringify(answer)).not.toContain('whsec_');
      expect(textOf(answer)).toContain(`"Change the secret" at http://localhost:3000/webhooks/${id}.`);
    }
    const { tools } = await assistant.listTools();
    const { outputSchema } = tools.find(({ name }) => name === 'create_webhook') ?? {};
    expect(Object.keys(Object(outputSchema?.properties))).not.toContain('secret');
    const browser = new Browser(dealkeep);
    await browser.signIn(organization);
    const { location = '' } = await browser.get(`/webhooks/${id}`);
    expect((await browser.get(location)).html).toContain('Change the secret');
    const changed = await browser.fill(`${location}/rotate`, `${location}/rotate`, {});
    expect(changed.html).toContain('whsec_');
  });
});

describe('what binds the business (rule assistants 5)', () => {
  test('an invoice is recorded once the user has agreed to whom and for what', async () => {
    const { api, asked, call } = await connectAsked();
    const { data: company } = await api.post('/companies', { name: 'Tatra Bikes' });
    const { data: client } = await api.post('/clients', { company_id: company.id });
    const given = { client: client.id, items: [{ name: 'Ten bikes', quantity: 10, unit_price: 250 }] };
    const done = await call('create_invoice', given);
    expect(asked).toEqual([expect.stringContaining('Create an invoice')]);
    expect(asked[0]).toContain('"Tatra Bikes"');
    expect(asked[0]).toContain('Ten bikes, quantity 10, unit_price 250');
    expect(done.structuredContent).toMatchObject({ done: true });
    expect((await api.get('/invoices')).page.data).toHaveLength(1);
  });

  test('the same call makes one, and a second one on purpose is asked about, too (rules assistants 5 and 7)', async () => {
    const { api, asked, call } = await connectAsked();
    const { data: company } = await api.post('/companies', { name: 'Tatra Bikes' });
    const { data: client } = await api.post('/clients', { company_id: company.id });
    const given = { client: client.id, items: [{ name: 'Ten bikes', quantity: 10, unit_price: 250 }] };
    await call('create_invoice', given);
    expect(textOf(await call('create_invoice', given))).toContain('Nothing new was made');
    expect((await api.get('/invoices')).page.data).toHaveLength(1);
    await call('create_invoice', { ...given, idempotency_key: 'another' });
    expect(asked).toHaveLength(3);
    expect((await api.get('/invoices')).page.data).toHaveLength(2);
  });
});
