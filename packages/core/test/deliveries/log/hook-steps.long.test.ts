import { pauseQueue, updateOrganization } from '@dealkeep/core';
import {
  connectedUser,
  createManualWebhook,
  disableWebhook,
  eventually,
  ManualClock,
  startDealkeep,
  startHookReceiver,
} from '@dealkeep/testing';
import { describe, expect, test } from 'vitest';
import { subscribe } from '../subscriber.ts';

const clock = new ManualClock();
const dealkeep = await startDealkeep({ clock, timing: { sweepEveryMs: 10 } });
const { core, sql } = dealkeep;
const day = 24 * 3_600_000;
const ago = (milliseconds: number): string => new Date(clock.now().getTime() - milliseconds).toISOString();
const unknown = '01985f6e-2c41-7d3a-9b52-4f0c8a7e1d63';

/** A hook whose receiver refused one lead, with no retry left that could come between. */
async function refusedOne() {
  const receiver = await startHookReceiver();
  const subscriber = await subscribe(dealkeep, receiver.url);
  receiver.answerWith({ status: 500, body: 'busy' });
  const lead = await subscriber.createLead();
  await subscriber.logged(1);
  await eventually(async () => expect(await subscriber.pending()).toMatchObject([{ worker_id: null }]));
  const event = receiver.requests[0]?.envelope.id ?? '';
  const hook = `/webhooks/${subscriber.hookId}`;
  return { ...subscriber, receiver, lead, event, hook, resend: `${hook}/deliveries/${event}/resend` };
}

type Refused = Awaited<ReturnType<typeof refusedOne>>;

/** Everybody who is not the credential that made the hook. */
async function othersThan({ organization }: Refused) {
  const colleague = dealkeep.as((await organization.createKey({ name: 'Other' })).token);
  const stranger = dealkeep.as((await dealkeep.createOrganization()).key);
  return [colleague, stranger];
}

const since = () => ({ since: ago(3_600_000) });

