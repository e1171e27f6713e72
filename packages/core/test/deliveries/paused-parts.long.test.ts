import { eventually, startDealkeep, startHookReceiver } from '@dealkeep/testing';
import { expect, test } from 'vitest';
import { pauseQueue, resumeQueue } from '../../src/installation/installation/pause-queue.ts';
import { addBacklog } from './backlog.ts';
import { subscribe } from './subscriber.ts';

test('what is leased and not on its way when a pause begins is given back, and not sent', async () => {
  const other = await startDealkeep({
    timing: { slowAfterMs: 60_000, attemptLimitMs: 60_000 },
  });
  const receiver = await startHookReceiver();
  const subscriber = await subscribe(other, receiver.url);
  const { hookId, createLead, logged, pending } = subscriber;
  await createLead();
  await logged(1);
  const held = Promise.withResolvers<number>();
  // A webhook that answers quickly has more and more in flight, and some leased ahead.
  receiver.answerWith(() => (receiver.requests.length < 60 ? 200 : held.promise));
  await addBacklog(other, subscriber, 200);
  await receiver.received(61);
  const leased = async () => (await pending()).filter(({ worker_id }) => worker_id !== null).length;
  await pauseQueue(other.sql, { webhook: hookId });
  await eventually(async () => {
    expect(await leased()).toBe(receiver.requests.length - (await logged(1)).length);
  });
  const sent = receiver.requests.length;
  held.resolve(200);
  await logged(sent);
  expect(await leased()).toBe(0);
  expect(receiver.requests).toHaveLength(sent);
  await resumeQueue(other.sql, { webhook: hookId });
  await logged(201);
});
