import { eventually, ManualClock, startDealkeep, startHookReceiver } from '@dealkeep/testing';
import { expect, test } from 'vitest';
import { deliveredEvent } from '../src/triggers/delivered-event.ts';
import { subscribe, unsubscribe } from '../src/triggers/hook-subscription.ts';
import { connectedBusinesses, triggerOf } from './connected-business.ts';

const clock = new ManualClock();
const dealkeep = await startDealkeep({ clock });
const { connect } = connectedBusinesses(dealkeep, clock);

const declaration = triggerOf('lead_created');
const addresses = ['http://127.0.0.1:9/one', 'http://127.0.0.1:9/other'] as const;

/** A business with a workflow's hook, and its receiver, which is down for the first event. */
async function failing() {
  const receiver = await startHookReceiver();
  const { api, asApi } = await connect();
  const turnedOn = () =>
    subscribe(asApi, { targetUrl: receiver.url, name: 'Workflow', declaration, input: {} });
  const subscription = await turnedOn();
  receiver.answerWith(500);
  await api.post('/leads', { name: 'Waits' });
  await receiver.received(1);
  await eventually(async () =>
    expect(
      await dealkeep.sql`select from deliveries where webhook_id = ${subscription.id} and attempts = 1`,
    ).toHaveLength(1),
  );
  receiver.answerWith(200);
  return { api, asApi, receiver, subscription, turnedOn };
}

test('one address has one hook, another one stays, and a hook that is gone is no failure (rule connectors 9)', async () => {
  const { api, asApi } = await connect();
  const hooks = async () => {
    const { data } = await api.get('/webhooks');
    return [data].flat().map((hook) => ({ id: Object(hook).id, url: Object(hook).target_url }));
  };
  const subscribed = (targetUrl: string) =>
    subscribe(asApi, { targetUrl, name: 'Workflow', declaration, input: {} });
  const [one, other] = addresses;
  const first = await subscribed(one);
  const beside = await subscribed(other);
  await api.post('/webhooks', { target_url: one, event: 'lead.won' });
  const second = await subscribed(one);
  expect(second.secret).not.toBe(first.secret);
  const both = [
    { id: second.id, url: one },
    { id: beside.id, url: other },
  ];
  expect(await hooks()).toHaveLength(2);
  expect(await hooks()).toEqual(expect.arrayContaining(both));

  await unsubscribe(asApi, second.id);
  await unsubscribe(asApi, second.id);
  expect(await hooks()).toEqual([{ id: beside.id, url: other }]);
});

test('a workflow that is switched off and on gets what waited and what happened meanwhile, signed by its new secret (rule connectors 9)', async () => {
  const { api, asApi, receiver, subscription, turnedOn } = await failing();
  await unsubscribe(asApi, subscription.id);
  await api.post('/leads', { name: 'Meanwhile' });
  const { secret } = await turnedOn();
  clock.advance(5000);
  const [, ...since] = await receiver.received(3);
  expect(since.map(({ envelope }) => envelope.data['name'])).toEqual(['Waits', 'Meanwhile']);
  for (const { headers, body } of since) {
    expect(deliveredEvent(secret, { headers, content: body })).toMatchObject({ type: 'lead.created' });
  }
});

test('a hook that was left behind is changed, and what waits for it arrives, signed by its new secret (rule connectors 9)', async () => {
  const { api, receiver, subscription, turnedOn } = await failing();
  const { id, secret } = await turnedOn();
  expect(id).toBe(subscription.id);
  const { data } = await api.get(`/webhooks/${id}`);
  expect(data).toMatchObject({ target_url: receiver.url, events: ['lead.created'] });
  clock.advance(6000);
  const [, again] = await receiver.received(2);
  expect(again && deliveredEvent(secret, { headers: again.headers, content: again.body })).toMatchObject({
    type: 'lead.created',
  });
});
