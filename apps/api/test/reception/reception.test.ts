import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { createApi, serve } from '@dealkeep/api';
import { createConsole } from '@dealkeep/console';
import { Reception, type ReceptionBounds } from '@dealkeep/core/foundations';
import { createMcp } from '@dealkeep/mcp';
import { ApiClient, Browser, eventually, sharedDealkeep } from '@dealkeep/testing';
import { expect, onTestFinished, test } from 'vitest';

const dealkeep = await sharedDealkeep();
const kib = 1024;

/** Dealkeep on a port of its own, which holds so much of bodies. */
async function startBounded(bounds: Partial<ReceptionBounds>) {
  const reception = new Reception(bounds);
  const core = { ...dealkeep.core, reception };
  const api = createApi({ core, elsewhere: createConsole({ core }), assistants: createMcp(core, '0') });
  const { port, stop } = await serve(api, { port: 0, host: '127.0.0.1' });
  onTestFinished(() => stop(100));
  const as = (key: string): ApiClient =>
    new ApiClient(`http://127.0.0.1:${port}/api/v1/public`, { Authorization: `Bearer ${key}` });
  return { port, reception, as, origin: `http://127.0.0.1:${port}` };
}

interface Unfinished {
  readonly socket: Socket;
  /** All that is answered until the connection ends. */
  readonly answer: Promise<string>;
}

interface Begun {
  readonly path?: string;
  readonly headers: readonly string[];
  readonly sent: number;
  readonly length?: number;
}

/** Begins a request, and sends so many bytes of its body. */
function begin(
  port: number,
  { path = '/api/v1/public/leads', headers, sent, length = 1024 * kib }: Begun,
): Unfinished {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  onTestFinished(() => void socket.destroy());
  const head = [`POST ${path} HTTP/1.1`, 'Host: x', `Content-Length: ${length}`, ...headers, '', ''];
  socket.write(head.join('\r\n'));
  socket.write(Buffer.alloc(sent, ' '));
  const answer = text(socket);
  answer.catch(() => {});
  return { socket, answer };
}

const withKey = (key: string): string[] => [`Authorization: Bearer ${key}`, 'Content-Type: application/json'];

test('a credential may have so much of bodies under way; beyond that it is answered 429, and others are not (rule limits 6)', async () => {
  const { port, reception, as } = await startBounded({ credentialBytes: 300 * kib });
  const organization = await dealkeep.createOrganization();
  const other = await organization.createKey();
  begin(port, { headers: withKey(organization.key), sent: 200 * kib });
  begin(port, { headers: withKey(organization.key), sent: 90 * kib });
  await eventually(() => expect(reception.heldBytes).toBe(290 * kib));
  const note = 'x'.repeat(20 * kib);
  const refused = await as(organization.key).post('/leads', { note });
  expect(refused.outcome).toBe('429 RATE_LIMITED');
  expect(refused.headers.get('retry-after')).toBe('5');
  expect((await as(organization.key).post('/leads', { name: 'Small' })).status).toBe(201);
  expect((await as(other.token).post('/leads', { note })).status).toBe(201);
});

test('an organization may have so much, whatever keys it uses and wherever it sends (rule limits 6)', async () => {
  const { port, reception, as, origin } = await startBounded({ organizationBytes: 300 * kib });
  const [organization, another] = [await dealkeep.createOrganization(), await dealkeep.createOrganization()];
  const { token } = await organization.createKey();
  const browser = new Browser({ origin });
  await browser.signIn(organization);
  const cookies = [...browser.cookies].map((pair) => pair.join('=')).join('; ');
  const form = (type: string): string[] => [`Cookie: ${cookies}`, `Content-Type: ${type}`];
  begin(port, { headers: withKey(organization.key), sent: 70 * kib });
  begin(port, { headers: withKey(token), path: '/mcp', sent: 80 * kib });
  begin(port, {
    headers: form('multipart/form-data; boundary=x'),
    path: '/companies/import',
    sent: 90 * kib,
  });
  begin(port, { headers: form('application/x-www-form-urlencoded'), path: '/companies/new', sent: 50 * kib });
  await eventually(() => expect(reception.heldBytes).toBe(290 * kib));
  const note = 'x'.repeat(20 * kib);
  expect((await as(organization.key).post('/leads', { note })).outcome).toBe('429 RATE_LIMITED');
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: { note } };
  const asked = await fetch(`${origin}/mcp`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(message),
  });
  expect(asked.status).toBe(429);
  const refusedForm = await browser.post('/companies/new', { note });
  expect([refusedForm.status, refusedForm.headers.get('retry-after')]).toEqual([429, '5']);
  expect((await as(another.key).post('/leads', { note })).status).toBe(201);
});

