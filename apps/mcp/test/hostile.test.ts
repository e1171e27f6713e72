import { updateOrganization } from '@dealkeep/core/accounts';
import { ManualClock, startDealkeep } from '@dealkeep/testing';
import { describe, expect, test } from 'vitest';
import { connectAssistant, refusalIn } from './assistant.ts';
import { keptLog, message, modern, rawSender } from './raw-messages.ts';

const { lines, log } = keptLog();
const dealkeep = await startDealkeep({ worker: false, log, clock: new ManualClock() });
const { key } = await dealkeep.createOrganization();
const send = rawSender(dealkeep.origin, key);

const valuesOf = (count: number): object =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`u${index}`, 1]));

describe('a page of another site (rule assistants 1)', () => {
  test.each(['https://evil.example', 'null', 'http://localhost.evil.example', 'javascript:alert(1)'])(
    'with the origin %s is refused before anything is read',
    async (origin) => {
      const refused = await send({ headers: { origin }, body: message('tools/list') });
      expect(refused.status).toBe(403);
    },
  );

  test('that has this server under a name of its own is refused, too', async () => {
    const headers = { host: 'evil.example', origin: 'http://evil.example' };
    expect((await send({ headers, body: message('tools/list') })).status).toBe(403);
  });

  test('of this server itself is answered', async () => {
    const headers = { origin: 'http://localhost:3000' };
    expect((await send({ headers, body: message('tools/list') })).status).toBe(200);
  });
});

