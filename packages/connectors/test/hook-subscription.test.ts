import { ManualClock, sharedDealkeep } from '@dealkeep/testing';
import { expect, test } from 'vitest';
import { subscribe, unsubscribe } from '../src/triggers/hook-subscription.ts';
import { connectedBusinesses, triggerOf } from './connected-business.ts';

const { connect } = connectedBusinesses(await sharedDealkeep(), new ManualClock());

const declaration = triggerOf('lead_created');
const addresses = ['http://127.0.0.1:9/one', 'http://127.0.0.1:9/other'] as const;

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
