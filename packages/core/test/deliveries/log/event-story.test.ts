import { releaseHeldEvents } from '@dealkeep/core/delivering';
import type { Log } from '@dealkeep/core/foundations';
import { eventually, ManualClock, resendDelivery, startDealkeep, startHookReceiver } from '@dealkeep/testing';
import { expect, test } from 'vitest';
import { subscribe } from '../subscriber.ts';

const lines: { fields: object; sentence: string }[] = [];
const hear = (fields: object, sentence: string) => void lines.push({ fields, sentence });
const log: Log = { debug() {}, info: hear, warn: hear, error: hear };
const clock = new ManualClock();
const dealkeep = await startDealkeep({ clock, log });
const { core, sql } = dealkeep;

const storyOf = (event: string) => lines.filter(({ fields }) => JSON.stringify(fields).includes(event));
const toldOf = (event: string, sentences: readonly string[]) =>
  eventually(() => expect(storyOf(event).map(({ sentence }) => sentence)).toEqual(sentences));

test('the log at its usual level tells an event by its id, from its emission to its end', async () => {
  const receiver = await startHookReceiver();
  const { organization, createLead, hookId, logged } = await subscribe(
    dealkeep,
    `${receiver.url}/path-secret?token=query-secret`,
  );
  receiver.answerWith(500);
  const lead = await createLead();
  await logged(1);
  const event_id = receiver.requests[0]?.envelope.id ?? '';
  receiver.answerWith(200);
  await resendDelivery(core, organization, { webhook_id: hookId, event_id });
  await toldOf(event_id, [
    'Event emitted',
    'Delivery: again',
    'Delivery: to be sent again',
    'Delivery: delivered',
  ]);
  const fields = storyOf(event_id).map((line) => line.fields);
  const attempt = {
    event_id,
    webhook_id: hookId,
    delivery_id: expect.any(String),
    duration_ms: expect.any(Number),
  };
  expect(fields).toMatchObject([
    { event_id, type: 'lead.created', record_id: lead, deliveries: 1, held: 0 },
    {
      ...attempt,
      attempt: 1,
      status: 500,
      host: new URL(receiver.url).host,
      next_attempt_at: expect.any(String),
    },
    { event_id, webhook_id: hookId, by_hand: true },
    { ...attempt, attempt: 2, status: 200, by_hand: true },
  ]);
  expect(JSON.stringify(lines)).not.toMatch(/path-secret|query-secret|whsec_/);
});

test('the log tells also what was held and delivered later', async () => {
  const receiver = await startHookReceiver();
  const { organization, createLead } = await subscribe(dealkeep, receiver.url);
  const subscription = (state: string) =>
    sql`update organizations set subscription = ${state} where id = ${organization.id}`;
  await createLead();
  const [first] = await receiver.received(1);
  await subscription('lapsed');
  // As one that was emitted before.
  const [event] = await sql<{ id: string }[]>`
    with event as (
      insert into events (organization_id, id, type, record_id, occurred_at, envelope)
      select organization_id, 'evt_held', type, record_id, ${clock.now().toISOString()}, envelope
      from events where id = ${first?.envelope.id ?? ''} returning *)
    insert into deliveries (id, organization_id, webhook_id, event_id, due_at, created_at)
    select gen_random_uuid(), e.organization_id, w.id, e.id, e.occurred_at, e.occurred_at
    from event e join webhooks w on w.organization_id = e.organization_id returning event_id as id`;
  await toldOf(event?.id ?? '', ['Delivery: held']);
  await subscription('active');
  await releaseHeldEvents(core);
  await toldOf(event?.id ?? '', ['Delivery: held', 'Delivery: delivered']);
});