describe('a body (rule assistants 1)', () => {
  test('of more than 1 MiB is refused', async () => {
    const body = message('tools/call', { name: 'create_lead', arguments: { name: 'x'.repeat(1_100_000) } });
    const refused = await send({ body });
    expect(refused.status).toBe(400);
    expect(refused.body).toContain('BAD_REQUEST');
  });

  test.each([
    ['no JSON', '{"jsonrpc":'],
    ['nothing', ''],
    ['no UTF-8', Buffer.from([0x22, 0xff, 0x22])],
  ])('that is %s is answered with a parse error', async (_, body) => {
    const refused = await send({ body });
    expect(refused.status).toBe(400);
    expect(JSON.parse(refused.body)).toMatchObject({ error: { code: -32_700 }, id: null });
  });

  test.each(['null', '1', '"x"', '{}', '[]', '{"jsonrpc":"1.0","id":1,"method":"tools/list"}'])(
    'that is no message, %s, is refused',
    async (body) => {
      expect((await send({ body })).status).toBe(400);
    },
  );

  test('of another type is refused', async () => {
    const refused = await send({ headers: { 'content-type': 'text/plain' }, body: message('tools/list') });
    expect(refused.status).toBe(415);
  });

  test.each(['arguments', '_meta', 'other'])(
    'nested a hundred thousand deep in %s is refused',
    async (name) => {
      const deep = `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`;
      const body = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"create_lead","${name}":${deep}}}`;
      const refused = await send({ body });
      expect(refused.status).toBe(400);
      expect(JSON.parse(refused.body)).toMatchObject({ error: { code: -32_600 } });
    },
  );

  test.each([
    ['tools/call', { name: 'create_lead', arguments: valuesOf(80_000) }],
    ['tools/call', { name: 'no_such_tool', arguments: valuesOf(80_000) }],
    ['tools/list', { _meta: valuesOf(80_000) }],
    ['resources/read', { uri: Array.from({ length: 300_000 }, () => 1) }],
  ])(
    'of more values than any tool takes is refused before anything looks at them: %s',
    async (method, params) => {
      const refused = await send({ body: message(method, params) });
      expect(refused.status).toBe(400);
      expect(JSON.parse(refused.body)).toMatchObject({
        error: { code: -32_600, message: 'At most 10000 values in a message' },
      });
    },
  );

  test('of as many values as the largest order has is looked at', async () => {
    const item = { sku: 'unknown', quantity: 1, unit_price: 1, name: 'Bell', unit: 'pc', vat_rate: 23 };
    const order = { items: Array.from({ length: 500 }, () => item), customer: {} };
    const { status, body } = await send({
      body: message('tools/call', { name: 'create_order', arguments: order }),
      path: '/mcp/all',
    });
    expect(status).toBe(200);
    expect(body).toContain('VALIDATION_ERROR');
  });

  test('that calls a tool of an endless name is told only its beginning', async () => {
    const { body } = await send({ body: message('tools/call', { name: 'x'.repeat(500_000) }) });
    expect(JSON.parse(body)).toMatchObject({ error: { code: -32_602 } });
    expect(body.length).toBeLessThan(1000);
  });

  test('of many messages, which would count as one request, is refused, and none is done', async () => {
    const call = { name: 'create_lead', arguments: { name: 'Of a batch' } };
    const batch = [1, 2, 3].map((id) => JSON.parse(message('tools/call', call, id)));
    const refused = await send({ body: JSON.stringify(batch) });
    expect(refused.status).toBe(400);
    expect(JSON.parse(refused.body)).toMatchObject({ error: { code: -32_600 } });
    expect((await dealkeep.as(key).get('/leads?q=batch')).data).toEqual([]);
  });
});

describe.each([
  ['modern', modern('tools/destroy')],
  ['legacy', { body: message('tools/destroy') }],
])('in the %s revision', (_, unknown) => {
  test('a method that there is not is told so', async () => {
    const { status, body } = await send(unknown);
    expect([200, 404]).toContain(status);
    expect(JSON.parse(body)).toMatchObject({ error: { code: -32_601 } });
  });
});

test.each(['GET', 'DELETE', 'PUT', 'PATCH'])(
  '%s is not answered by a stream, but by 405 (rule assistants 1)',
  async (method) => {
    const refused = await send({ method });
    expect({ status: refused.status, allow: refused.allow }).toEqual({ status: 405, allow: 'POST' });
  },
);

test('a stream of announcements is acknowledged and ended (rule assistants 1)', async () => {
  const { status, body } = await send(
    modern('subscriptions/listen', { notifications: { toolsListChanged: true } }),
  );
  expect([status, body]).toEqual([200, expect.stringContaining('subscriptions/acknowledged')]);
});

test('a tool of another set is one that there is not (rule assistants 3)', async () => {
  const call = modern('tools/call', { name: 'list_invoices', arguments: {} });
  expect((await send({ ...call, path: '/mcp/billing' })).body).toContain('"items"');
  const refused = await send({ ...call, path: '/mcp/sales' });
  expect(JSON.parse(refused.body)).toMatchObject({ error: { code: -32_602 } });
});

test('the record of another organization is one that there is not', async () => {
  const other = await dealkeep.createOrganization();
  const { data: lead } = await dealkeep.as(other.key).post('/leads', { name: 'Secret plan' });
  const assistant = await connectAssistant(dealkeep.baseUrl, key);
  for (const name of ['get_lead', 'archive_lead', 'update_lead']) {
    const refused = await assistant.callTool({ name, arguments: { id: lead.id, lead: lead.id } });
    expect(refused.isError).toBe(true);
    expect(JSON.stringify(refused)).not.toContain('Secret plan');
  }
  const refused = await assistant.callTool({ name: 'get_lead', arguments: { lead: lead.id } });
  expect(refusalIn(refused)).toMatch(/^NOT_FOUND: /);
});

test('a call counts for the limits as a request of the API does (rule assistants 2)', async () => {
  const limited = await dealkeep.createOrganization({ usualRateLimits: true });
  await updateOrganization(dealkeep.sql, limited.slug, { requestsPerMinute: 2 });
  const sendLimited = rawSender(dealkeep.origin, limited.key);
  const call = modern('tools/call', { name: 'get_me', arguments: {} });
  expect((await sendLimited(call)).status).toBe(200);
  expect((await dealkeep.as(limited.key).get('/me')).status).toBe(200);
  expect((await sendLimited(call)).status).toBe(429);
  expect((await dealkeep.as(limited.key).get('/me')).outcome).toBe('429 RATE_LIMITED');
});

test('no token stands in the log, nor in what is answered', async () => {
  const wrong = `${key.slice(0, -4)}aaaa`;
  const bodies = [
    await send({ headers: { authorization: `Bearer ${wrong}` }, body: message('tools/list') }),
    await send(modern('tools/call', { name: 'get_lead', arguments: { lead: 'x' } })),
    await send({ body: '{' }),
  ].map(({ body }) => body);
  const told = JSON.stringify(lines, (_, value) => (value instanceof Error ? `${value.stack}` : value));
  for (const token of [key, wrong]) {
    expect(told).not.toContain(token);
    expect(bodies.join()).not.toContain(token);
  }
});

test('none of all this is a fault of ours', () => {
  expect(lines.filter(({ level }) => level === 'error' || level === 'warn')).toEqual([]);
});
