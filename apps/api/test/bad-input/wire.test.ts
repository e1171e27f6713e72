import { once } from 'node:events';
import { connect } from 'node:net';
import { sharedDealkeep } from '@dealkeep/testing';
import { openBusiness } from '@dealkeep/testing/business';
import { afterEach, expect, test } from 'vitest';
import { type RawAnswer, rawRequest } from './raw-request.ts';

const dealkeep = await sharedDealkeep();
const { api, organization } = await openBusiness(dealkeep);

// Whatever was sent, the server lives.
afterEach(async () => {
  expect((await api.get('/me')).status).toBe(200);
});

const authorization = `Authorization: Bearer ${organization.key}`;
const send = (...parts: (string | Buffer)[]) => rawRequest(dealkeep.origin, parts);
const post = (...lines: string[]) =>
  [
    'POST /api/v1/public/leads HTTP/1.1',
    'Host: x',
    authorization,
    'Content-Type: application/json',
    ...lines,
    '',
    '',
  ].join('\r\n');

/** What is no HTTP is refused in the form of every other error. */
function expectMalformed(answer: RawAnswer): void {
  expect(answer.status).toBe(400);
  expect(JSON.parse(answer.body).error.code).toBe('BAD_REQUEST');
  for (const header of ['x-service-api-version: 2026-10-01', 'x-ratelimit-limit: 120', 'x-request-id: ']) {
    expect(answer.head.toLowerCase()).toContain(header);
  }
}

test('a chunked body is a body', async () => {
  const chunks = ['6\r\n{"name\r\n', '9\r\n":"Bikes"\r\n', '1\r\n}\r\n', '0\r\n\r\n'];
  const answer = await send(post('Transfer-Encoding: chunked'), ...chunks);
  expect(answer.status).toBe(201);
  expect(answer.body).toContain('"name":"Bikes"');
});

test('Expect: 100-continue is answered', async () => {
  const answer = await send(post('Expect: 100-continue', 'Content-Length: 2'), '{}');
  expect(answer.head).toMatch(/^HTTP\/1\.1 (100|201)/);
});

test('the body of a GET or DELETE is nobody’s business', async () => {
  const request = (method: string, path: string) =>
    `${method} /api/v1/public${path} HTTP/1.1\r\nHost: x\r\n${authorization}\r\nContent-Length: 9\r\n\r\nno {json}`;
  expect((await send(request('GET', '/me'))).status).toBe(200);
  expect((await send(request('DELETE', '/webhooks/01985f6e-2c41-7d3a-9b52-4f0c8a7e1d63'))).status).toBe(404);
});

test('a client that leaves in the middle of its body harms nobody', async () => {
  const before = await api.walk('/leads');
  const { hostname, port } = new URL(dealkeep.origin);
  const socket = connect(Number(port), hostname);
  socket.end(`${post('Content-Length: 100')}{"name":`);
  await once(socket.resume(), 'close');
  expect(await api.walk('/leads')).toEqual(before);
});

test('HTTP/1.0 without a Host header is understood', async () => {
  expect((await send(`GET /api/v1/public/me HTTP/1.0\r\n${authorization}\r\n\r\n`)).status).toBe(200);
  expect((await send('GET /healthz HTTP/1.0\r\n\r\n')).status).toBe(200);
});

test.each([
  ['two lengths', ['Content-Length: 2', 'Content-Length: 3']],
  ['a length beside chunks', ['Content-Length: 2', 'Transfer-Encoding: chunked']],
  ['a length that is none', ['Content-Length: -1']],
  ['an unknown encoding', ['Transfer-Encoding: nonsense']],
  ['a header without a name', [': x']],
  ['a header with a NUL', ['X-A: a\0b']],
  ['headers of 20 KB', [`X-A: ${'a'.repeat(20_000)}`]],
  ['a chunk that is none', ['Transfer-Encoding: chunked', '', 'zz']],
])('%s: malformed', async (_, lines) => {
  expectMalformed(await send(post(...lines), '{}'));
});

test('HTTP/1.1 without a Host: malformed', async () => {
  expectMalformed(await send(`GET /api/v1/public/me HTTP/1.1\r\n${authorization}\r\n\r\n`));
  expectMalformed(await send('POST /api/v1/public/leads HTTP/1.1\r\nContent-Length: 2\r\n\r\n{}'));
  expectMalformed(await send('GET /healthz HTTP/1.1\r\n\r\n'));
});

