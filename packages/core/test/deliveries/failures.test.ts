import { once } from 'node:events';
import { createServer } from 'node:net';
import { eventually, ManualClock, startDealkeep, startHookReceiver } from '@dealkeep/testing';
import { createAuthority, issueCertificate } from '@dealkeep/testing/certificates';
import { expect, test } from 'vitest';
import { subscribe } from './subscriber.ts';

const clock = new ManualClock();
const dealkeep = await startDealkeep({ clock, timing: { attemptLimitMs: 60_000 } });

/** The first attempt as the log shows it, and when the next one is due, in seconds. */
async function firstAttempt(targetUrl: string, sender = dealkeep) {
  const subscriber = await subscribe(sender, targetUrl);
  await subscriber.createLead();
  const [attempt] = await subscriber.logged(1);
  const [waiting] = await subscriber.pending();
  const dueIn = waiting ? (Date.parse(waiting.due_at) - clock.now().getTime()) / 1000 : undefined;
  return { ...subscriber, attempt, dueIn };
}
const usualRetry = expect.toSatisfy((dueIn: number) => dueIn >= 5 && dueIn <= 5.5);

// Every other status, and what `Retry-After` asks for: retry-schedule.test.ts.
test.each([500])('%d is a failure, tried again (rule deliveries 8)', async (status) => {
  const receiver = await startHookReceiver();
  receiver.answerWith({ status, body: 'no thanks' });
  const { attempt, dueIn } = await firstAttempt(receiver.url);
  expect(attempt).toMatchObject({ number: 1, status, error: null, response_start: 'no thanks' });
  expect(dueIn).toEqual(usualRetry);
});

test.each([302])('a redirect (%d) is a failure and is not followed (rule deliveries 8)', async (status) => {
  const elsewhere = await startHookReceiver();
  const receiver = await startHookReceiver();
  receiver.answerWith({ status, headers: { location: elsewhere.url } });
  const { attempt, dueIn } = await firstAttempt(receiver.url);
  expect(attempt).toMatchObject({ status, error: `redirect to ${elsewhere.url} not followed` });
  expect(dueIn).toEqual(usualRetry);
  expect(elsewhere.requests).toEqual([]);
});

test('a receiver that does not answer in time has failed (rules deliveries 7 and 8)', async () => {
  const receiver = await startHookReceiver();
  receiver.answerWith('hang');
  const hurried = await startDealkeep({ clock, timing: { attemptLimitMs: 300 } });
  const { attempt, dueIn } = await firstAttempt(receiver.url, hurried);
  expect(attempt).toMatchObject({ status: null, error: 'did not answer within 0.3 s' });
  expect(attempt?.duration_ms).toBeGreaterThanOrEqual(290);
  expect(dueIn).toEqual(usualRetry);
});

test('a refused connection is a failure', async () => {
  const receiver = await startHookReceiver();
  await receiver.stop();
  const { attempt, dueIn } = await firstAttempt(receiver.url);
  expect(attempt).toMatchObject({ status: null, error: 'connection refused' });
  expect(dueIn).toEqual(usualRetry);
});

test('a connection that ends without an answer is a failure', async () => {
  const server = createServer((socket) => socket.once('data', () => socket.destroy())).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const { attempt, dueIn } = await firstAttempt(
    `http://127.0.0.1:${address !== null && typeof address === 'object' ? address.port : 0}/`,
  );
  server.close();
  expect(attempt).toMatchObject({ status: null, error: expect.stringMatching(/^connection (closed|reset)/) });
  expect(dueIn).toEqual(usualRetry);
});

test('a certificate that nobody vouches for is a failure, and nothing is sent (rule deliveries 8)', async () => {
  const receiver = await startHookReceiver(issueCertificate(createAuthority('Nobody'), ['127.0.0.1']));
  const { attempt, dueIn } = await firstAttempt(receiver.url);
  expect(attempt).toMatchObject({
    status: null,
    error: 'certificate is not signed by a trusted authority',
  });
  expect(dueIn).toEqual(usualRetry);
  expect(receiver.requests).toEqual([]);
});

