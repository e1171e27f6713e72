import { getDelivery, previewRecovery, searchDeliveries } from '@dealkeep/core/delivering';
import {
  eventually,
  ManualClock,
  recoverDeliveries,
  resendDelivery,
  startDealkeep,
  startHookReceiver,
} from '@dealkeep/testing';
import { expect, test } from 'vitest';
import { subscribe } from '../subscriber.ts';

const clock = new ManualClock();
const dealkeep = await startDealkeep({ clock });
const { core } = dealkeep;

async function failedOnce(status = 500) {
  const receiver = await startHookReceiver();
  const subscriber = await subscribe(dealkeep, receiver.url);
  receiver.answerWith(status);
  await subscriber.createLead();
  await subscriber.logged(1);
  const event_id = receiver.requests[0]?.envelope.id ?? '';
  return { receiver, ...subscriber, delivery: { webhook_id: subscriber.hookId, event_id } };
}

test('a delivery that succeeded is sent again once, with the same body and webhook-id (rule deliveries 28)', async () => {
  const { receiver, organization, delivery, logged, pending } = await failedOnce(200);
  await eventually(async () => expect(await pending()).toEqual([]));
  receiver.answerWith(500);
  await resendDelivery(core, organization, delivery);
  await logged(2);
  await eventually(async () => expect(await pending()).toEqual([]));
  const [first, again] = receiver.requests;
  expect(again?.body).toBe(first?.body);
  expect(again?.headers).toMatchObject({
    'webhook-id': delivery.event_id,
    'x-service-attempt': '2',
  });
  // No retries: it has failed, and that is that.
  expect(await getDelivery(core, organization, delivery)).toMatchObject({
    outcome: 'failed',
    attempts: 2,
    log: [{ by_hand: false }, { by_hand: true }],
  });
});

test('an extra attempt that fails leaves the schedule as it was, and counts on (rule deliveries 28)', async () => {
  const { organization, delivery, logged, pending, receiver } = await failedOnce();
  const [before] = await pending();
  await resendDelivery(core, organization, delivery);
  await logged(2);
  await eventually(async () =>
    expect(await pending()).toEqual([{ ...before, attempts: 1, worker_id: null }]),
  );
  clock.advance(6000);
  await logged(3);
  expect(receiver.requests.map(({ headers }) => headers['x-service-attempt'])).toEqual(['1', '2', '3']);
  // The second attempt of the schedule: the next one comes after five minutes.
  const [next] = await eventually(async () => {
    const rows = await pending();
    expect(rows).toMatchObject([{ attempts: 2 }]);
    return rows;
  });
  expect(Date.parse(next?.due_at ?? '') - clock.now().getTime()).toBeGreaterThanOrEqual(300_000);
});

test('an extra attempt that succeeds ends the retries', async () => {
  const { organization, delivery, logged, pending, receiver } = await failedOnce();
  receiver.answerWith(200);
  await resendDelivery(core, organization, delivery);
  await logged(2);
  await eventually(async () => expect(await pending()).toEqual([]));
});

test('what was never sent to a webhook is not sent to it again, nor anything to one that gets nothing (rule deliveries 28)', async () => {
  const { organization, delivery } = await failedOnce(200);
  const other = await subscribe(dealkeep, 'http://127.0.0.1:9/hook', { organization });
  const notFound = { code: 'NOT_FOUND' };
  const never = { ...delivery, webhook_id: other.hookId };
  await expect(resendDelivery(core, organization, never)).rejects.toMatchObject(notFound);
  const foreign = await dealkeep.createOrganization();
  await expect(resendDelivery(core, foreign, delivery)).rejects.toMatchObject(notFound);
  const since = clock.now().toISOString();
  await expect(recoverDeliveries(core, foreign, { id: delivery.webhook_id, since })).rejects.toMatchObject(
    notFound,
  );
  await dealkeep.sql`update organizations set subscription = 'lapsed' where id = ${organization.id}`;
  await expect(resendDelivery(core, organization, delivery)).rejects.toMatchObject({ code: 'CONFLICT' });
});

test('all that failed since a moment is sent again, what waits for a retry included (rule deliveries 29)', async () => {
  const receiver = await startHookReceiver();
  const { organization, createLead, logged, hookId, pending } = await subscribe(dealkeep, receiver.url);
  receiver.answerWith(500);
  await createLead('before');
  await logged(1);
  clock.advance(1000);
  const since = clock.now().toISOString();
  for (let made = 0; made < 3; made += 1) await createLead(`failed ${made}`);
  await logged(4);
  receiver.answerWith(200);
  await createLead('delivered');
  await logged(5);
  await eventually(async () => expect(await pending()).toHaveLength(4));

  const replay = { since, only_failed: true };
  const preview = () => previewRecovery(core, organization, hookId, replay);
  expect(await preview()).toMatchObject({ count: 3, delivered: 0 });
  expect(await recoverDeliveries(core, organization, { id: hookId, ...replay })).toEqual({ count: 3 });
  // Paced, so that new events get through beside them.
  const paced = await dealkeep.sql<{ due_at: string }[]>`
    select due_at from deliveries where webhook_id = ${hookId} and by_hand order by due_at`;
  for (const [at, { due_at }] of paced.entries()) {
    const place = (Date.parse(due_at) - clock.now().getTime()) / 20;
    expect(place).toBe(3 - paced.length + at);
  }
  expect(paced.length).toBeGreaterThanOrEqual(2);
  // Asked for twice, sent once. The first goes out at once, and is known to have arrived when the log says so.
  await logged(6);
  expect(await preview()).toEqual({ count: 0, delivered: 0, first: [] });
  expect(await recoverDeliveries(core, organization, { id: hookId, ...replay })).toEqual({ count: 0 });
  clock.advance(1000);
  await logged(8);
  await eventually(async () => expect(await pending()).toHaveLength(1));
  const failed = await searchDeliveries(core, organization, { webhook_id: hookId, outcome: 'waiting' });
  expect(failed.data).toHaveLength(1);
  // Not only those that failed, but all of them.
  const every = { since, only_failed: false };
  const all = await previewRecovery(core, organization, hookId, every);
  expect([all.count, all.delivered, all.first.length]).toEqual([4, 4, 4]);
  expect(await recoverDeliveries(core, organization, { id: hookId, ...every })).toEqual({ count: 4 });
  clock.advance(1000);
  await logged(12);
});
