import { ManualClock, startDealkeep, startHookReceiver } from '@dealkeep/testing';
import { describe, expect, test } from 'vitest';
import { subscribe } from '../subscriber.ts';

const clock = new ManualClock();
const dealkeep = await startDealkeep({ clock });

/** A hook whose receiver took a company and refused a lead, a second later. */
async function tookOne() {
  const receiver = await startHookReceiver();
  const events = ['lead.created', 'company.created'];
  const subscriber = await subscribe(dealkeep, receiver.url, { events });
  const { api, createLead, logged } = subscriber;
  receiver.answerWith(({ envelope }) =>
    envelope.type === 'lead.created' ? { status: 503, body: 'busy' } : 200,
  );
  const company: string = (await api.post('/companies', { name: 'Kováč' })).data.id;
  await logged(1);
  clock.advance(1000);
  const between = clock.now().toISOString();
  clock.advance(1000);
  const lead = await createLead();
  await logged(2);
  const path = `/webhooks/${subscriber.hookId}/deliveries`;
  const [first, second] = receiver.requests.map(({ envelope }) => envelope.id);
  return { ...subscriber, receiver, path, company, lead, between, taken: first ?? '', refused: second ?? '' };
}

describe('GET /webhooks/{id}/deliveries', () => {
  test('lists the deliveries of a hook, the one tried last first (rule deliveries 32)', async () => {
    const { api, path, company, lead, taken, refused } = await tookOne();
    const { page } = await api.get(path);
    expect(page).toEqual({
      data: [
        {
          id: refused,
          event: 'lead.created',
          record_id: lead,
          status: 'waiting',
          attempt_count: 1,
          response_status: 503,
          error: null,
          created_at: expect.any(String),
          last_attempt_at: expect.any(String),
          next_attempt_at: expect.any(String),
        },
        expect.objectContaining({
          id: taken,
          record_id: company,
          status: 'delivered',
          next_attempt_at: null,
        }),
      ],
      next_cursor: null,
      has_more: false,
    });
  });

  test('filters by status, event, record and the moment of the event (rules deliveries 27 and 32)', async () => {
    const { api, path, company, between, taken, refused } = await tookOne();
    const idsOf = async (query: string) => (await api.get(`${path}?${query}`)).page.data.map(({ id }) => id);
    expect(await idsOf('status=waiting')).toEqual([refused]);
    expect(await idsOf('status=delivered')).toEqual([taken]);
    expect(await idsOf('status=failed')).toEqual([]);
    expect(await idsOf('event=company.created')).toEqual([taken]);
    expect(await idsOf(`record_id=${company}`)).toEqual([taken]);
    expect(await idsOf(`created_after=${between}`)).toEqual([refused]);
    expect(await idsOf(`created_after=${between}&status=delivered`)).toEqual([]);
    expect((await api.get(`${path}?event=lead.sung`)).outcome).toBe('400 INVALID_PARAMETER');
    expect((await api.get(`${path}?status=lost`)).outcome).toBe('400 INVALID_PARAMETER');
    expect((await api.get(`${path}?sort=created_at`)).outcome).toBe('400 UNSUPPORTED_FILTER');
  });

  test('comes in pages; a cursor is good for the same hook and filters alone', async () => {
    const { api, path, taken, refused } = await tookOne();
    const first = (await api.get(`${path}?limit=1`)).page;
    expect(first).toMatchObject({ data: [{ id: refused }], has_more: true });
    const next = `limit=1&cursor=${first.next_cursor}`;
    expect((await api.get(`${path}?${next}`)).page).toMatchObject({
      data: [{ id: taken }],
      next_cursor: null,
      has_more: false,
    });
    expect((await api.get(`${path}?${next}&status=waiting`)).outcome).toBe('400 INVALID_CURSOR');
    const other = (await api.post('/webhooks', { target_url: 'http://127.0.0.1:9/x', event: 'lead.won' }))
      .data;
    expect((await api.get(`/webhooks/${other.id}/deliveries?${next}`)).outcome).toBe('400 INVALID_CURSOR');
    expect((await api.get(`/webhooks/${other.id}/deliveries`)).page.data).toEqual([]);
  });
});

test('GET /webhooks/{id}/deliveries/{delivery_id} answers it with its attempts, the first one first (rule deliveries 33)', async () => {
  const { api, path, refused, receiver, logged } = await tookOne();
  receiver.answerWith({ status: 200, body: 'thanks' });
  clock.advance(6000);
  await logged(3);
  const answer = await api.get(`${path}/${refused}`);
  expect(answer.headers.get('etag')).toBeTruthy();
  expect(answer.data).toMatchObject({
    id: refused,
    status: 'delivered',
    attempt_count: 2,
    response_status: 200,
    next_attempt_at: null,
    attempts: [
      { number: 1, response_status: 503, response_start: 'busy', next_attempt_at: expect.any(String) },
      { number: 2, response_status: 200, response_start: 'thanks', next_attempt_at: null, by_hand: false },
    ],
  });
});

test('why nothing was answered is told in words (rule deliveries 26)', async () => {
  const gone = await startHookReceiver();
  await gone.stop();
  const { api, hookId, createLead, logged } = await subscribe(dealkeep, gone.url);
  await createLead();
  await logged(1);
  const [delivery] = (await api.get(`/webhooks/${hookId}/deliveries`)).page.data;
  const error = { en: 'connection refused', sk: 'spojenie bolo odmietnuté' };
  expect(delivery).toMatchObject({ response_status: null, error });
  expect((await api.get(`/webhooks/${hookId}/deliveries/${delivery?.id}`)).data).toMatchObject({
    attempts: [{ response_status: null, response_start: null, error }],
  });
});

test('a credential is shown the deliveries of its own hooks alone (rule deliveries 34)', async () => {
  const { organization, path, taken, hookId, api } = await tookOne();
  const colleague = dealkeep.as((await organization.createKey({ name: 'Other' })).token);
  const stranger = dealkeep.as((await dealkeep.createOrganization()).key);
  const unknown = '01985f6e-2c41-7d3a-9b52-4f0c8a7e1d63';
  for (const other of [colleague, stranger]) {
    expect((await other.get(path)).outcome).toBe('404 NOT_FOUND');
    expect((await other.get(`${path}/${taken}`)).outcome).toBe('404 NOT_FOUND');
  }
  const own = (await api.post('/webhooks', { target_url: 'http://127.0.0.1:9/x', event: 'lead.won' })).data;
  for (const at of [
    `/webhooks/${unknown}/deliveries`,
    `/webhooks/${unknown}/deliveries/${taken}`,
    `/webhooks/${own.id}/deliveries/${taken}`,
    `/webhooks/${hookId}/deliveries/evt_unknown`,
  ]) {
    expect([at, (await api.get(at)).outcome]).toEqual([at, '404 NOT_FOUND']);
  }
});
