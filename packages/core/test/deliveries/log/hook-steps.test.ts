import { connectedUser, ManualClock, startDealkeep, startHookReceiver } from '@dealkeep/testing';
import { describe, expect, test } from 'vitest';
import { subscribe } from '../subscriber.ts';
import { refusedDelivery } from './refused-delivery.ts';

const clock = new ManualClock();
const dealkeep = await startDealkeep({ clock });
const day = 24 * 3_600_000;
const ago = (milliseconds: number): string => new Date(clock.now().getTime() - milliseconds).toISOString();
const unknown = '01985f6e-2c41-7d3a-9b52-4f0c8a7e1d63';

const refusedOne = () => refusedDelivery(dealkeep);
const since = () => ({ since: ago(3_600_000) });

describe('POST /webhooks/{id}/deliveries/{delivery_id}/resend', () => {
  test('sends it again with the same body and id, and answers the delivery as its GET does (rule deliveries 36)', async () => {
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

  test('own hooks only, as for GET, and only what the hook was sent (rule deliveries 39)', async () => {
    const refused = await refusedOne();
    for (const other of await refused.others()) {
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
  test('sends again what failed since a moment, and answers how many (rule deliveries 37)', async () => {
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

  test('what is asked for already is not asked for again, also by two at once (rule deliveries 37)', async () => {
    const { api, hook, createLead, logged, receiver } = await refusedOne();
    for (let made = 2; made <= 4; made += 1) await createLead(`lead ${made}`);
    await logged(4);
    // What has failed once more could be asked for anew, so nothing does meanwhile.
    const { promise: held, resolve: answer } = Promise.withResolvers<number>();
    receiver.answerWith(() => held);
    const answers = await Promise.all([1, 2, 3].map(() => api.post(`${hook}/recover`, since())));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    const counts = answers.map(({ data }) => Number(Reflect.get(data, 'count')));
    expect(counts.reduce((all, each) => all + each, 0)).toBe(4);
    answer(500);
    clock.advance(1000);
    await logged(8);
    expect(receiver.requests).toHaveLength(8);
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
});

describe('POST /webhooks/{id}/test', () => {
  test('sends the sample now and answers what the receiver said (rule deliveries 38)', async () => {
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
});

describe('a hook that gets nothing now', () => {
  const steps = (hook: string, event: string): [string, () => object][] => [
    [`${hook}/deliveries/${event}/resend`, () => ({})],
    [`${hook}/recover`, since],
    [`${hook}/test`, () => ({})],
  ];

  test('paused, because the role behind its connection lacks its event: 409 CONFLICT (rule deliveries 39)', async () => {
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
});
