import { updateOrganization } from '@dealkeep/core/accounts';
import { dropAllExcessHeldEvents, getWebhookWithHealth, releaseHeldEvents } from '@dealkeep/core/delivering';
import {
  createManualWebhook,
  disableWebhook,
  enableWebhook,
  eventually,
  ManualClock,
  startDealkeep,
  startHookReceiver,
} from '@dealkeep/testing';
import { expect, test } from 'vitest';

const clock = new ManualClock();
// No attempt counts as slow, however busy the machine is.
const timing = { attemptLimitMs: 60_000, slowAfterMs: 60_000 };
const dealkeep = await startDealkeep({ clock, timing });
const { core, sql } = dealkeep;
const day = 24 * 3_600_000;

/** A webhook that was disabled because it failed, after so many leads had reached it at once. */
async function disabled({ reachedBy = [] }: { reachedBy?: readonly string[] } = {}) {
  const receiver = await startHookReceiver();
  const organization = await dealkeep.createOrganization();
  const input = { name: 'Warehouse', target_url: receiver.url, events: ['lead.created'] };
  const { id } = await createManualWebhook(core, organization, input);
  const api = dealkeep.as(organization.key);
  for (const name of reachedBy) await api.post('/leads', { name });
  await receiver.received(reachedBy.length);
  await sql`
    update webhooks set disabled_reason = 'failing', disabled_at = ${clock.now().toISOString()} where id = ${id}`;
  return { receiver, organization, id, createLead: (name: string) => api.post('/leads', { name }) };
}

/** So many events, a second apart, held since they happened. */
async function hold(organization: { id: string }, webhook: string, count: number): Promise<string[]> {
  const began = clock.now().toISOString();
  const rows = await sql<{ id: string }[]>`
    with made as (
      insert into events (organization_id, id, type, record_id, occurred_at, envelope)
      select ${organization.id}, 'evt_' || replace(gen_random_uuid()::text, '-', ''), 'lead.created', gen_random_uuid(),
             ${began}::timestamptz + n * interval '1 second', json_build_object('n', n)
      from generate_series(1, ${count}) n returning id, occurred_at), held as (
      insert into held_events (organization_id, webhook_id, event_id, attempts, occurred_at, held_at)
      select ${organization.id}, ${webhook}, id, 0, occurred_at, occurred_at from made)
    select id from made order by occurred_at`;
  clock.advance(count * 1000);
  return rows.map(({ id }) => id);
}

test('of more than 1,000 held events the oldest are dropped and counted, before the sweep and after it (rule deliveries 21)', async () => {
  const { receiver, organization, id, createLead } = await disabled();
  const held = await hold(organization, id, 1004);
  await createLead('the last');
  const counts = { held_events: 1000, dropped_events: 5 };
  expect(await getWebhookWithHealth(core, organization, id)).toMatchObject(counts);
  expect(await dropAllExcessHeldEvents(core)).toBe(5);
  expect(await getWebhookWithHealth(core, organization, id)).toMatchObject(counts);
  const left = await sql<{ event_id: string }[]>`
    select event_id from held_events where webhook_id = ${id} order by occurred_at`;
  expect(left.map(({ event_id }) => event_id).slice(0, 999)).toEqual(held.slice(5));

  expect(await enableWebhook(core, organization, { id })).toMatchObject({
    state: 'active',
    dropped_events: 5,
  });
  await receiver.received(20);
  await disableWebhook(core, organization, { id });
  expect(receiver.requests.map(({ headers }) => headers['webhook-id']).slice(0, 20)).toEqual(
    held.slice(5, 25),
  );
});

test('what was held for more than 30 days is dropped, even when no sweep has come before the enabling (rule deliveries 21)', async () => {
  const { receiver, organization, id, createLead } = await disabled();
  await createLead('too old');
  clock.advance(day);
  await createLead('young');
  clock.advance(29 * day);
  expect(await getWebhookWithHealth(core, organization, id)).toMatchObject({
    held_events: 1,
    dropped_events: 1,
  });
  expect(await enableWebhook(core, organization, { id })).toMatchObject({ dropped_events: 1 });
  await receiver.received(1);
  await createLead('new');
  await receiver.received(2);
  expect(receiver.requests.map(({ envelope }) => envelope.data['name'])).toEqual(['young', 'new']);
});

test('held events that fail again do not keep the others waiting, and are tried by the schedule (rule deliveries 22)', async () => {
  const { receiver, organization, id, createLead } = await disabled();
  for (const name of ['one', 'two', 'three']) await createLead(name);
  receiver.answerWith(({ envelope }) => (envelope.data['name'] === 'two' ? 500 : 200));
  await enableWebhook(core, organization, { id });
  await receiver.received(3);
  expect(receiver.requests.map(({ envelope }) => envelope.data['name'])).toEqual(['one', 'two', 'three']);
  receiver.answerWith(200);
  await eventually(async () =>
    expect(await sql`select from deliveries where webhook_id = ${id} and attempts = 1`).toHaveLength(1),
  );
  clock.advance(6000);
  await receiver.received(4);
  expect(receiver.requests.at(-1)).toMatchObject({
    envelope: { data: { name: 'two' } },
    headers: { 'x-service-attempt': '2' },
  });
});

test('new events do not wait for the held ones (rule deliveries 22)', async () => {
  // It is known to answer at once, so that more than one is sent to it at a time.
  const { receiver, organization, id, createLead } = await disabled({ reachedBy: ['before'] });
  for (const name of ['held 1', 'held 2']) await createLead(name);
  let answer = (_: number): void => {};
  const answered = new Promise<number>((resolve) => {
    answer = resolve;
  });
  receiver.answerWith(({ envelope }) => (envelope.data['name'] === 'held 1' ? answered : 200));
  await enableWebhook(core, organization, { id });
  await receiver.received(2);
  await createLead('new');
  await receiver.received(3);
  const names = receiver.requests.map(({ envelope }) => envelope.data['name']);
  expect(names).toEqual(['before', 'held 1', 'new']);
  answer(200);
  await receiver.received(4);
  expect(receiver.requests.at(-1)?.envelope.data['name']).toBe('held 2');
});

test('a subscription that lapses during the delivery of held events stops it, and it goes on afterwards', async () => {
  const { receiver, organization, id, createLead } = await disabled();
  for (const name of ['one', 'two', 'three']) await createLead(name);
  receiver.answerWith(async ({ envelope }) => {
    if (envelope.data['name'] === 'one')
      await updateOrganization(sql, organization.slug, { subscription: 'lapsed' });
    return 200;
  });
  await enableWebhook(core, organization, { id });
  await receiver.received(1);
  await eventually(async () =>
    expect(await sql`select from deliveries where webhook_id = ${id}`).toHaveLength(0),
  );
  await releaseHeldEvents(core);
  expect(await getWebhookWithHealth(core, organization, id)).toMatchObject({
    state: 'paused',
    held_events: 2,
  });
  await updateOrganization(sql, organization.slug, { subscription: 'active' });
  await releaseHeldEvents(core);
  await receiver.received(3);
  expect(receiver.requests.map(({ envelope }) => envelope.data['name'])).toEqual(['one', 'two', 'three']);
});