test('a process that holds all that it has room for answers 503, whoever asks (rule limits 6)', async () => {
  const { port, reception, as } = await startBounded({ processBytes: 300 * kib });
  const [one, other] = [await dealkeep.createOrganization(), await dealkeep.createOrganization()];
  begin(port, { headers: withKey(one.key), sent: 290 * kib });
  await eventually(() => expect(reception.heldBytes).toBe(290 * kib));
  const refused = await as(other.key).post('/leads', { note: 'x'.repeat(20 * kib) });
  expect(refused.outcome).toBe('503 SERVICE_UNAVAILABLE');
  expect(refused.headers.get('retry-after')).toBe('5');
});

test('what is sent before anybody is known counts for its network and for all strangers, and keeps nobody out who is known (rule limits 6)', async () => {
  const { port, reception, as } = await startBounded({ networkBytes: 20 * kib, openBytes: 40 * kib });
  const organization = await dealkeep.createOrganization();
  const headers = ['Content-Type: application/x-www-form-urlencoded'];
  begin(port, { headers, path: '/sign-in', sent: 10 * kib, length: 16 * kib });
  begin(port, { headers, path: '/oauth/token', sent: 8 * kib, length: 16 * kib });
  await eventually(() => expect(reception.heldBytes).toBe(18 * kib));
  const third = begin(port, { headers, path: '/oauth/token', sent: 8 * kib, length: 16 * kib });
  expect(await third.answer).toMatch(/^HTTP\/1\.1 429 [\s\S]*temporarily_unavailable/);
  expect((await as(organization.key).post('/leads', { note: 'x'.repeat(50 * kib) })).status).toBe(201);
});

test('a body is held until it is answered or its client is gone, and then no more (rule limits 6)', async () => {
  const { port, reception, as } = await startBounded({});
  const organization = await dealkeep.createOrganization();
  const gone = begin(port, { headers: withKey(organization.key), sent: 500 * kib });
  await eventually(() => expect(reception.heldBytes).toBe(500 * kib));
  gone.socket.destroy();
  await eventually(() => expect(reception.heldBytes).toBe(0));
  const name = 'x'.repeat(200 * kib);
  const answers = await Promise.all([
    as(organization.key).post('/leads', { name }),
    as(organization.key).post('/leads', { name: 'Small' }),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([422, 201]);
  expect(reception.heldBytes).toBe(0);
});

test.each([
  ['a request of the API', '/api/v1/public/leads'],
  ['a message of an assistant', '/mcp'],
])(
  '%s whose body does not grow is answered 400 and ended, and one that grows is received (rule limits 7)',
  async (_, path) => {
    const { port, reception } = await startBounded({ stalledMs: 200 });
    const { key } = await dealkeep.createOrganization();
    const growing = begin(port, { headers: withKey(key), path, sent: 2 * kib });
    const timer = setInterval(() => growing.socket.write(Buffer.alloc(2 * kib, ' ')), 20);
    onTestFinished(() => clearInterval(timer));
    const stalled = begin(port, { headers: withKey(key), path, sent: 100 * kib });
    const dripping = begin(port, { headers: withKey(key), path, sent: 100 * kib });
    const drips = setInterval(() => dripping.socket.write(' '), 20);
    onTestFinished(() => clearInterval(drips));
    for (const { answer } of [stalled, dripping]) {
      expect(await answer.catch(() => 'cut off')).toMatch(/^HTTP\/1\.1 400 [\s\S]*took too long to arrive/);
    }
    expect(growing.socket.closed).toBe(false);
    await eventually(() => expect(reception.heldBytes).toBeLessThan(1024 * kib));
  },
);

test('a form whose body does not grow is answered 400 and ended (rule limits 7)', async () => {
  const { port, reception } = await startBounded({ stalledMs: 200 });
  const headers = ['Content-Type: application/x-www-form-urlencoded'];
  for (const path of ['/sign-in', '/oauth/token']) {
    const { answer } = begin(port, { headers, path, sent: 1000, length: 16 * kib });
    expect(await answer).toMatch(/^HTTP\/1\.1 400 /);
  }
  expect(reception.heldBytes).toBe(0);
});
