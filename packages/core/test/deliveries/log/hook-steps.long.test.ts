import { updateOrganization } from '@dealkeep/core/accounts';
import { pauseQueue } from '@dealkeep/core/installation';
import {
  createManualWebhook,
  disableWebhook,
  eventually,
  ManualClock,
  startDealkeep,
} from '@dealkeep/testing';
import { describe, expect, test } from 'vitest';
import { refusedDelivery } from './refused-delivery.ts';

const clock = new ManualClock();
const dealkeep = await startDealkeep({ clock });
const { core, sql } = dealkeep;
const ago = (milliseconds: number): string => new Date(clock.now().getTime() - milliseconds).toISOString();
const unknown = '01985f6e-2c41-7d3a-9b52-4f0c8a7e1d63';

const refusedOne = () => refusedDelivery(dealkeep);
const since = () => ({ since: ago(3_600_000) });

describe('POST /webhooks/{id}/deliveries/{delivery_id}/resend', () => {
  test('with one Idempotency-Key it is asked for once', async () => {
    const { api, resend, logged, receiver, pending } = await refusedOne();
    const headers = { 'Idempotency-Key': 'again' };
    const first = await api.send('POST', resend, { json: {}, headers });
    await logged(2);
    await eventually(async () => expect(await pending()).toMatchObject([{ worker_id: null }]));
    const repeat = await api.send('POST', resend, { json: {}, headers });
    expect([first.status, repeat.status, repeat.headers.get('idempotent-replayed')]).toEqual([
      200,
      200,
      'true',
    ]);
    expect(repeat.data).toEqual(first.data);
    await api.post('/leads', { name: 'Another' });
    await logged(3);
    expect(receiver.requests).toHaveLength(3);
  });

  test('only while the delivery is the one that If-Match names', async () => {
    const { api, resend, hook, event, receiver, logged } = await refusedOne();
    const tag = (await api.get(`${hook}/deliveries/${event}`)).headers.get('etag') ?? '';
    receiver.answerWith(200);
    const send = () => api.send('POST', resend, { json: {}, headers: { 'If-Match': tag } });
    expect((await send()).status).toBe(200);
    await logged(2);
    expect((await send()).outcome).toBe('412 PRECONDITION_FAILED');
  });

  test('asked for at once by many, it is sent once', async () => {
    const { api, resend, logged, pending, receiver } = await refusedOne();
    const { promise: held, resolve: answer } = Promise.withResolvers<number>();
    receiver.answerWith(() => held);
    const answers = await Promise.all(Array.from({ length: 10 }, () => api.post(resend, {})));
    for (const { outcome } of answers) expect(outcome).toMatch(/^200|^409 CONFLICT$/);
    answer(200);
    await logged(2);
    await eventually(async () => expect(await pending()).toEqual([]));
    expect(receiver.requests).toHaveLength(2);
  });
});

describe('POST /webhooks/{id}/recover', () => {
  test('with one Idempotency-Key it is done once, and answers the same', async () => {
    const { api, hook, logged } = await refusedOne();
    const json = since();
    const send = () =>
      api.send('POST', `${hook}/recover`, { json, headers: { 'Idempotency-Key': 'recover' } });
    expect((await send()).data).toEqual({ count: 1 });
    await logged(2);
    const repeat = await send();
    expect([repeat.data, repeat.headers.get('idempotent-replayed')]).toEqual([{ count: 1 }, 'true']);
    const other = await api.send('POST', `${hook}/recover`, {
      json: { ...json, only_failed: false },
      headers: { 'Idempotency-Key': 'recover' },
    });
    expect(other.outcome).toBe('422 IDEMPOTENCY_KEY_REUSED');
  });

  test('own hooks only', async () => {
    const refused = await refusedOne();
    for (const other of await refused.others()) {
      expect((await other.post(`${refused.hook}/recover`, since())).outcome).toBe('404 NOT_FOUND');
    }
    expect((await refused.api.post(`/webhooks/${unknown}/recover`, since())).outcome).toBe('404 NOT_FOUND');
  });
});

