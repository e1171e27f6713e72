import { getDelivery, searchDeliveries } from '@dealkeep/core/delivering';
import { ManualClock, startDealkeep, startHookReceiver } from '@dealkeep/testing';
import { expect, test } from 'vitest';
import { subscribe } from '../subscriber.ts';

const clock = new ManualClock();
const dealkeep = await startDealkeep({ clock });
const { core } = dealkeep;
const events = ['lead.created', 'company.created'];

test('one delivery is shown with all its attempts, its body and headers without signatures (rule deliveries 26)', async () => {
  const receiver = await startHookReceiver();
  const { organization, createLead, hookId, logged } = await subscribe(dealkeep, receiver.url);
  receiver.answerWith({ status: 500, body: 'out\0 of \ud83d order' });
  const lead = await createLead();
  await logged(1);
  receiver.answerWith({ status: 200, body: 'thanks' });
  clock.advance(6000);
  await logged(2);

  const [request] = receiver.requests;
  const event_id = request?.envelope.id ?? '';
  const delivery = await getDelivery(core, organization, { webhook_id: hookId, event_id });
  expect(delivery).toMatchObject({
    event_id,
    webhook_id: hookId,
    event_type: 'lead.created',
    record_id: lead,
    outcome: 'delivered',
    attempts: 2,
    status: 200,
    error: null,
    next_attempt_at: null,
    target_url: receiver.url,
    body: request?.body,
  });
  expect(delivery.log).toMatchObject([
    { number: 1, status: 500, error: null, response_start: expect.stringMatching(/^out\ufffd of .* order$/) },
    { number: 2, status: 200, error: null, response_start: 'thanks', next_attempt_at: null, by_hand: false },
  ]);
  expect(Date.parse(delivery.log[0]?.next_attempt_at ?? '')).toBeGreaterThan(
    Date.parse(delivery.log[0]?.started_at ?? ''),
  );
  for (const [at, { headers }] of receiver.requests.entries()) {
    const shown = delivery.log[at]?.request_headers ?? {};
    expect(headers).toMatchObject(shown);
    expect(Object.keys(shown).filter((name) => name.includes('signature'))).toEqual([]);
    expect(Object.keys(shown)).toHaveLength(6);
  }
  const foreign = await dealkeep.createOrganization();
  await expect(getDelivery(core, foreign, { webhook_id: hookId, event_id })).rejects.toMatchObject({
    code: 'NOT_FOUND',
  });
});

test('deliveries are found by event type, outcome, status, record, webhook and time, the newest first', async () => {
  const receiver = await startHookReceiver();
  const good = await subscribe(dealkeep, receiver.url, { events });
  const { organization, api, createLead } = good;
  receiver.answerWith(({ envelope }) => (envelope.type === 'lead.created' ? 200 : 404));
  const lead = await createLead();
  await good.logged(1);
  clock.advance(1000);
  const afterLead = clock.now().toISOString();
  await api.post('/companies', { name: 'Kováč' });
  await good.logged(2);
  clock.advance(1000);
  const gone = await startHookReceiver();
  await gone.stop();
  const bad = await subscribe(dealkeep, gone.url, { organization });
  await createLead('second');
  await bad.logged(1);
  await good.logged(3);

  const found = async (search: Parameters<typeof searchDeliveries>[2]) => {
    const { data } = await searchDeliveries(core, organization, search);
    return data.map(({ webhook_id, event_type, outcome, error, status }) => {
      const hook = webhook_id === good.hookId ? 'good' : 'bad';
      return `${hook} ${event_type} ${outcome} ${status ?? error?.sk}`;
    });
  };
  const refused = 'bad lead.created waiting spojenie bolo odmietnuté';
  const [first, company] = ['good lead.created delivered 200', 'good company.created waiting 404'];
  expect((await found({ webhook_id: bad.hookId }))[0]).toBe(refused);
  expect(await found({ webhook_id: good.hookId })).toEqual([first, company, first]);
  expect(await found({ event_type: 'company.created' })).toEqual([company]);
  expect((await found({ outcome: 'waiting' })).sort()).toEqual([refused, company]);
  expect(await found({ outcome: 'failed' })).toEqual([]);
  expect(await found({ outcome: 'delivered' })).toEqual([first, first]);
  expect(await found({ status: 404 })).toEqual([company]);
  expect(await found({ status: 200, until: afterLead })).toEqual([first]);
  expect(await found({ record_id: lead })).toEqual([first]);
  expect(await found({ since: afterLead, event_type: 'lead.created', webhook_id: good.hookId })).toEqual([
    first,
  ]);
  expect((await searchDeliveries(core, await dealkeep.createOrganization())).data).toEqual([]);
  await expect(searchDeliveries(core, organization, { limit: 0 })).rejects.toMatchObject({
    code: 'VALIDATION_ERROR',
  });
});

test('pages of the log neither skip nor repeat a delivery', async () => {
  const receiver = await startHookReceiver();
  const { organization, createLead, logged } = await subscribe(dealkeep, receiver.url);
  for (let made = 0; made < 5; made += 1) await createLead();
  await logged(5);
  const seen: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await searchDeliveries(core, organization, { limit: 2, ...(cursor ? { cursor } : {}) });
    seen.push(...page.data.map((each) => each.event_id));
    cursor = page.next_cursor ?? undefined;
    expect(page.has_more).toBe(cursor !== undefined);
  } while (cursor);
  expect(seen).toHaveLength(5);
  expect(new Set(seen)).toEqual(new Set(receiver.requests.map(({ envelope }) => envelope.id)));
  const { next_cursor } = await searchDeliveries(core, organization, { limit: 2 });
  const otherFilters = { limit: 2, cursor: next_cursor ?? '', event_type: 'lead.created' };
  await expect(searchDeliveries(core, organization, otherFilters)).rejects.toMatchObject({
    code: 'INVALID_CURSOR',
  });
});
