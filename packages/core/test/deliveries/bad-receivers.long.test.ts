import type { Socket } from 'node:net';
import { setDefaultCACertificates } from 'node:tls';
import { getDelivery } from '@dealkeep/core/delivering';
import { eventually, ManualClock, startDealkeep, startHookReceiver } from '@dealkeep/testing';
import { createAuthority, issueCertificate } from '@dealkeep/testing/certificates';
import { expect, test } from 'vitest';
import { startRawReceiver, startReceiver } from '../outgoing/receiver.ts';
import { subscribe } from './subscriber.ts';

const clock = new ManualClock();
const dealkeep = await startDealkeep({ clock, timing: { attemptLimitMs: 60_000 } });
/** For receivers that come to no end. The others are given time, however busy the machine is. */
const hurried = await startDealkeep({ clock, timing: { attemptLimitMs: 500 } });
/** For one that has to say something before its time is over. */
const steady = await startDealkeep({ clock, timing: { attemptLimitMs: 2000 } });
const authority = createAuthority();
setDefaultCACertificates([authority.cert]);

/** The first attempt as the log tells it, and in how many seconds the next one is due. */
async function firstAttempt(targetUrl: string, sender = dealkeep) {
  const { organization, hookId, createLead, logged, pending } = await subscribe(sender, targetUrl);
  await createLead();
  const [entry] = await logged(1);
  const delivery = { webhook_id: hookId, event_id: entry?.event_id ?? '' };
  const [attempt] = (await getDelivery(sender.core, organization, delivery)).log;
  const [waiting] = await eventually(async () => {
    const rows = await pending();
    expect(rows).toMatchObject([{ attempts: 1, worker_id: null }]);
    return rows;
  });
  const dueIn = (Date.parse(waiting?.due_at ?? '') - clock.now().getTime()) / 1000;
  return { attempt, dueIn };
}

const between = (least: number, most: number) =>
  expect.toSatisfy((seconds: number) => seconds >= least && seconds <= most, `${least} to ${most} s`);
const usualRetry = between(5, 5.5);

const notHttp = { status: null, error: { en: 'answer is not valid HTTP', sk: 'odpoveď nie je platné HTTP' } };
const brokeOff = (status: number) => ({
  status: null,
  error: { en: `answer broke off: status ${status}`, sk: `odpoveď sa prerušila: stav ${status}` },
});
const noAnswer = {
  status: null,
  error: { en: 'connection closed without an answer', sk: 'spojenie sa skončilo bez odpovede' },
};
const tooLate = {
  status: null,
  error: { en: 'did not answer within 0.5 s', sk: 'neodpovedal do 0.5 s' },
};

const saying = (text: string | Buffer) => (socket: Socket) => void socket.end(text);
const dripping = (start: string, drop: string) => (socket: Socket) => {
  socket.write(start);
  const timer = setInterval(() => socket.write(drop), 10);
  socket.on('close', () => clearInterval(timer));
};
const ok = 'HTTP/1.1 200 OK\r\n';

const receivers: [string, (socket: Socket) => void, object, typeof dealkeep?][] = [
  ['answers garbage', saying('Hello! I am not HTTP.\n\n'), notHttp],
  ['answers bytes', saying(Buffer.from(Array.from({ length: 3000 }, (_, n) => (n * 7) % 256))), notHttp],
  ['answers NUL bytes', saying('\0'.repeat(10_000)), notHttp],
  ['answers HTTP/2', saying('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'), notHttp],
  ['answers with TLS', saying(Buffer.from([21, 3, 1, 0, 2, 2, 70])), notHttp],
  ['answers a request', saying('POST / HTTP/1.1\r\nhost: a\r\n\r\n'), notHttp],
  ['answers with two lengths', saying(`${ok}content-length: 1\r\ncontent-length: 2\r\n\r\nab`), notHttp],
  ['answers a negative length', saying(`${ok}content-length: -1\r\n\r\nab`), notHttp],
  ['answers an enormous length', saying(`${ok}content-length: ${'9'.repeat(40)}\r\n\r\nab`), notHttp],
  ['answers headers without end', saying(`${ok}${`x: ${'x'.repeat(999)}\r\n`.repeat(99)}`), notHttp],
  ['answers status 1000', saying('HTTP/1.1 1000 Odd\r\n\r\n'), notHttp],
  ['answers status -1', saying('HTTP/1.1 -1 Odd\r\n\r\n'), notHttp],
  ['answers nothing', saying(''), noAnswer],
  ['answers half a head', saying(`${ok}content-le`), noAnswer],
  ['answers half a body', saying(`${ok}content-length: 100\r\n\r\nhalf`), brokeOff(200)],
  ['answers half a chunk', saying(`${ok}transfer-encoding: chunked\r\n\r\n64\r\nhalf`), brokeOff(200)],
  ['answers a bad chunk', saying(`${ok}transfer-encoding: chunked\r\n\r\nzz\r\n`), brokeOff(200)],
  [
    'resets before it answers',
    (socket) => socket.resetAndDestroy(),
    { status: null, error: { en: 'connection reset', sk: 'spojenie bolo prerušené' } },
  ],
  [
    'resets within the body',
    (socket) =>
      void socket.write(`${ok}content-length: 100\r\n\r\nhalf`, () =>
        setTimeout(() => socket.resetAndDestroy(), 50),
      ),
    brokeOff(200),
  ],
  ['drips headers for ever', dripping(ok, 'x-drip: x\r\n'), tooLate, hurried],
  ['drips its status line', dripping('HTTP/1.1 200 O', 'K'), tooLate, hurried],
  ['never answers', () => {}, tooLate, hurried],
  [
    'answers status 999',
    saying('HTTP/1.1 999 Odd\r\ncontent-length: 2\r\n\r\nno'),
    { status: 999, error: null, response_start: 'no' },
  ],
  [
    'drips a refusal for ever',
    dripping('HTTP/1.1 500 No\r\ntransfer-encoding: chunked\r\n\r\n', '1\r\nx\r\n'),
    { status: 500, error: null, response_start: expect.stringMatching(/^x+$/) },
    steady,
  ],
  [
    'answers NUL and half characters',
    saying(
      Buffer.concat([
        Buffer.from('HTTP/1.1 500 No\r\ncontent-length: 4\r\n\r\n'),
        Buffer.from([97, 0, 255, 195]),
      ]),
    ),
    { status: 500, error: null, response_start: 'a\ufffd\ufffd\ufffd' },
  ],
];

