import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { createApi, serve } from '@dealkeep/api';
import { ApiClient, sharedDealkeep } from '@dealkeep/testing';
import { openBusiness } from '@dealkeep/testing/business';
import { afterAll, expect, onTestFinished, test } from 'vitest';

const dealkeep = await sharedDealkeep();
const { organization } = await openBusiness(dealkeep);
const patienceMs = 400;
const { port, api } = await startServer(patienceMs);

async function startServer(
  patienceMs: number,
  atEnd: (stop: () => Promise<void>) => void = afterAll,
): Promise<{ port: number; api: ApiClient }> {
  const server = await serve(createApi({ core: dealkeep.core }), { port: 0, host: '127.0.0.1', patienceMs });
  atEnd(() => server.stop(1000));
  const headers = { Authorization: `Bearer ${organization.key}` };
  return { port: server.port, api: new ApiClient(`http://127.0.0.1:${server.port}/api/v1/public`, headers) };
}

const head = (length: number, key: string): string =>
  [
    'POST /api/v1/public/leads HTTP/1.1',
    'Host: x',
    `Authorization: Bearer ${organization.key}`,
    'Content-Type: application/json',
    `Idempotency-Key: ${key}`,
    `Content-Length: ${length}`,
    '',
    '',
  ].join('\r\n');

/** At a byte a millisecond it takes longer than any machine needs for the rest of the test. */
const slowBytes = 200_000;

/** Sends the first part at once and the rest byte by byte, until the server has had enough. */
function drip(to: number, first: string, rest: string): { answer: Promise<string>; socket: Socket } {
  const socket = connect(to, '127.0.0.1');
  const answer = text(socket);
  socket.write(first);
  let at = 0;
  const timer = setInterval(() => {
    if (at < rest.length) socket.write(rest[at] ?? '');
    at += 1;
  }, 1);
  socket.once('close', () => clearInterval(timer));
  socket.on('error', () => {});
  return { answer, socket };
}

const slowly: readonly (readonly [first: string, rest: string])[] = [
  ['', head(2, 'slow headers')],
  [head(slowBytes, 'slow body'), ' '.repeat(slowBytes)],
  ['', ''],
];

test('connections that send headers, a body or nothing byte by byte are told so and ended, and disturb nobody (rules http 10, bodies 2 and errors 7)', async () => {
  const slow = (to: number) =>
    slowly.flatMap(([first, rest]) => Array.from({ length: 10 }, () => drip(to, first, rest)));
  // Where nobody's patience ends, others are answered all the same.
  const patient = await startServer(60_000, onTestFinished);
  const standing = slow(patient.port);
  for (let count = 0; count < 20; count += 1) expect((await patient.api.get('/leads')).status).toBe(200);
  expect(standing.filter(({ socket }) => socket.closed)).toEqual([]);
  for (const { answer, socket } of standing) {
    socket.destroy();
    await expect(answer).rejects.toThrow();
  }
  for (const { answer: asked, socket } of slow(port)) {
    const answer = await asked;
    if (!socket.closed) await once(socket, 'close');
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toContain('x-service-api-version: 2026-10-01');
    expect(JSON.parse(answer.slice(answer.indexOf('{'))).error).toEqual({
      code: 'BAD_REQUEST',
      message: 'The request took too long to arrive.',
      request_id: expect.any(String),
      doc_url: expect.stringContaining('#BAD_REQUEST'),
    });
  }
  expect((await api.get('/leads')).page.data).toEqual([]);
});

test('the key of a request that was ended is free', async () => {
  const answer = await api.post('/leads', {}, { 'Idempotency-Key': 'slow body' });
  expect([answer.status, answer.headers.get('idempotent-replayed')]).toEqual([201, null]);
});

test('a connection that is answered may go on for longer than one request may take', async () => {
  const socket = connect(port, '127.0.0.1');
  let heard = '';
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    heard += chunk;
  });
  const ask = `GET /api/v1/public/me HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${organization.key}\r\n\r\n`;
  const answers = () => heard.split('HTTP/1.1 200').length - 1;
  const until = performance.now() + 2 * patienceMs;
  let asked = 0;
  while (performance.now() < until) {
    asked += 1;
    socket.write(ask);
    await expect.poll(answers, { interval: 20 }).toBe(asked);
  }
  expect(asked).toBeGreaterThan(2);
  socket.destroy();
});
