import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { createApi, serve } from '@dealkeep/api';
import { ApiClient, startDealkeep } from '@dealkeep/testing';
import { openBusiness } from '@dealkeep/testing/business';
import { afterAll, expect, test } from 'vitest';

const dealkeep = await startDealkeep({ worker: false });
const patienceMs = 500;
const server = await serve(createApi({ core: dealkeep.core }), { port: 0, host: '127.0.0.1', patienceMs });
afterAll(() => server.stop(1000));
const { organization } = await openBusiness(dealkeep);
const api = new ApiClient(`http://127.0.0.1:${server.port}/api/v1/public`, {
  Authorization: `Bearer ${organization.key}`,
});

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

/** Sends the first part at once and the rest byte by byte, until the server has had enough. */
async function drip(first: string, rest: string): Promise<{ answer: string; socket: Socket }> {
  const socket = connect(server.port, '127.0.0.1');
  const answer = text(socket);
  socket.write(first);
  let at = 0;
  const timer = setInterval(() => {
    if (at < rest.length) socket.write(rest[at] ?? '');
    at += 1;
  }, 40);
  socket.once('close', () => clearInterval(timer));
  socket.on('error', () => {});
  return { answer: await answer, socket };
}

test.each([
  ['its headers', '', head(2, 'slow headers')],
  ['its body', head(400, 'slow body'), ' '.repeat(400)],
  ['nothing', '', ''],
])(
  'a connection that sends %s byte by byte is told so and ended, and disturbs nobody',
  async (_, first, rest) => {
    const slow = Array.from({ length: 20 }, () => drip(first, rest));
    const started = performance.now();
    for (let count = 0; count < 20; count += 1) expect((await api.get('/leads')).status).toBe(200);
    expect(performance.now() - started).toBeLessThan(5000);
    for (const { answer, socket } of await Promise.all(slow)) {
      if (!socket.closed) await once(socket, 'close');
      expect(answer).toMatch(/^HTTP\/1\.1 400 /);
      expect(answer).toContain('x-service-api-version: 2026-10-01');
      expect(JSON.parse(answer.slice(answer.indexOf('{'))).error).toEqual({
        code: 'BAD_REQUEST',
        message: 'The request took too long to arrive.',
      });
    }
    expect((await api.get('/leads')).page.data).toEqual([]);
  },
);

test('the key of a request that was ended is free', async () => {
  const answer = await api.post('/leads', {}, { 'Idempotency-Key': 'slow body' });
  expect([answer.status, answer.headers.get('idempotent-replayed')]).toEqual([201, null]);
});

test('a connection that is answered may go on for longer than one request may take', async () => {
  const socket = connect(server.port, '127.0.0.1');
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
