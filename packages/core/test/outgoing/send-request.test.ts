import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import { startRawReceiver, startReceiver } from './receiver.ts';
import { createSender } from './sender.ts';

test('a request is posted with its headers and body, and its answer told', async () => {
  const seen: unknown[] = [];
  const receiver = await startReceiver((response, { method, url, headers }) => {
    seen.push(method, url, headers['webhook-id'], headers['content-type'], headers['content-length']);
    response.writeHead(202, { 'retry-after': '7' }).end('{"received":true}');
  });
  const { send } = createSender();
  const url = new URL('/hook?a=b%20c#fragment', receiver.url);
  const headers = { 'content-type': 'application/json', 'webhook-id': 'evt_1' };
  expect(await send(url, { headers, body: '{"name":"č"}' })).toEqual({
    outcome: 'answered',
    status: 202,
    headers: { retryAfter: '7' },
    responseStart: '{"received":true}',
    durationMs: expect.any(Number),
  });
  expect(seen).toEqual(['POST', '/hook?a=b%20c', 'evt_1', 'application/json', '13']);
  expect(receiver.bodies).toEqual(['{"name":"č"}']);
});

test.each([200, 204, 301, 400, 404, 410, 429, 500, 503])('status %i is an answer', async (status) => {
  const receiver = await startReceiver((response) => response.writeHead(status).end());
  const { send } = createSender();
  expect(await send(receiver.url)).toMatchObject({
    outcome: 'answered',
    status,
    headers: {},
    responseStart: '',
  });
});

test('status 999 is an answer', async () => {
  const receiver = await startRawReceiver((socket) =>
    socket.end('HTTP/1.1 999 Odd\r\ncontent-length: 2\r\n\r\nno'),
  );
  const { send } = createSender();
  expect(await send(receiver.url)).toMatchObject({ outcome: 'answered', status: 999, responseStart: 'no' });
});

test('of several Retry-After headers the first is told, whatever it holds', async () => {
  const receiver = await startRawReceiver((socket) =>
    socket.end('HTTP/1.1 503 Busy\r\nRetry-After: -1\r\nRetry-After: 5\r\ncontent-length: 0\r\n\r\n'),
  );
  const { send } = createSender();
  expect(await send(receiver.url)).toMatchObject({ status: 503, headers: { retryAfter: '-1' } });
});

test.each([
  ['NUL and invalid UTF-8 become harmless', Buffer.from([0x61, 0, 0xff, 0xc3, 0x28]), 'a\ufffd\ufffd\ufffd('],
  ['a character cut at 1 KiB is left out', Buffer.from(`${'a'.repeat(1023)}č and more`), 'a'.repeat(1023)],
  ['the first 1 KiB is kept', Buffer.from('b'.repeat(5_000)), 'b'.repeat(1_024)],
  ['surrogates in UTF-8 become harmless', Buffer.from([0xed, 0xa0, 0x80]), '\ufffd\ufffd\ufffd'],
])('of the answer, %s', async (_what, body, expected) => {
  const receiver = await startReceiver((response) => response.end(body));
  const { send } = createSender();
  expect(await send(receiver.url)).toMatchObject({ responseStart: expected });
});

const garbage: [string, string | Buffer, string, string][] = [
  ['garbage', 'Hello! I am not HTTP.\n\n', 'invalid_response', 'answer is not valid HTTP'],
  [
    'binary garbage',
    Buffer.from(Array.from({ length: 2_000 }, (_, n) => (n * 7) % 256)),
    'invalid_response',
    'answer is not valid HTTP',
  ],
  ['HTTP/0.9', '<html>hello</html>', 'invalid_response', 'answer is not valid HTTP'],
  ['status 1000', 'HTTP/1.1 1000 Odd\r\n\r\n', 'invalid_response', 'answer is not valid HTTP'],
  [
    'two lengths',
    'HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\nok',
    'invalid_response',
    'answer is not valid HTTP',
  ],
  ['an unasked 100', 'HTTP/1.1 100 Continue\r\n\r\n', 'invalid_response', 'answer is not valid HTTP'],
  [
    'an unasked upgrade',
    'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n',
    'invalid_response',
    'answer is not valid HTTP',
  ],
  [
    'endless early hints',
    'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(1_000),
    'invalid_response',
    'answer is not valid HTTP: endless informational answers',
  ],
  [
    'huge headers',
    `HTTP/1.1 200 OK\r\n${`x-filler: ${'x'.repeat(1_000)}\r\n`.repeat(100)}\r\n`,
    'invalid_response',
    'answer is not valid HTTP',
  ],
  [
    'half a head',
    'HTTP/1.1 200 OK\r\ncontent-le',
    'connection_closed',
    'connection closed without an answer',
  ],
  ['nothing', '', 'connection_closed', 'connection closed without an answer'],
  [
    'half a body',
    'HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf',
    'incomplete_response',
    'answer broke off: status 200',
  ],
  [
    'half a chunked body',
    'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n64\r\nhalf',
    'incomplete_response',
    'answer broke off: status 200',
  ],
  [
    'a bad chunk',
    'HTTP/1.1 500 No\r\ntransfer-encoding: chunked\r\n\r\nzz\r\nhalf',
    'incomplete_response',
    'answer broke off: status 500',
  ],
];

test.each(garbage)(
  'a receiver that answers %s fails in plain words',
  async (_what, bytes, reason, message) => {
    const receiver = await startRawReceiver((socket) => socket.end(bytes));
    const { send } = createSender();
    expect(await send(receiver.url)).toMatchObject({
      outcome: 'failed',
      reason,
      message,
      durationMs: expect.any(Number),
    });
  },
);

test('more after a whole answer does not spoil it, and the connection is not used again', async () => {
  const ok = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok';
  const receiver = await startRawReceiver((socket) => socket.write(`${ok}HTTP/1.1 410 Gone\r\n\r\n`));
  const { send } = createSender();
  for (let count = 0; count < 3; count++) expect(await send(receiver.url)).toMatchObject({ status: 200 });
  expect(receiver.connections).toHaveLength(3);
});

test('a reset before and within the answer fails', async () => {
  const before = await startRawReceiver((socket) => socket.resetAndDestroy());
  const within = await startRawReceiver((socket) => {
    socket.write('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf', () => socket.resetAndDestroy());
  });
  const { send } = createSender();
  expect(await send(before.url)).toMatchObject({ reason: 'connection_reset', message: 'connection reset' });
  expect(await send(within.url)).toMatchObject({ outcome: 'failed', reason: 'incomplete_response' });
});

test('a closed port refuses', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  const port = address !== null && typeof address === 'object' ? address.port : 0;
  const { send } = createSender();
  expect(await send(`http://127.0.0.1:${port}/`)).toMatchObject({
    outcome: 'failed',
    reason: 'connection_refused',
    message: 'connection refused',
  });
});

test('headers that cannot be sent are the caller’s mistake and reject', async () => {
  const receiver = await startReceiver();
  const { send } = createSender();
  await expect(send(receiver.url, { headers: { 'x-bad': 'a\r\nb' } })).rejects.toThrow(
    'invalid x-bad header',
  );
  expect(receiver.bodies).toHaveLength(0);
});