test.each(receivers)(
  'a receiver that %s: in plain words in the log, the schedule kept',
  async (_what, answer, expected, sender) => {
    const receiver = await startRawReceiver(answer);
    const { attempt, dueIn } = await firstAttempt(receiver.url.href, sender);
    expect(attempt).toMatchObject(expected);
    expect(dueIn).toEqual(usualRetry);
  },
);

test('a certificate for another name: in plain words in the log, the schedule kept, nothing sent', async () => {
  const receiver = await startHookReceiver(issueCertificate(authority, ['other.example']));
  const { attempt, dueIn } = await firstAttempt(receiver.url);
  expect(attempt?.error).toEqual({
    en: 'certificate is for another name',
    sk: 'certifikát je vystavený na iný názov',
  });
  expect(dueIn).toEqual(usualRetry);
  expect(receiver.requests).toEqual([]);
});

test('a chain of 100 redirects: one request, and the log names where it leads', async () => {
  let step = 0;
  const receiver = await startReceiver((response) => {
    step += 1;
    response.writeHead(302, { location: step < 100 ? `/step/${step}` : '/end' }).end();
  });
  const { attempt, dueIn } = await firstAttempt(receiver.url.href);
  expect(attempt).toMatchObject({
    status: 302,
    error: { en: 'redirect to /step/1 not followed', sk: 'presmerovanie na /step/1 sa nesleduje' },
  });
  expect(dueIn).toEqual(usualRetry);
  expect(receiver.bodies).toHaveLength(1);
});

test.each([
  [`-${'9'.repeat(300)}`, 5, 5.5],
  ['9'.repeat(300), 86_400, 86_400],
])('Retry-After: %s keeps the schedule, 24 hours at most', async (retryAfter, least, most) => {
  const receiver = await startHookReceiver();
  receiver.answerWith({ status: 503, headers: { 'retry-after': retryAfter } });
  const { attempt, dueIn } = await firstAttempt(receiver.url);
  expect(attempt).toMatchObject({ status: 503, error: null });
  expect(dueIn).toEqual(between(least, most));
});

test('of answers of 30 MB the beginning is kept, and the memory of the worker stays flat over many', async () => {
  const piece = Buffer.alloc(64 * 1024, 'x');
  const receiver = await startReceiver((response) => {
    response.writeHead(200, { 'content-length': 30 * 1024 * 1024 });
    const fill = () => {
      while (response.write(piece));
    };
    response.on('drain', fill);
    fill();
  });
  const { createLead, logged, pending } = await subscribe(dealkeep, receiver.url.href);
  const deliver = async (count: number) => {
    for (let made = 0; made < count; made += 1) await createLead();
    await eventually(async () => expect(await pending()).toEqual([]));
  };
  await deliver(10);
  const before = process.memoryUsage();
  await deliver(60);
  const after = process.memoryUsage();
  expect(after.rss - before.rss).toBeLessThan(64 * 1024 * 1024);
  expect(after.arrayBuffers - before.arrayBuffers).toBeLessThan(16 * 1024 * 1024);
  const attempts = await logged(70);
  expect(attempts).toHaveLength(70);
  for (const attempt of attempts)
    expect(attempt).toMatchObject({ status: 200, response_start: 'x'.repeat(1024) });
});
