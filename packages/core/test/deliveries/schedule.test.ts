import { eventually, ManualClock, startDealkeep, startHookReceiver } from '@dealkeep/testing';
import { Webhook } from 'standardwebhooks';
import { expect, test, vi } from 'vitest';
import { subscribe } from './subscriber.ts';

const clock = new ManualClock();
const dealkeep = await startDealkeep({ clock });

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
/** Rule deliveries 9: delays after the attempt before. */
const delays = [5 * second, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 14 * hour, 24 * hour];

test('a failing hook is tried nine times, each delay counted from the end of the attempt before (rules deliveries 1 and 9)', async () => {
  const receiver = await startHookReceiver();
  const { createLead, pending, logged, secret, hookExists } = await subscribe(dealkeep, receiver.url);
  const healthy = await startHookReceiver();
  const marker = await subscribe(dealkeep, healthy.url);
  // The worker has looked with the clock as it stands when the marker has come.
  const letTheWorkerLook = async () => {
    await marker.createLead();
    await healthy.received(healthy.requests.length + 1);
  };
  const attemptTakes = 3 * second;
  receiver.answerWith(() => {
    clock.advance(attemptTakes);
    return 500;
  });

  await createLead();
  for (const [index, delay] of delays.entries()) {
    await receiver.received(index + 1);
    await eventually(async () => expect(await pending()).toMatchObject([{ attempts: index + 1 }]));
    const [waiting] = await pending();
    const dueAt = Date.parse(waiting?.due_at ?? '');
    const wait = dueAt - clock.now().getTime();
    expect(wait).toBeGreaterThanOrEqual(delay);
    expect(wait).toBeLessThanOrEqual(delay * 1.1 + 1);

    clock.set(new Date(dueAt - 1).toISOString());
    await letTheWorkerLook();
    expect(receiver.requests).toHaveLength(index + 1);
    clock.set(new Date(dueAt).toISOString());
  }
  await receiver.received(9);
  const attempts = await logged(9);
  await eventually(async () => expect(await pending()).toEqual([]));

  expect(attempts.map(({ number, status }) => [number, status])).toEqual(
    Array.from({ length: 9 }, (_, index) => [index + 1, 500]),
  );
  const { requests } = receiver;
  expect(new Set(requests.map(({ body }) => body)).size).toBe(1);
  expect(new Set(requests.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  expect(requests.map(({ headers }) => headers['x-service-attempt'])).toEqual([...'123456789']);
  const timestamps = requests.map(({ headers }) => Number(headers['webhook-timestamp']));
  expect(timestamps).toEqual(attempts.map(({ started_at }) => Math.floor(Date.parse(started_at) / 1000)));
  expect(new Set(requests.map(({ headers }) => headers['webhook-signature'])).size).toBe(9);
  vi.useFakeTimers({ toFake: ['Date'] });
  for (const { body, headers } of requests) {
    vi.setSystemTime(Number(headers['webhook-timestamp']) * 1000);
    expect(new Webhook(secret).verify(body, headers)).toMatchObject({ id: headers['webhook-id'] });
  }
  vi.useRealTimers();

  // 2.3 days are less than the three after which a REST hook ends.
  clock.advance(7 * 24 * hour);
  await letTheWorkerLook();
  expect(requests).toHaveLength(9);
  expect(await hookExists()).toBe(true);
});

test('a success on a later attempt ends the tries', async () => {
  const receiver = await startHookReceiver();
  const { createLead, pending, logged } = await subscribe(dealkeep, receiver.url);
  receiver.answerWith(() => (receiver.requests.length < 3 ? 503 : 204));
  await createLead();
  for (const count of [1, 2]) {
    await logged(count);
    await eventually(async () =>
      expect(await pending()).toMatchObject([{ attempts: count, worker_id: null }]),
    );
    clock.advance(6 * minute);
  }
  const attempts = await logged(3);
  expect(attempts.map(({ status }) => status)).toEqual([503, 503, 204]);
  await eventually(async () => expect(await pending()).toEqual([]));
});