test.each([
  ['GET /api/v1/public/me', 'of the API'],
  ['POST /mcp', 'of AI assistants'],
  ['POST /oauth/token', 'of OAuth'],
  ['GET /oauth/authorize', 'where people are asked'],
  ['GET /sign-in', 'of the console'],
  ['GET /healthz', 'of health'],
])('two Host headers for %s, an address %s: malformed (rule http 27)', async (line) => {
  const length = line.startsWith('POST') ? ['Content-Length: 0'] : [];
  const ask = (version: string, ...hosts: string[]) =>
    send([`${line} ${version}`, ...hosts, authorization, ...length, '', ''].join('\r\n'));
  for (const second of ['Host: x', 'host: elsewhere.example', 'HOST:']) {
    expectMalformed(await ask('HTTP/1.1', 'Host: x', second));
    expectMalformed(await ask('HTTP/1.0', 'Host: x', second));
  }
  expect((await ask('HTTP/1.1', 'Host: x')).body).not.toContain('BAD_REQUEST');
});

test.each([
  'HELLO',
  'GET /api/v1/public/me',
  'GET /api/v1/public/me HTTP/9.9',
  'GET /api/v1/public/me HTTPS/1.1',
  'GET /api/v1/public/me HTTP/1.1 x',
  'PRI * HTTP/2.0',
  '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
  'CONNECT elsewhere.example:443 HTTP/1.1',
])('the request line %j: malformed', async (line) => {
  expectMalformed(await send(`${line}\r\nHost: x\r\n${authorization}\r\n\r\n`));
});

test('what a request expects or would rather speak is no matter: it is answered as it stands (rule http 10)', async () => {
  const me = (...lines: string[]) =>
    send(['GET /api/v1/public/me HTTP/1.1', 'Host: x', authorization, ...lines, '', ''].join('\r\n'));
  for (const lines of [['Expect: a miracle'], ['Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c']]) {
    const answer = await me(...lines);
    expect([answer.status, JSON.parse(answer.body).data.organization.slug]).toEqual([200, organization.slug]);
  }
});

test.each(['Host: a b', 'Host: [::1', 'Host: x:99999', 'Host: user@x/path?y#z'])(
  '%s: malformed',
  async (host) => {
    expectMalformed(await send(`GET /api/v1/public/me HTTP/1.1\r\n${host}\r\n${authorization}\r\n\r\n`));
  },
);

test.each([
  // Of the console, which asks everybody to sign in.
  ['//evil.example/api/v1/public/me', 303],
  ['/api/v1/public//me', 404],
  ['/api/v1/public/./me', 200],
  ['/api/v1/public/x/../me', 200],
  ['/api/v1/public/%2e%2e/me', 404],
  ['/api/v1/public/me%00', 404],
  ['/api/v1/public/leads/%', 404],
  ['/api/v1/public/leads/%zz', 404],
  ['/api/v1/public/leads/%c0%af', 404],
  ['/api/v1/public/webhooks/events/%ff/sample', 404],
  ['/api/v1/public/me/', 200],
  ['/api/v1/public/ME', 404],
  ['/api\\v1/public/me', 400],
  ['http://elsewhere.example/api/v1/public/me', 200],
  ['ftp://elsewhere.example/', 400],
  ['*', 400],
  [`/api/v1/public/leads/${'a'.repeat(8000)}`, 404],
  [`/api/v1/public/leads/${'a'.repeat(30_000)}`, 400],
])('the address %s', async (target, status) => {
  const answer = await send(`GET ${target} HTTP/1.1\r\nHost: x\r\n${authorization}\r\n\r\n`);
  if (status === 400) expectMalformed(answer);
  else expect(answer.status).toBe(status);
});

test.each(['BREW', 'get', 'G\0T', 'PROPFIND', 'TRACE', 'OPTIONS', 'PUT', 'QUERY'])(
  'the method %s',
  async (method) => {
    const answer = await send(`${method} /api/v1/public/me HTTP/1.1\r\nHost: x\r\n${authorization}\r\n\r\n`);
    const known = ['PROPFIND', 'TRACE', 'OPTIONS', 'PUT', 'QUERY'].includes(method);
    expect([answer.status, JSON.parse(answer.body).error.code]).toEqual(
      known ? [404, 'NOT_FOUND'] : [400, 'BAD_REQUEST'],
    );
  },
);
