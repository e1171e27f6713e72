import { startDealkeep, startHookReceiver } from '@dealkeep/testing';
import { expect, test } from 'vitest';
import { subscribe } from './subscriber.ts';

test('a target on this machine is refused unless WEBHOOK_ALLOWED_TARGETS names it', async () => {
  const dealkeep = await startDealkeep({ allowedTargets: 'localhost', worker: false });
  const api = dealkeep.as((await dealkeep.createOrganization()).key);
  const hook = (target_url: string) => api.post('/webhooks', { target_url, events: ['lead.created'] });
  const codes = await Promise.all([
    hook('http://127.0.0.1:5678/hook'),
    hook('https://127.0.0.1/hook'),
    hook('http://localhost:5678/hook'),
  ]);
  expect(codes.map(({ outcome }) => outcome)).toEqual([
    '422 WEBHOOK_URL_INVALID',
    '422 WEBHOOK_URL_BLOCKED',
    '201',
  ]);
});

test('an allowed target that is private and plain http gets its deliveries', async () => {
  const dealkeep = await startDealkeep({ allowedTargets: 'localhost' });
  const receiver = await startHookReceiver();
  const { createLead } = await subscribe(dealkeep, receiver.url.replace('127.0.0.1', 'localhost'));
  await createLead();
  await receiver.received(1);
});

test('a name that has become private is refused at the delivery, in words in the log, and nothing is sent', async () => {
  let addresses = ['127.0.0.1'];
  const dealkeep = await startDealkeep({
    allowedTargets: '127.0.0.1/32',
    resolve: async () => addresses.map((address) => ({ address })),
  });
  const receiver = await startHookReceiver();
  const subscriber = await subscribe(dealkeep, receiver.url);
  const { port } = new URL(receiver.url);
  await dealkeep.sql`
    update webhooks set target_url = ${`http://receiver.example:${port}/hook`} where id = ${subscriber.hookId}`;
  addresses = ['127.0.0.1', '10.0.0.8'];
  await subscriber.createLead();
  const [attempt] = await subscriber.logged(1);
  expect(attempt).toMatchObject({ status: null, error: 'target is not a public https address' });
  expect(await subscriber.pending()).toMatchObject([{ attempts: 1 }]);
  expect(receiver.requests).toEqual([]);

  addresses = ['127.0.0.1'];
  await dealkeep.sql`update deliveries set due_at = now() where webhook_id = ${subscriber.hookId}`;
  await receiver.received(1);
});