describe('POST /webhooks/{id}/test', () => {
  test('of an event that is named; one that there is not is 422 UNKNOWN_EVENT, and nothing is sent', async () => {
    const { api, hook, receiver } = await refusedOne();
    receiver.answerWith(200);
    expect((await api.post(`${hook}/test`, { event: 'order.paid' })).data).toMatchObject({
      event: 'order.paid',
      delivered: true,
    });
    const answer = await api.post(`${hook}/test`, { event: 'lead.eaten' });
    expect([answer.outcome, answer.error?.detail]).toEqual(['422 UNKNOWN_EVENT', { event: 'lead.eaten' }]);
    expect(receiver.requests).toHaveLength(2);
  });

  test('with one Idempotency-Key it is sent once, also while the first request is under way', async () => {
    const { api, hook, receiver } = await refusedOne();
    let release: () => void = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    receiver.answerWith(async () => {
      await held;
      return 200;
    });
    const send = () => api.send('POST', `${hook}/test`, { json: {}, headers: { 'Idempotency-Key': 'once' } });
    const first = send();
    await receiver.received(2);
    const meanwhile = await Promise.all([send(), send()]);
    expect(meanwhile.map(({ outcome }) => outcome)).toEqual(
      Array.from({ length: 2 }, () => '409 IDEMPOTENCY_IN_PROGRESS'),
    );
    release();
    const { data } = await first;
    const repeat = await send();
    expect(repeat.data).toEqual(data);
    expect(repeat.headers.get('idempotent-replayed')).toBe('true');
    expect(receiver.requests).toHaveLength(2);
  });

  test('what is refused with a key is stored as for every POST', async () => {
    const { api, hook } = await refusedOne();
    const send = () =>
      api.send('POST', `${hook}/test`, {
        json: { event: 'lead.eaten' },
        headers: { 'Idempotency-Key': 'refused' },
      });
    const [refused, repeated] = [await send(), await send()];
    expect([refused.outcome, repeated.outcome]).toEqual(['422 UNKNOWN_EVENT', '422 UNKNOWN_EVENT']);
    expect(repeated.headers.get('idempotent-replayed')).toBe('true');
  });

  test('own hooks only, and nothing is sent', async () => {
    const refused = await refusedOne();
    for (const other of await refused.others()) {
      expect((await other.post(`${refused.hook}/test`, {})).outcome).toBe('404 NOT_FOUND');
    }
    expect(refused.receiver.requests).toHaveLength(1);
  });
});

describe('a hook that gets nothing now', () => {
  const steps = (hook: string, event: string): [string, () => object][] => [
    [`${hook}/deliveries/${event}/resend`, () => ({})],
    [`${hook}/recover`, since],
    [`${hook}/test`, () => ({})],
  ];

  test('of an organization whose subscription has lapsed: 402 PAYMENT_REQUIRED', async () => {
    const { organization, api, hook, event } = await refusedOne();
    await updateOrganization(sql, organization.slug, { subscription: 'lapsed' });
    clock.advance(2000);
    for (const [path, body] of steps(hook, event)) {
      expect([path, (await api.post(path, body())).outcome]).toEqual([path, '402 PAYMENT_REQUIRED']);
    }
  });

  test('deleted meanwhile: 404 NOT_FOUND', async () => {
    const refused = await refusedOne();
    await refused.api.delete(refused.hook);
    for (const [path, body] of steps(refused.hook, refused.event)) {
      expect([path, (await refused.api.post(path, body())).outcome]).toEqual([path, '404 NOT_FOUND']);
    }
  });

  test('paused by the operator: what is sent again waits, and a test is 409 CONFLICT', async () => {
    const { api, hook, event, hookId, pending } = await refusedOne();
    await pauseQueue(sql, { webhook: hookId });
    const [resend, , tried] = steps(hook, event).map(([path]) => path);
    expect((await api.post(resend ?? '', {})).status).toBe(200);
    expect((await api.post(tried ?? '', {})).outcome).toBe('409 CONFLICT');
    expect(await pending()).toHaveLength(1);
  });
});

test('a webhook made by hand is none of a credential’s', async () => {
  const { organization, api } = await refusedOne();
  const { id } = await createManualWebhook(core, organization, {
    name: 'Warehouse',
    target_url: 'http://127.0.0.1:9/',
    events: ['lead.created'],
  });
  await disableWebhook(core, organization, { id });
  expect((await api.post(`/webhooks/${id}/test`, {})).outcome).toBe('404 NOT_FOUND');
  expect((await api.post(`/webhooks/${id}/recover`, since())).outcome).toBe('404 NOT_FOUND');
  expect((await api.patch(`/webhooks/${id}`, { name: 'Mine' })).outcome).toBe('404 NOT_FOUND');
});
