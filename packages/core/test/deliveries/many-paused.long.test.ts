import { limits } from '@dealkeep/contract';
import { eventually, startDealkeep, startHookReceiver } from '@dealkeep/testing';
import { expect, test } from 'vitest';
import { subscribe } from './subscriber.ts';

test('what several paused webhooks have waiting is held, all of it, and no lease of it stays', async () => {
  const dealkeep = await startDealkeep();
  const { sql } = dealkeep;
  const receiver = await startHookReceiver();
  const { organization } = await subscribe(dealkeep, receiver.url);
  const webhooks = 6;
  for (let more = 1; more < webhooks; more += 1) await subscribe(dealkeep, receiver.url, { organization });
  await sql`update organizations set subscription = 'lapsed' where id = ${organization.id}`;
  // All together more than one statement takes, and of each webhook no more than is kept.
  const waiting = limits.heldEventsPerWebhook;
  await sql`
    with event as (
      insert into events (organization_id, id, type, record_id, occurred_at, envelope)
      select ${organization.id}, 'evt_' || lpad(n::text, 26, '0'), 'lead.created', gen_random_uuid(), now(), '{}'
      from generate_series(1, ${waiting}::integer) n
      returning organization_id, id)
    insert into deliveries (id, organization_id, webhook_id, event_id, due_at, created_at)
    select gen_random_uuid(), organization_id, w.id, event.id, now(), now()
    from event join webhooks w using (organization_id)`;
  await eventually(async () => expect(await sql`select from deliveries`).toEqual([]));
  const [held] = await sql`select count(*)::integer as events from held_events`;
  expect(held).toEqual({ events: waiting * webhooks });
  expect(receiver.requests).toEqual([]);
});