test.each([
  [429, '90', 90, 90],
  [503, '100000', 86_400, 86_400],
  [500, '90', 5, 5.5],
])(
  '%d with Retry-After: %s is tried again after %d to %d s (rule deliveries 10)',
  async (status, retryAfter, least, most) => {
    const receiver = await startHookReceiver();
    receiver.answerWith({ status, headers: { 'retry-after': retryAfter } });
    const { dueIn } = await firstAttempt(receiver.url);
    expect(dueIn).toBeGreaterThanOrEqual(least);
    expect(dueIn).toBeLessThanOrEqual(most);
  },
);

test('Retry-After as an HTTP date is heeded (rule deliveries 10)', async () => {
  const receiver = await startHookReceiver();
  const date = new Date(clock.now().getTime() + 3600_000).toUTCString();
  receiver.answerWith({ status: 503, headers: { 'retry-after': date } });
  expect((await firstAttempt(receiver.url)).dueIn).toBe(3600);
});

test.each([204])('%d is a success (rule deliveries 7)', async (status) => {
  const receiver = await startHookReceiver();
  receiver.answerWith(status);
  const { attempt, pending } = await firstAttempt(receiver.url);
  expect(attempt).toMatchObject({ status });
  await eventually(async () => expect(await pending()).toEqual([]));
});

test('410 removes the REST hook at once, and with it everything that waits for it (rule deliveries 19)', async () => {
  const receiver = await startHookReceiver();
  const { createLead, pending, logged, hookExists, api, hookId } = await subscribe(dealkeep, receiver.url);
  receiver.answerWith(500);
  await createLead('first');
  await createLead('second');
  await logged(2);
  await eventually(async () =>
    expect(await pending()).toMatchObject([{ worker_id: null }, { worker_id: null }]),
  );
  receiver.answerWith(410);
  await createLead('third');
  await eventually(async () => expect(await hookExists()).toBe(false));

  expect(await pending()).toEqual([]);
  expect((await logged(3)).at(-1)).toMatchObject({ status: 410, number: 1 });
  expect((await api.get(`/webhooks/${hookId}`)).outcome).toBe('404 NOT_FOUND');
  clock.advance(24 * 3600_000);
  await createLead('fourth');
  const healthy = await startHookReceiver();
  const marker = await subscribe(dealkeep, healthy.url);
  await marker.createLead();
  await healthy.received(1);
  expect(receiver.requests).toHaveLength(3);
});

test('what cannot be signed, as with a wrong SECRETS_KEY, is held and counts as no attempt (rule deliveries 13)', async () => {
  const { sql } = dealkeep;
  const receiver = await startHookReceiver();
  const { hookId, createLead, hookExists, log, logged, pending } = await subscribe(dealkeep, receiver.url);
  const [before] = await sql<{ secret: Buffer }[]>`select secret from webhooks where id = ${hookId}`;
  await sql`update webhooks set secret = '\\x00' where id = ${hookId}`;
  for (let day = 0; day < 4; day += 1) {
    const now = clock.now().getTime();
    if (day === 0) await createLead();
    // Looked at, and put off by a minute.
    await eventually(async () => {
      const [held] = await pending();
      expect(held).toMatchObject({ attempts: 0, worker_id: null });
      expect(Date.parse(held?.due_at ?? '')).toBeGreaterThan(now);
    });
    clock.advance(24 * 3_600_000);
  }
  expect(await log()).toEqual([]);
  expect(await hookExists()).toBe(true);
  await sql`update webhooks set secret = ${before?.secret ?? ''} where id = ${hookId}`;
  clock.advance(60_000);
  const [request] = await receiver.received(1);
  expect(request?.headers['x-service-attempt']).toBe('1');
  expect(await logged(1)).toMatchObject([{ number: 1, status: 200 }]);
});