describe('POST /webhooks/{id}/deliveries/{delivery_id}/resend', () => {
  test('sends it again with the same body and id, and answers the delivery as its GET does', async () => {
    const { api, resend, receiver, logged, hook, event } = await refusedOne();
    receiver.answerWith(200);
    const before = await api.get(`${hook}/deliveries/${event}`);
    const answer = await api.post(resend, {});
    expect(answer.status).toBe(200);
    expect(answer.data).toEqual(before.data);
    expect(answer.headers.get('etag')).toBe(before.headers.get('etag'));
    await logged(2);
    const [first, again] = receiver.requests;
    expect(again?.body).toBe(first?.body);
    expect(again?.headers).toMatchObject({ 'webhook-id': event, 'x-service-attempt': '2' });
    expect((await api.get(`${hook}/deliveries/${event}`)).data).toMatchObject({
      status: 'delivered',
      attempts: [{ by_hand: false }, { by_hand: true }],
    });
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

  test('own hooks only, as for GET, and only what the hook was sent', async () => {
    const refused = await refusedOne();
    for (const other of await othersThan(refused)) {
      expect((await other.post(refused.resend, {})).outcome).toBe('404 NOT_FOUND');
    }
    const { api, hook, event, organization } = refused;
    const elsewhere = await subscribe(dealkeep, 'http://127.0.0.1:9/', { organization });
    for (const path of [
      `/webhooks/${unknown}/deliveries/${event}/resend`,
      `${hook}/deliveries/evt_unknown/resend`,
      `/webhooks/${elsewhere.hookId}/deliveries/${event}/resend`,
    ]) {
      expect([path, (await api.post(path, {})).outcome]).toEqual([path, '404 NOT_FOUND']);
    }
    expect(refused.receiver.requests).toHaveLength(1);
  });
});

describe('POST /webhooks/{id}/recover', () => {
  test('sends again what failed since a moment, and answers how many', async () => {
    const { api, hook, receiver, logged, createLead, event } = await refusedOne();
    clock.advance(1000);
    const between = clock.now().toISOString();
    await createLead('second');
    await logged(2);
    receiver.answerWith(200);
    await createLead('third');
    await logged(3);
    const body = { since: between, only_failed: true };
    const answer = await api.post(`${hook}/recover`, body);
    expect([answer.status, answer.data]).toEqual([200, { count: 1 }]);
    expect(answer.headers.get('etag')).toBeNull();
    await logged(4);
    expect(receiver.requests.map(({ envelope }) => envelope.id).filter((id) => id === event)).toHaveLength(1);
  });

  test('what is asked for already is not asked for again, also by two at once', async () => {
    const { api, hook, createLead, logged, receiver } = await refusedOne();
    for (let made = 2; made <= 12; made += 1) await createLead(`lead ${made}`);
    await logged(12);
    // What has failed once more could be asked for anew, so nothing does meanwhile.
    const { promise: held, resolve: answer } = Promise.withResolvers<number>();
    receiver.answerWith(() => held);
    const answers = await Promise.all([1, 2, 3].map(() => api.post(`${hook}/recover`, since())));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    const counts = answers.map(({ data }) => Number(Reflect.get(data, 'count')));
    expect(counts.reduce((all, each) => all + each, 0)).toBe(12);
    answer(500);
    clock.advance(1000);
    await logged(24);
    expect(receiver.requests).toHaveLength(24);
  });

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

  test('since is needed, lies not in the future, and goes back as far as the log', async () => {
    const { api, hook } = await refusedOne();
    const told = async (body: object) => {
      const { outcome, fields } = await api.post(`${hook}/recover`, body);
      return [outcome, Object.keys(fields)];
    };
    expect(await told({})).toEqual(['422 VALIDATION_ERROR', ['since']]);
    expect(await told({ since: ago(-1000) })).toEqual(['422 VALIDATION_ERROR', ['since']]);
    expect(await told({ since: ago(31 * day) })).toEqual(['422 VALIDATION_ERROR', ['since']]);
    expect(await told({ since: ago(day), until: ago(2 * day) })).toEqual(['422 VALIDATION_ERROR', ['until']]);
    expect(await told({ since: 'yesterday', only_failed: 'yes' })).toEqual([
      '422 VALIDATION_ERROR',
      ['since', 'only_failed'],
    ]);
    expect((await api.post(`${hook}/recover`, { since: ago(30 * day) })).data).toEqual({ count: 1 });
  });

  test('own hooks only', async () => {
    const refused = await refusedOne();
    for (const other of await othersThan(refused)) {
      expect((await other.post(`${refused.hook}/recover`, since())).outcome).toBe('404 NOT_FOUND');
    }
    expect((await refused.api.post(`/webhooks/${unknown}/recover`, since())).outcome).toBe('404 NOT_FOUND');
  });
});

describe('POST /webhooks/{id}/test', () => {
  test('sends the sample now and answers what the receiver said', async () => {
    const { api, hook, receiver } = await refusedOne();
    receiver.answerWith({ status: 503, body: 'not now' });
    const { status, data } = await api.post(`${hook}/test`, {});
    const [, sent] = receiver.requests;
    expect(status).toBe(200);
    expect(data).toEqual({
      delivery_id: sent?.envelope.id,
      event: 'lead.created',
      delivered: false,
      response_status: 503,
      error: null,
      response_start: 'not now',
      duration_ms: expect.any(Number),
    });
    expect(sent?.envelope).toMatchObject({ type: 'lead.created', test: true });
    const logged = await api.get(`${hook}/deliveries/${sent?.envelope.id}`);
    expect(logged.data).toMatchObject({ status: 'failed', attempts: [{ by_hand: true }] });
  });

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
    for (const other of await othersThan(refused)) {
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

  test('paused, because the role behind its connection lacks its event: 409 CONFLICT', async () => {
    const receiver = await startHookReceiver();
    const organization = await dealkeep.createOrganization();
    const user = await connectedUser(dealkeep, organization, 'leads.view=all');
    const { api, hookId, logged } = await subscribe(dealkeep, receiver.url, {
      organization,
      key: user.token,
    });
    await dealkeep.as(organization.key).post('/leads', { name: 'Lead' });
    await logged(1);
    await user.permit({});
    for (const [path, body] of steps(`/webhooks/${hookId}`, receiver.requests[0]?.envelope.id ?? '')) {
      expect([path, (await api.post(path, body())).outcome]).toEqual([path, '409 CONFLICT']);
    }
    expect(receiver.requests).toHaveLength(1);
  });

  test('of an organization whose subscription has lapsed: 402 PAYMENT_REQUIRED', async () => {
    const { organization, api, hook, event } = await refusedOne();
    await updateOrganization(sql, organization.slug, { subscription: 'lapsed' });
    clock.advance(2000);
    for (const [path, body] of steps(hook, event)) {
      expect([path, (await api.post(path, body())).outcome]).toEqual([path, '402 PAYMENT_REQUIRED']);
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

  test('deleted meanwhile: 404 NOT_FOUND', async () => {
    const refused = await refusedOne();
    await refused.api.delete(refused.hook);
    for (const [path, body] of steps(refused.hook, refused.event)) {
      expect([path, (await refused.api.post(path, body())).outcome]).toEqual([path, '404 NOT_FOUND']);
    }
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
